import type { VisualContract } from '../../../../data/contract/visual/visualContract.ts';
import { cleanText } from '../../type/measureText.ts';
import { edgeEnds, pointsUp, type Steps } from '../layout.ts';
import type { DownEdge, LayeredInput } from './layeredGraph.ts';

type RankInput = {
  readonly nodes: readonly Pick<LayeredInput['nodes'][number], 'rank'>[];
  readonly edges: readonly (Pick<LayeredInput['edges'][number], 'from' | 'to' | 'kind'> & {
    readonly label: unknown;
  })[];
};

/** Turns edges down and gives every node its rank (V17, steps 1 and 2). */
export function assignRanks(
  input: RankInput,
  steps: Steps,
): { readonly down: readonly DownEdge[]; readonly ranks: readonly number[] } {
  const down = orientEdges(input);
  const ranks = networkSimplex({
    pins: input.nodes.map(({ rank }) => rank),
    // a label stands in a rank of its own
    arcs: down.map(({ edge, upper, lower }) => ({
      tail: upper,
      head: lower,
      length: input.edges[edge]?.label === null ? 1 : 2,
      weight: 1,
    })),
    steps,
  });
  return { down, ranks };
}

/** How many ranks the edges of a contract pass together: what its layout works on, known before it starts (V70). */
export function passedRanks(contract: VisualContract): number {
  const { nodes, edges, labels } = contract;
  const ends = edgeEnds(contract);
  const noted = new Set(labels.filter(({ text }) => cleanText(text) !== '').map(({ anchor }) => anchor));
  const { down, ranks } = assignRanks(
    {
      nodes: nodes.map(({ rank = null }) => ({ rank })),
      edges: edges.map(({ id, kind, label = '' }, index) => ({
        from: ends[index]?.[0] ?? 0,
        to: ends[index]?.[1] ?? 0,
        kind,
        label: cleanText(label) === '' && (id === undefined || !noted.has(id)) ? null : label,
      })),
    },
    { taken: 0 },
  );
  return down.reduce(
    (sum, { upper, lower }) => sum + Math.max(0, (ranks[lower] ?? 0) - (ranks[upper] ?? 0) - 1),
    0,
  );
}

/**
 * Turns edges until all run down: those of kind feedback, those whose pinned ranks ask for it, and of each cycle that
 * is left the edge that closes it, depth first in input order (V17).
 */
function orientEdges({ nodes, edges }: RankInput): DownEdge[] {
  const oriented = edges.map(({ from, to, kind }, edge): DownEdge => {
    const turned = pointsUp({ kind, above: nodes[from]?.rank ?? null, below: nodes[to]?.rank ?? null });
    return turned ? { edge, upper: to, lower: from, turned } : { edge, upper: from, lower: to, turned };
  });
  breakCycles(nodes.length, oriented);
  return oriented;
}

function breakCycles(count: number, edges: readonly DownEdge[]): void {
  const leaving: DownEdge[][] = Array.from({ length: count }, () => []);
  for (const edge of edges) leaving[edge.upper]?.push(edge);
  const closing = closingEdges(
    leaving.keys(),
    (node) => leaving[node],
    ({ lower }) => lower,
  );
  for (const edge of closing) {
    [edge.upper, edge.lower] = [edge.lower, edge.upper];
    edge.turned = !edge.turned;
  }
}

/** The edges that close a cycle, depth first in the order given, self-loops among them. */
export function* closingEdges<Node, Edge>(
  starts: Iterable<Node>,
  leaving: (node: Node) => readonly Edge[] | undefined,
  headOf: (edge: Edge) => Node,
): Generator<Edge> {
  const state = new Map<Node, 'open' | 'done'>();
  for (const start of starts) {
    if (state.has(start)) continue;
    state.set(start, 'open');
    const path = [{ node: start, next: 0 }];
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const edge = leaving(visit.node)?.[visit.next++];
      if (edge === undefined) {
        state.set(visit.node, 'done');
        path.pop();
        continue;
      }
      const head = headOf(edge);
      if (state.get(head) === 'open') yield edge;
      else if (!state.has(head)) {
        state.set(head, 'open');
        path.push({ node: head, next: 0 });
      }
    }
  }
}

