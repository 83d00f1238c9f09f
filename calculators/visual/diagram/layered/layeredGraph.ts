import type { VisualEdge } from '../../../../data/contract/visual/visualContract.ts';
import type { Cpx } from '../../geometry/rect.ts';
import type { Gaps, Size } from '../layout.ts';

/** Input of the layered engine; the main direction is down. Ends of edges are indexes of nodes. */
export type LayeredInput = {
  readonly nodes: readonly (Size & {
    readonly rank: number | null;
    readonly lane: number;
    /** How far from its corners edges may begin. */
    readonly portInset: Cpx;
  })[];
  readonly edges: readonly {
    readonly from: number;
    readonly to: number;
    readonly kind: VisualEdge['kind'];
    readonly label: Size | null;
  }[];
  readonly gaps: Gaps;
  /** The least widths of the lanes; empty without lanes. */
  readonly lanes: readonly Cpx[];
  /** Space between a lane's border and what lies in it. */
  readonly laneInset: Cpx;
};

/** A node, or the place where a long edge passes a rank. */
export type Vertex = {
  readonly index: number;
  /** Index of the node; null where an edge passes. */
  readonly node: number | null;
  /** Whether the label of the edge stands here. */
  readonly holdsLabel: boolean;
  readonly w: Cpx;
  readonly h: Cpx;
  readonly portInset: Cpx;
  readonly rank: number;
  readonly lane: number;
  readonly incoming: Link[];
  readonly outgoing: Link[];
  /** Place in its rank. */
  position: number;
  /** Centre across the main direction. */
  x: Cpx;
};

/** A piece of an edge between neighbouring ranks; ports are offsets from the centres of its ends. */
export type Link = {
  readonly edge: number;
  readonly upper: Vertex;
  readonly lower: Vertex;
  upperPort: Cpx;
  lowerPort: Cpx;
};

/** An edge that runs down, whichever way it points. */
export type DownEdge = {
  readonly edge: number;
  upper: number;
  lower: number;
  /** Whether it points up. */
  turned: boolean;
};

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
  // ranks that hold neither node nor label are removed
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

type SpacingPair = { readonly left: Vertex; readonly right: Vertex; readonly least: Cpx };

/** Every pair that keeps its distance: neighbours, and nodes with edges between them, which bring them no nearer. */
export function spacingPairs(
  layers: readonly (readonly Vertex[])[],
  { node, edge }: LayeredInput['gaps'],
): SpacingPair[] {
  const pairs: SpacingPair[] = [];
  const add = (left: Vertex, right: Vertex): void => {
    const gap = left.node !== null && right.node !== null ? node : edge;
    pairs.push({ left, right, least: Math.ceil(left.w / 2) + Math.ceil(right.w / 2) + gap });
  };
  for (const layer of layers) {
    let lastNode: Vertex | null = null;
    for (const [i, vertex] of layer.entries()) {
      const before = layer[i - 1];
      if (before !== undefined) add(before, vertex);
      if (vertex.node === null) continue;
      if (lastNode !== null && lastNode !== before) add(lastNode, vertex);
      lastNode = vertex;
    }
  }
  return pairs;
}
