import type { Steps } from '../layout.ts';
import type { Vertex } from './layeredGraph.ts';

/** Crossings between all neighbouring ranks in their present order, counted with a tree of prefix sums. */
export function countCrossings(layers: readonly (readonly Vertex[])[], steps: Steps): number {
  let crossings = 0;
  for (const [rank, layer] of layers.entries()) {
    const size = layers[rank + 1]?.length ?? 0;
    if (size === 0) continue;
    const sums = new Int32Array(size + 1);
    let seen = 0;
    for (const vertex of layer) {
      const ends = vertex.outgoing.map(({ lower }) => lower.position);
      if (ends.length > 1) ends.sort((a, b) => a - b);
      for (const end of ends) {
        steps.taken++;
        let before = 0;
        for (let at = end + 1; at > 0; at -= at & -at) before += sums[at] ?? 0;
        crossings += seen - before;
        for (let at = end + 1; at <= size; at += at & -at) sums[at] = (sums[at] ?? 0) + 1;
        seen++;
      }
    }
  }
  return crossings;
}