export type Arc = {
  readonly tail: number;
  readonly head: number;
  readonly length: number;
  readonly weight: number;
};
type Graph = {
  readonly count: number;
  readonly arcs: readonly Arc[];
  readonly incident: readonly number[][];
};

// a pinned rank is an arc from the anchor that costs more than any other wish
const pinWeight = 1000;

type Pinned = {
  readonly pins: readonly (number | null)[];
  readonly arcs: readonly Arc[];
  readonly steps: Steps;
};

/**
 * Ranks from 0 on with the least sum of weight × span, each arc spanning at least its length: network simplex after
 * Gansner, Koutsofios, North and Vo (1993). A pin is the rank a node must not lie above and leaves only when the
 * arcs force it. The arcs have no cycle.
 */
export function networkSimplex({ pins, arcs: given, steps }: Pinned): number[] {
  const anchor = pins.length;
  const graph = anchored(pins, given);
  const ranks = longestPaths(graph);
  const inTree = tightTree({ graph, ranks, anchor, steps });
  // engines stop improving at their budget: four rounds a node (V67)
  for (let round = 0; round < 4 * graph.count; round++)
    if (!exchange({ graph, ranks, inTree, anchor, steps })) break;
  const own = Array.from(ranks.subarray(0, anchor));
  const lowest = Math.min(...own);
  const base = pins.some((pin) => pin !== null) ? Math.min(lowest, ranks[anchor] ?? 0) : lowest;
  return own.map((rank) => rank - base);
}

/** The graph with an anchor that pins hang on, and every source beside them. */
function anchored(pins: readonly (number | null)[], given: readonly Arc[]): Graph {
  const anchor = pins.length;
  const arcs = given.filter(({ tail, head }) => tail !== head);
  const hasIncoming = new Set(arcs.map(({ head }) => head));
  pins.forEach((pin, head) => {
    if (pin !== null) arcs.push({ tail: anchor, head, length: pin, weight: pinWeight });
    else if (!hasIncoming.has(head)) arcs.push({ tail: anchor, head, length: 0, weight: 0 });
  });
  const incident: number[][] = Array.from({ length: anchor + 1 }, () => []);
  arcs.forEach(({ tail, head }, index) => {
    incident[tail]?.push(index);
    incident[head]?.push(index);
  });
  return { count: anchor + 1, arcs, incident };
}

function longestPaths({ count, arcs, incident }: Graph): Int32Array {
  const ranks = new Int32Array(count);
  const leaving = (node: number): Arc[] =>
    (incident[node] ?? []).flatMap((index) => (arcs[index]?.tail === node ? [arcs[index]] : []));
  for (const node of topologicalOrder(count, (at) => leaving(at).map(({ head }) => head)))
    for (const { head, length } of leaving(node))
      ranks[head] = Math.max(ranks[head] ?? 0, (ranks[node] ?? 0) + length);
  return ranks;
}

/** Nodes from 0 on so that each stands before those it leads to. */
export function topologicalOrder(count: number, after: (node: number) => Iterable<number>): number[] {
  const waiting = new Int32Array(count);
  for (let node = 0; node < count; node++)
    for (const next of after(node)) waiting[next] = (waiting[next] ?? 0) + 1;
  const order = [...waiting.keys()].filter((node) => waiting[node] === 0);
  // what is added is met by the iteration
  for (const node of order)
    for (const next of after(node)) {
      const left = (waiting[next] ?? 0) - 1;
      waiting[next] = left;
      if (left === 0) order.push(next);
    }
  return order;
}

const slackOf = (ranks: Int32Array, { tail, head, length }: Arc): number =>
  (ranks[head] ?? 0) - (ranks[tail] ?? 0) - length;

type State = {
  readonly graph: Graph;
  readonly ranks: Int32Array;
  readonly anchor: number;
  readonly steps: Steps;
};

