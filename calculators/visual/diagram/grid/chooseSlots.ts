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

/** The x itself where it is free, else the free one nearest to the wanted x. */
function nearestFree({ x, wanted, boxes, taken, gap, steps }: Search): Cpx {
  const blocked = merged([
    ...boxes.map((box) => ({ low: box.x - gap, high: box.x + box.w + gap })),
    ...taken.map((other) => ({ low: other - gap, high: other + gap })),
  ]);
  steps.taken += boxes.length + taken.length;
  const holder = (at: Cpx) => blocked.find(({ low, high }) => low < at && at < high);
  // straight on is best
  if (holder(x) === undefined) return x;
  const inside = holder(wanted);
  if (inside === undefined) return wanted;
  return wanted - inside.low <= inside.high - wanted ? inside.low : inside.high;
}

type Stretch = { readonly low: Cpx; readonly high: Cpx };

/** Open stretches from left to right; those that overlap are one. */
function merged(stretches: readonly Stretch[]): Stretch[] {
  const found: Stretch[] = [];
  for (const { low, high } of stretches.toSorted((a, b) => a.low - b.low || a.high - b.high)) {
    const last = found.at(-1);
    if (last === undefined || low >= last.high) found.push({ low, high });
    else found[found.length - 1] = { low: last.low, high: Math.max(last.high, high) };
  }
  return found;
}
