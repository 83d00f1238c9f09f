import type { Steps } from '../layout.ts';

type Place = { x: number; y: number };

/** Rounds of majorisation (V67). */
const rounds = 120;

/**
 * Places by stress majorisation (Gansner, Koren, North 2005): distances in the picture follow distances in the graph.
 * It starts from pivots far apart, in input order; only + − × ÷ and square roots (V3, V18).
 */
export function stressLayout({
  count,
  edges,
  length,
  steps,
}: {
  readonly count: number;
  readonly edges: readonly (readonly [number, number])[];
  /** Wanted length of an edge. */
  readonly length: number;
  readonly steps: Steps;
}): Place[] {
  const distances = graphDistances(count, { edges, steps });
  const far =
    1 + Math.max(1, ...distances.map((row) => Math.max(...row.map((d) => (d === Infinity ? 0 : d)))));
  const wanted = distances.map((row) => row.map((d) => (d === Infinity ? far : d) * length));
  const places = startPlaces(wanted, length);
  for (let round = 0; round < rounds; round++)
    for (const [i, place] of places.entries()) {
      let [weights, x, y] = [0, 0, 0];
      for (const [j, other] of places.entries()) {
        if (i === j) continue;
        const distance = wanted[i]?.[j] ?? length;
        const weight = 1 / (distance * distance);
        const [dx, dy] = [place.x - other.x, place.y - other.y];
        const now = Math.sqrt(dx * dx + dy * dy) || 1;
        weights += weight;
        x += weight * (other.x + (distance * dx) / now);
        y += weight * (other.y + (distance * dy) / now);
      }
      steps.taken += places.length;
      if (weights > 0) [place.x, place.y] = [x / weights, y / weights];
    }
  return places;
}

function graphDistances(
  count: number,
  { edges, steps }: { edges: readonly (readonly [number, number])[]; steps: Steps },
): number[][] {
  const beside: number[][] = Array.from({ length: count }, () => []);
  for (const [a, b] of edges) {
    beside[a]?.push(b);
    beside[b]?.push(a);
  }
  return beside.map((_, start) => {
    const row = new Array<number>(count).fill(Infinity);
    row[start] = 0;
    const queue = [start];
    for (let at = 0; at < queue.length; at++) {
      const node = queue[at] ?? 0;
      for (const next of beside[node] ?? []) {
        steps.taken++;
        if (row[next] !== Infinity) continue;
        row[next] = (row[node] ?? 0) + 1;
        queue.push(next);
      }
    }
    return row;
  });
}

/** Two nodes far apart span the first axis, one far from both the second; ties are broken by index. */
function startPlaces(wanted: readonly (readonly number[])[], length: number): Place[] {
  const farthest = (from: readonly number[]): number => from.indexOf(Math.max(...from));
  const a = farthest(wanted[0] ?? [0]);
  const b = farthest(wanted[a] ?? [0]);
  const between = wanted.map((row) => Math.min(row[a] ?? 0, row[b] ?? 0));
  const c = farthest(between);
  return wanted.map((row, index) => {
    const [toA, toB, toC] = [row[a] ?? 0, row[b] ?? 0, row[c] ?? 0];
    const apart = length / 16;
    return {
      x: (toA - toB) * 0.7 + ((index * 7) % 11) * apart,
      y: (2 * toC - toA - toB) * 0.35 + ((index * 5) % 13) * apart,
    };
  });
}