/** Moves ranks until a tree of arcs without slack spans the graph; returns which arcs are of it. */
function tightTree({ graph: { count, arcs, incident }, ranks, anchor, steps }: State): Uint8Array {
  for (;;) {
    const inTree = new Uint8Array(arcs.length);
    const reached = new Uint8Array(count);
    reached[anchor] = 1;
    const open = [anchor];
    let size = 1;
    for (let node = open.pop(); node !== undefined; node = open.pop())
      for (const index of incident[node] ?? []) {
        steps.taken++;
        const arc = arcs[index];
        if (arc === undefined || slackOf(ranks, arc) !== 0) continue;
        const other = arc.tail === node ? arc.head : arc.tail;
        if (reached[other] === 1) continue;
        reached[other] = 1;
        inTree[index] = 1;
        size++;
        open.push(other);
      }
    if (size === count) return inTree;
    let least: Arc | null = null;
    for (const arc of arcs) {
      steps.taken++;
      if (reached[arc.tail] === reached[arc.head]) continue;
      if (least === null || slackOf(ranks, arc) < slackOf(ranks, least)) least = arc;
    }
    if (least === null) return inTree;
    const shift = reached[least.head] === 1 ? -slackOf(ranks, least) : slackOf(ranks, least);
    for (let node = 0; node < count; node++)
      if (reached[node] === 1) ranks[node] = (ranks[node] ?? 0) + shift;
  }
}

/** Exchanges the tree arc of the most negative cut value; false when none is negative and the ranks are best. */
function exchange({ graph, ranks, inTree, anchor, steps }: State & { readonly inTree: Uint8Array }): boolean {
  const { arcs } = graph;
  const { low, high, child, balance } = walkTree({ graph, inTree, anchor, steps });
  let leaving = -1;
  let worst = 0;
  for (let index = 0; index < arcs.length; index++) {
    const below = child[index] ?? -1;
    if (inTree[index] === 0 || below < 0) continue;
    // what leaves the subtree less what enters it, seen from the direction of the arc
    const cut = arcs[index]?.tail === below ? (balance[below] ?? 0) : -(balance[below] ?? 0);
    if (cut < worst) [leaving, worst] = [index, cut];
  }
  const out = arcs[leaving];
  if (out === undefined) return false;
  const below = child[leaving] ?? 0;
  const [from, to] = [low[below] ?? 0, high[below] ?? 0];
  const inside = (node: number): boolean => from <= (high[node] ?? 0) && (high[node] ?? 0) <= to;
  const tailInside = out.tail === below;
  let entering = -1;
  let slack = Infinity;
  for (let index = 0; index < arcs.length; index++) {
    steps.taken++;
    const arc = arcs[index];
    if (arc === undefined || inTree[index] === 1 || inside(arc.tail) === inside(arc.head)) continue;
    if (inside(arc.tail) === tailInside || slackOf(ranks, arc) >= slack) continue;
    [entering, slack] = [index, slackOf(ranks, arc)];
  }
  if (entering < 0) return false;
  const shift = tailInside ? -slack : slack;
  for (let node = 0; node < graph.count; node++) if (inside(node)) ranks[node] = (ranks[node] ?? 0) + shift;
  inTree[leaving] = 0;
  inTree[entering] = 1;
  return true;
}

/** Postorder numbers of the tree, the lower end of each tree arc, and weights out less weights in of each subtree. */
function walkTree({
  graph: { count, arcs, incident },
  inTree,
  anchor,
  steps,
}: Omit<State, 'ranks'> & { readonly inTree: Uint8Array }) {
  const [low, high] = [new Int32Array(count), new Int32Array(count)];
  const child = new Int32Array(arcs.length).fill(-1);
  const parent = new Int32Array(count).fill(-1);
  const balance = new Float64Array(count);
  for (const { tail, head, weight } of arcs) {
    balance[tail] = (balance[tail] ?? 0) + weight;
    balance[head] = (balance[head] ?? 0) - weight;
  }
  let number = 1;
  low[anchor] = number;
  const path = [{ node: anchor, next: 0, by: -1 }];
  for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
    const index = incident[visit.node]?.[visit.next++];
    if (index === undefined) {
      high[visit.node] = number++;
      const above = parent[visit.node] ?? -1;
      if (above >= 0) balance[above] = (balance[above] ?? 0) + (balance[visit.node] ?? 0);
      path.pop();
      continue;
    }
    steps.taken++;
    const arc = arcs[index];
    if (arc === undefined || inTree[index] === 0 || index === visit.by) continue;
    const node = arc.tail === visit.node ? arc.head : arc.tail;
    child[index] = node;
    parent[node] = visit.node;
    low[node] = number;
    path.push({ node, next: 0, by: index });
  }
  return { low, high, child, balance };
}
