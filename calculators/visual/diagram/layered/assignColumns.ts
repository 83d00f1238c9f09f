import type { Cpx } from '../../geometry/rect.ts';
import type { Steps } from '../layout.ts';
import { topologicalOrder } from './assignRanks.ts';
import { type LayeredInput, type Link, spacingPairs, type Vertex } from './layeredGraph.ts';

/**
 * Centres of all vertices: four alignments, each compacted, brought to the narrowest one; the mean of the two middle
 * ones keeps every least distance (V17). Returns the borders of the lanes.
 */
export function assignColumns(
  layers: readonly (readonly Vertex[])[],
  { spacing, steps }: { spacing: Pick<LayeredInput, 'gaps' | 'lanes' | 'laneInset'>; steps: Steps },
): number[] {
  const conflicts = conflictsOf(layers, steps);
  const vertices = layers.flat();
  const found = directions.map((direction) => {
    const blocks = alignBlocks(layers, { ...direction, conflicts, steps });
    const columns = compactBlocks(layers, { blocks, left: direction.left, spacing, steps });
    return { columns, left: direction.left, ...extent(vertices, columns) };
  });
  const narrowest = found.reduce((a, b) => (b.high - b.low < a.high - a.low ? b : a));
  const shifted = found.map(({ columns, left, low, high }) => ({
    ...columns,
    by: left ? narrowest.low - low : narrowest.high - high,
  }));
  const middle = (at: (columns: (typeof shifted)[number]) => number): number => {
    const [, low = 0, high = 0] = shifted.map((columns) => at(columns) + columns.by).sort((a, b) => a - b);
    return Math.floor((low + high) / 2);
  };
  for (const vertex of vertices) vertex.x = middle(({ x }) => x[vertex.index] ?? 0);
  return Array.from(narrowest.columns.borders, (_, k) => middle(({ borders }) => borders[k] ?? 0));
}

function extent(vertices: readonly Vertex[], { x, borders }: Columns): { low: number; high: number } {
  let [low, high] = [Infinity, -Infinity];
  for (const { index, w } of vertices) {
    const [centre, half] = [x[index] ?? 0, Math.ceil(w / 2)];
    low = Math.min(low, centre - half);
    high = Math.max(high, centre + half);
  }
  for (const border of borders) {
    low = Math.min(low, border);
    high = Math.max(high, border);
  }
  return { low, high };
}

/** Centres by vertex index, and the borders of the lanes. */
type Columns = { readonly x: Int32Array; readonly borders: Int32Array };

type Constraint = { readonly other: number; readonly least: Cpx };
type Constraints = { readonly before: Constraint[][]; readonly after: Constraint[][] };
type Spacing = Pick<LayeredInput, 'gaps' | 'lanes' | 'laneInset'>;

/**
 * Packs blocks to one side over a graph of least distances that holds the borders of the lanes too (V17); blocks that
 * nothing holds on that side move up to what they stand beside.
 */
function compactBlocks(
  layers: readonly (readonly Vertex[])[],
  { blocks, left, spacing, steps }: { blocks: Blocks; left: boolean; spacing: Spacing; steps: Steps },
): Columns {
  const vertices = layers.flat();
  const count = vertices.length;
  const borderCount = spacing.lanes.length === 0 ? 0 : spacing.lanes.length + 1;
  const constraints = constraintsOf(layers, { blocks, spacing, size: count + borderCount });
  const order = topologicalOrder(count + borderCount, (at) =>
    (constraints.after[at] ?? []).map(({ other }) => other),
  );
  for (const at of order) steps.taken += constraints.after[at]?.length ?? 0;
  const place = left ? packed(order, constraints, 1) : packed(order.toReversed(), reversed(constraints), -1);
  const x = new Int32Array(count);
  for (const { index } of vertices)
    x[index] = (place[blocks.root[index] ?? index] ?? 0) + (blocks.offset[index] ?? 0);
  return { x, borders: Int32Array.from({ length: borderCount }, (_, k) => place[count + k] ?? 0) };
}

function constraintsOf(
  layers: readonly (readonly Vertex[])[],
  { blocks: { root, offset }, spacing, size }: { blocks: Blocks; spacing: Spacing; size: number },
): Constraints {
  const before: Constraint[][] = Array.from({ length: size }, () => []);
  const after: Constraint[][] = Array.from({ length: size }, () => []);
  const add = (from: number, to: number, least: Cpx): void => {
    after[from]?.push({ other: to, least });
    before[to]?.push({ other: from, least });
  };
  const rootOf = ({ index }: Vertex) => root[index] ?? index;
  const offsetOf = ({ index }: Vertex) => offset[index] ?? 0;
  for (const { left, right, least } of spacingPairs(layers, spacing.gaps))
    add(rootOf(left), rootOf(right), least + offsetOf(left) - offsetOf(right));
  if (spacing.lanes.length === 0) return { before, after };
  const firstBorder = root.length;
  for (const vertex of layers.flat()) {
    const half = Math.ceil(vertex.w / 2) + spacing.laneInset;
    add(firstBorder + vertex.lane, rootOf(vertex), half - offsetOf(vertex));
    add(rootOf(vertex), firstBorder + vertex.lane + 1, half + offsetOf(vertex));
  }
  for (const [lane, least] of spacing.lanes.entries()) add(firstBorder + lane, firstBorder + lane + 1, least);
  return { before, after };
}

