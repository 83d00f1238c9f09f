import type { DownEdge, LayeredInput, Link, Vertex } from './layeredGraph.ts';

export type ProperGraph = {
  readonly vertices: readonly Vertex[];
  /** The links of each edge from its upper to its lower end. */
  readonly chains: readonly (readonly Link[])[];
  readonly rankCount: number;
};

/** A vertex a node, and one for each rank an edge passes; the middle one holds the edge's label (V17). */
export function splitLongEdges(
  { nodes, edges }: Pick<LayeredInput, 'nodes' | 'edges'>,
  { down, ranks: given }: { readonly down: readonly DownEdge[]; readonly ranks: readonly number[] },
): ProperGraph {
  const labelRank = (edge: DownEdge): number | null => {
    if (edges[edge.edge]?.label === null) return null;
    const [upper, lower] = [given[edge.upper] ?? 0, given[edge.lower] ?? 0];
    return Math.max(upper + 1, Math.floor((upper + lower) / 2));
  };
  // ranks that hold neither node nor label are left out
  const held = new Set([...given, ...down.map(labelRank).filter((rank) => rank !== null)]);
  const place = new Map([...held].sort((a, b) => a - b).map((rank, index) => [rank, index]));
  const rankOf = (rank: number | null): number => (rank === null ? -1 : (place.get(rank) ?? 0));
  const vertices: Vertex[] = nodes.map(({ w, h, lane, portInset }, index) =>
    vertex({ index, node: index, w, h, lane, portInset, rank: rankOf(given[index] ?? 0) }),
  );
  const chains: Link[][] = [];
  for (const edge of down) {
    const [upper, lower] = [vertices[edge.upper], vertices[edge.lower]];
    if (upper === undefined || lower === undefined) continue;
    const [middle, label] = [rankOf(labelRank(edge)), edges[edge.edge]?.label ?? null];
    const chain: Link[] = [];
    let above = upper;
    for (let rank = upper.rank + 1; rank < lower.rank; rank++) {
      const size = rank === middle && label !== null ? label : { w: 0, h: 0 };
      const lane = rank - upper.rank <= lower.rank - rank ? upper.lane : lower.lane;
      const at = { index: vertices.length, node: null, lane, portInset: 0, rank, ...size };
      const passing = vertex({ ...at, holdsLabel: rank === middle });
      vertices.push(passing);
      chain.push(link(edge.edge, above, passing));
      above = passing;
    }
    chain.push(link(edge.edge, above, lower));
    chains[edge.edge] = chain;
  }
  return { vertices, chains, rankCount: held.size };
}

function vertex(
  given: Omit<Vertex, 'holdsLabel' | 'incoming' | 'outgoing' | 'position' | 'x'> & { holdsLabel?: boolean },
): Vertex {
  return { holdsLabel: false, ...given, incoming: [], outgoing: [], position: 0, x: 0 };
}

function link(edge: number, upper: Vertex, lower: Vertex): Link {
  const made = { edge, upper, lower, upperPort: 0, lowerPort: 0 };
  upper.outgoing.push(made);
  lower.incoming.push(made);
  return made;
}
