import type { Cpx } from '../../geometry/cpx.ts';
import type { Link, Vertex } from './layeredGraph.ts';

/** Spreads the ports of every node over its two sides in the order of their other ends (V17). */
export function spreadPorts(vertices: readonly Vertex[], gap: Cpx): void {
  for (const vertex of vertices) {
    if (vertex.node === null) continue;
    const outgoing = inOrder(vertex.outgoing, ({ lower }) => lower.position);
    for (const [i, link] of outgoing.entries())
      link.upperPort = portAt(vertex, { i, of: outgoing.length, gap });
    const incoming = inOrder(vertex.incoming, ({ upper }) => upper.position);
    for (const [i, link] of incoming.entries())
      link.lowerPort = portAt(vertex, { i, of: incoming.length, gap });
  }
}

const inOrder = (links: readonly Link[], at: (link: Link) => number): Link[] =>
  links.toSorted((a, b) => at(a) - at(b) || a.edge - b.edge);

function portAt({ w, portInset }: Vertex, { i, of, gap }: { i: number; of: number; gap: Cpx }): Cpx {
  if (of === 1) return 0;
  const room = w - 2 * portInset;
  const step = Math.min(Math.max(gap, Math.floor(room / (of + 1))), Math.floor(room / (of - 1)), 2 * gap);
  return Math.floor(((2 * i - (of - 1)) * step) / 2);
}
