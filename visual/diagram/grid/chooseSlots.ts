import type { Cpx } from '../../geometry/cpx.ts';
import type { Steps } from '../layout.ts';

/** Boxes of one row from left to right. */
export type RowBoxes = readonly { readonly index: number; readonly x: Cpx; readonly w: Cpx }[];

type Passing = { readonly upper: number; readonly lower: number; readonly rows: readonly [number, number] };

/**
 * Where edges pass the rows between their ends: as near to the straight line as the free stretches of each row allow,
 * an edge gap apart. Returns for each edge its x in every row it passes.
 */
export function chooseSlots(
  edges: readonly Passing[],
  {
    rows,
    centres,
    gap,
    steps,
  }: { rows: readonly RowBoxes[]; centres: readonly Cpx[]; gap: Cpx; steps: Steps },
): Cpx[][] {
  const taken: Cpx[][] = rows.map(() => []);
  return edges.map(({ upper, lower, rows: [first, last] }) => {
    const slots: Cpx[] = [];
    let x = centres[upper] ?? 0;
    for (let row = first + 1; row < last; row++) {
      const left = last - row;
      // towards the other end, a part of the way in each row
      const wanted = x + Math.floor(((centres[lower] ?? 0) - x) / (left + 1));
      x = nearestFree({ x, wanted, boxes: rows[row] ?? [], taken: taken[row] ?? [], gap, steps });
      taken[row]?.push(x);
      slots.push(x);
    }
    return slots;
  });
}

type Search = {
  readonly x: Cpx;
  readonly wanted: Cpx;
  readonly boxes: RowBoxes;
  readonly taken: readonly Cpx[];
  readonly gap: Cpx;
  readonly steps: Steps;
};

function nearestFree({ x, wanted, boxes, taken, gap, steps }: Search): Cpx {
  const isFree = (at: Cpx): boolean => {
    steps.taken += boxes.length + taken.length;
    return (
      boxes.every((box) => at <= box.x - gap || at >= box.x + box.w + gap) &&
      taken.every((other) => Math.abs(other - at) >= gap)
    );
  };
  // straight on is best
  if (isFree(x)) return x;
  const stops = [
    wanted,
    ...boxes.flatMap((box) => [box.x - gap, box.x + box.w + gap]),
    ...taken.flatMap((other) => [other - gap, other + gap]),
  ];
  const nearest = stops.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted) || a - b);
  return nearest.find(isFree) ?? Math.max(...stops) + gap;
}
