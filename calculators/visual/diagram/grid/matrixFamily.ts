import type { Cpx } from '../../geometry/rect.ts';
import { edgeEnds, type Layout, shiftedToOrigin } from '../layout.ts';
import type { PlaceInput } from '../nodeBoxes.ts';
import { chooseSlots, type RowBoxes, routeRows } from './routeRows.ts';

/** Cells of one width a column and one height a row, edges in the gutters between them (V18). */
export function matrixFamily({ contract, nodes, labels, settings, steps }: PlaceInput): Layout {
  const { gaps } = settings;
  const columns = placesOf(contract.nodes.map(({ column = 0 }) => column));
  const rowsUsed = placesOf(contract.nodes.map(({ row = 0 }) => row));
  const columnOf = (index: number): number => columns.get(contract.nodes[index]?.column ?? 0) ?? 0;
  const rowOf = (index: number): number => rowsUsed.get(contract.nodes[index]?.row ?? 0) ?? 0;
  const widths = new Array<Cpx>(columns.size).fill(0);
  const heights = new Array<Cpx>(rowsUsed.size).fill(0);
  for (const [index, { w, h }] of nodes.entries()) {
    widths[columnOf(index)] = Math.max(widths[columnOf(index)] ?? 0, w);
    heights[rowOf(index)] = Math.max(heights[rowOf(index)] ?? 0, h);
  }
  const rowsWith = (lefts: readonly Cpx[]): RowBoxes[] =>
    heights.map((_, row) =>
      [...nodes.keys()]
        .filter((index) => rowOf(index) === row)
        .map((index) => ({ index, x: lefts[columnOf(index)] ?? 0, w: widths[columnOf(index)] ?? 0 }))
        .sort((a, b) => a.x - b.x),
    );
  const edges = edgeEnds(contract);
  // first with room for everything, to see how many edges each gutter takes
  const wide = edges.length * gaps.edge + gaps.node;
  const loose = leftsOf(widths, () => wide);
  const passing = edges.map(([from, to]) => {
    const [upper, lower] = rowOf(from) <= rowOf(to) ? [from, to] : [to, from];
    return { upper, lower, rows: [rowOf(upper), rowOf(lower)] as const };
  });
  const centres = nodes.map((_, index) => {
    const column = columnOf(index);
    return (loose[column] ?? 0) + Math.floor((widths[column] ?? 0) / 2);
  });
  const slots = chooseSlots(passing, { rows: rowsWith(loose), centres, gap: gaps.edge, steps });
  const counts = passing.flatMap(({ rows: [first] }, i) =>
    (slots[i] ?? []).map((x, at) => `${first + 1 + at} ${gutterAt(x, { lefts: loose, widths })}`),
  );
  const most = (gutter: number): number =>
    Math.max(0, ...heights.map((_, row) => counts.filter((key) => key === `${row} ${gutter}`).length));
  const lefts = leftsOf(widths, (gutter) => Math.max(gaps.node, (most(gutter) + 1) * gaps.edge));
  const rows = rowsWith(lefts);
  const { boxes, routes } = routeRows({
    rows,
    heights,
    boxHeights: nodes.map((_, index) => heights[rowOf(index)] ?? 0),
    portInsets: nodes.map(({ portInset }) => portInset),
    edges,
    labels,
    gaps,
    steps,
  });
  return shiftedToOrigin({ boxes, routes, lanes: [], ticks: [], marks: [] });
}

function placesOf(numbers: readonly number[]): Map<number, number> {
  const used = [...new Set(numbers)].sort((a, b) => a - b);
  return new Map(used.map((number, place) => [number, place]));
}

function leftsOf(widths: readonly Cpx[], gutter: (after: number) => Cpx): Cpx[] {
  const lefts: Cpx[] = [];
  let x = 0;
  for (const [column, width] of widths.entries()) {
    lefts.push(x);
    x += width + gutter(column);
  }
  return lefts;
}

function gutterAt(x: Cpx, { lefts, widths }: { lefts: readonly Cpx[]; widths: readonly Cpx[] }): number {
  return lefts.findLastIndex((left, column) => x >= left + (widths[column] ?? 0));
}
