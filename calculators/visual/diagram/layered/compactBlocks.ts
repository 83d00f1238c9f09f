import type { Cpx } from '../../geometry/cpx.ts';
import type { Steps } from '../layout.ts';
import type { Blocks } from './alignBlocks.ts';
import type { LayeredInput, Vertex } from './layeredGraph.ts';
import { spacingPairs } from './spacingPairs.ts';

/** Centres by vertex index, and the borders of the lanes. */
export type Columns = { readonly x: Int32Array; readonly borders: Int32Array };

type Constraint = { readonly other: number; readonly least: Cpx };
type Constraints = { readonly before: Constraint[][]; readonly after: Constraint[][] };
type Spacing = Pick<LayeredInput, 'gaps' | 'lanes' | 'laneInset'>;

/**
 * Packs blocks to one side over a graph of least distances that holds the borders of the lanes too (V17); blocks that
 * nothing holds on that side move up to what they stand beside.
 */
export function compactBlocks(
  layers: readonly (readonly Vertex[])[],
  { blocks, left, spacing, steps }: { blocks: Blocks; left: boolean; spacing: Spacing; steps: Steps },
): Columns {
  const vertices = layers.flat();
  const count = vertices.length;
  const borderCount = spacing.lanes.length === 0 ? 0 : spacing.lanes.length + 1;
  const constraints = constraintsOf(layers, { blocks, spacing, size: count + borderCount });
  const order = topologicalOrder(constraints, steps);
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

function topologicalOrder({ before, after }: Constraints, steps: Steps): number[] {
  const waiting = before.map(({ length }) => length);
  const order = [...waiting.keys()].filter((at) => waiting[at] === 0);
  for (let at = 0; at < order.length; at++)
    for (const { other } of after[order[at] ?? 0] ?? []) {
      steps.taken++;
      const left = (waiting[other] ?? 0) - 1;
      waiting[other] = left;
      if (left === 0) order.push(other);
    }
  return order;
}

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