const reversed = ({ before, after }: Constraints): Constraints => ({ before: after, after: before });

/** Longest paths in the direction of `sign`, then what has no constraint behind it moves forward. */
function packed(order: readonly number[], { before, after }: Constraints, sign: 1 | -1): Float64Array {
  const place = new Float64Array(before.length);
  for (const at of order) {
    let most = -Infinity;
    for (const { other, least } of before[at] ?? [])
      most = Math.max(most, sign * (place[other] ?? 0) + least);
    place[at] = most === -Infinity ? 0 : sign * most;
  }
  for (const at of order.toReversed()) {
    if (before[at]?.length !== 0) continue;
    let most = Infinity;
    for (const { other, least } of after[at] ?? []) most = Math.min(most, sign * (place[other] ?? 0) - least);
    if (most !== Infinity) place[at] = sign * most;
  }
  return place;
}

/** Vertices that share an x: for each its block's first vertex, and its offset from it; by vertex index. */
type Blocks = { readonly root: Int32Array; readonly offset: Int32Array };

type Direction = { readonly down: boolean; readonly left: boolean };

/** The four ways to align: each rank with the one above or below, from the left or the right. */
const directions: readonly Direction[] = [
  { down: true, left: true },
  { down: true, left: false },
  { down: false, left: true },
  { down: false, left: false },
];

/**
 * Aligns every vertex with a median neighbour so that the ports of their link lie one above the other, after Brandes
 * and Köpf (2002): long edges stay straight, and no aligned links cross.
 */
function alignBlocks(
  layers: readonly (readonly Vertex[])[],
  {
    down,
    left,
    conflicts,
    steps,
  }: Direction & { readonly conflicts: ReadonlySet<Link>; readonly steps: Steps },
): Blocks {
  let count = 0;
  for (const layer of layers) count += layer.length;
  const root = Int32Array.from({ length: count }, (_, index) => index);
  const offset = new Int32Array(count);
  const taken = new Uint8Array(count);
  for (const layer of down ? layers : layers.toReversed()) {
    let bound = left ? -1 : Infinity;
    for (const vertex of left ? layer : layer.toReversed()) {
      for (const link of medianLinks(vertex, { down, left })) {
        steps.taken++;
        const other = down ? link.upper : link.lower;
        if (conflicts.has(link) || other.lane !== vertex.lane || taken[other.index] === 1) continue;
        if (left ? other.position <= bound : other.position >= bound) continue;
        root[vertex.index] = root[other.index] ?? other.index;
        const shift = down ? link.upperPort - link.lowerPort : link.lowerPort - link.upperPort;
        offset[vertex.index] = (offset[other.index] ?? 0) + shift;
        taken[other.index] = 1;
        bound = other.position;
        break;
      }
    }
  }
  return { root, offset };
}

function medianLinks(vertex: Vertex, { down, left }: Direction): Link[] {
  const links = down
    ? vertex.incoming.toSorted((a, b) => a.upper.position - b.upper.position || a.upperPort - b.upperPort)
    : vertex.outgoing.toSorted((a, b) => a.lower.position - b.lower.position || a.lowerPort - b.lowerPort);
  const middle = (links.length - 1) / 2;
  const medians = links.slice(Math.max(0, Math.floor(middle)), Math.ceil(middle) + 1);
  return left ? medians : medians.reverse();
}

/** Links that cross an inner part of a long edge: they give way, so that long edges stay straight. */
function conflictsOf(layers: readonly (readonly Vertex[])[], steps: Steps): Set<Link> {
  const conflicts = new Set<Link>();
  for (const layer of layers.slice(1)) {
    let low: Cpx = -1;
    let waiting: Vertex[] = [];
    const close = (high: number): void => {
      for (const { incoming } of waiting)
        for (const link of incoming) {
          steps.taken++;
          const at = link.upper.position;
          if ((at < low || at > high) && !isInner(link)) conflicts.add(link);
        }
      waiting = [];
    };
    for (const vertex of layer) {
      waiting.push(vertex);
      const inner = vertex.incoming.find(isInner);
      if (inner === undefined) continue;
      close(inner.upper.position);
      low = inner.upper.position;
    }
    close(Infinity);
  }
  return conflicts;
}

const isInner = ({ upper, lower }: Link): boolean => upper.node === null && lower.node === null;
