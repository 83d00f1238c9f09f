import type { Cpx } from '../../geometry/rect.ts';
import type { Steps } from '../layout.ts';
import { topologicalOrder } from './assignRanks.ts';

/** The level part of an edge in a gap, with the legs that reach up and down from it. */
export type Run = { readonly up: readonly Cpx[]; readonly down: readonly Cpx[] };

type Span = Run & { readonly low: Cpx; readonly high: Cpx };
type Wish = { readonly upper: number; readonly lower: number; readonly gain: number };

/** A wish that keeps two edges from running together outweighs all crossings. */
const together = 1000;
/** Steps of one gap after which wishes are no longer weighed (V67). */
const budget = 500_000;

/**
 * Tracks from the top for the level parts of one gap, by run; runs that meet get different ones. Pairwise wishes for
 * few crossings, strongest first, are kept while they make no cycle (V17).
 */
export function assignTracks(
  runs: readonly Run[],
  { clearance, steps }: { readonly clearance: Cpx; readonly steps: Steps },
): { tracks: number[]; count: number } {
  const spans = runs.map(({ up, down }) => ({
    up,
    down,
    low: Math.min(...up, ...down),
    high: Math.max(...up, ...down),
  }));
  const wishes: Wish[] = [];
  for (const [i, a] of spans.entries())
    for (let j = i + 1; j < spans.length; j++) {
      steps.taken++;
      const b = spans[j];
      if (b === undefined || a.low > b.high + clearance || b.low > a.high + clearance) continue;
      const [aboveCost, belowCost] = [costOfAbove(a, b, clearance), costOfAbove(b, a, clearance)];
      const gain = Math.abs(aboveCost - belowCost);
      wishes.push(aboveCost <= belowCost ? { upper: i, lower: j, gain } : { upper: j, lower: i, gain });
    }
  wishes.sort((a, b) => b.gain - a.gain || a.upper - b.upper || a.lower - b.lower);
  return levels(keptWishes(wishes, { count: runs.length, steps }));
}

/** Crossings when `a` lies above `b`: its legs down come through `b`, the legs up from `b` through `a`. */
function costOfAbove(a: Span, b: Span, clearance: Cpx): number {
  const through = (legs: readonly Cpx[], { low, high }: Span): number =>
    legs.filter((x) => low < x && x < high).length;
  let cost = through(a.down, b) + through(b.up, a);
  for (const x of a.down)
    for (const other of b.up) {
      // both legs would share one stretch
      const distance = Math.abs(x - other);
      cost += distance === 0 ? together : distance < clearance ? together / 10 : 0;
    }
  return cost;
}

/** For each run those below it, without cycles. */
function keptWishes(
  wishes: readonly Wish[],
  { count, steps }: { count: number; steps: Steps },
): Set<number>[] {
  const below = Array.from({ length: count }, () => new Set<number>());
  const reaches = (from: number, to: number): boolean => {
    const seen = new Uint8Array(count);
    const open = [from];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      steps.taken++;
      if (at === to) return true;
      if (seen[at] === 1) continue;
      seen[at] = 1;
      for (const next of below[at] ?? []) if (seen[next] === 0) open.push(next);
    }
    return false;
  };
  const end = steps.taken + budget;
  for (const [kept, { upper, lower }] of wishes.entries()) {
    if (steps.taken > end) return withOrder(below, wishes.slice(kept));
    if (!reaches(lower, upper)) below[upper]?.add(lower);
    else below[lower]?.add(upper);
  }
  return below;
}

/** The rest of the wishes, each turned the way an order of those kept already goes. */
function withOrder(below: Set<number>[], rest: readonly Wish[]): Set<number>[] {
  const { tracks } = levels(below);
  const order = [...below.keys()].sort((a, b) => (tracks[a] ?? 0) - (tracks[b] ?? 0) || a - b);
  const place = new Map(order.map((at, index) => [at, index]));
  for (const { upper, lower } of rest) {
    const isUpper = (place.get(upper) ?? 0) < (place.get(lower) ?? 0);
    below[isUpper ? upper : lower]?.add(isUpper ? lower : upper);
  }
  return below;
}

function levels(below: readonly ReadonlySet<number>[]): { tracks: number[]; count: number } {
  const tracks = new Array<number>(below.length).fill(0);
  let count = 0;
  for (const at of topologicalOrder(below.length, (upper) => below[upper] ?? [])) {
    const track = tracks[at] ?? 0;
    count = Math.max(count, track + 1);
    for (const next of below[at] ?? []) tracks[next] = Math.max(tracks[next] ?? 0, track + 1);
  }
  return { tracks, count };
}
