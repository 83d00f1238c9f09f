import { compareText } from '../../../../data/contract/values/compareText.ts';
import { dayNumber, isoDay } from '../../../../data/contract/values/instant.ts';
import type { Cpx } from '../../geometry/rect.ts';
import { measureText } from '../../type/measureText.ts';
import { routeRows } from '../grid/routeRows.ts';
import { edgeEnds, extentOf, type Layout, shiftedToOrigin } from '../layout.ts';
import type { PlaceInput } from '../nodeBoxes.ts';

type Bar = { readonly index: number; readonly x: Cpx; readonly w: Cpx; readonly from: Cpx; readonly to: Cpx };

/** Bars from their first day on, as long as they last and at least as wide as their label; rows by first fit (V18). */
export function timelineFamily(input: PlaceInput): Layout {
  let room = roomOf(input.contract);
  for (let pass = 1; ; pass++) {
    const layout = timelineIn(room, input);
    // edges that pass beside the bars and the last label need room too
    const over = extentOf(layout).w - roomOf(input.contract);
    if (over <= 0 || pass === 4) return layout;
    room -= over;
  }
}

function timelineIn(room: Cpx, { contract, nodes, labels, settings, steps }: PlaceInput): Layout {
  const { gaps } = settings;
  const spans = contract.nodes.map(({ start = '1970-01-01', end = start }) => ({
    start: dayNumber(start),
    // the last day counts
    end: dayNumber(end) + 1,
  }));
  const first = Math.min(...spans.map(({ start }) => start));
  const last = Math.max(...spans.map(({ end }) => end));
  const width = dayWidth(spans, { first, last, room, widths: nodes.map(({ w }) => w) });
  const at = (day: number): Cpx => Math.floor(((day - first) * width) / 1000);
  const bars = spans.map(({ start, end }, index): Bar => {
    const [from, to] = [at(start), at(end)];
    return { index, x: from, w: Math.max(to - from, nodes[index]?.w ?? 0), from, to };
  });
  const rows = firstFit(bars, { gap: gaps.node, ids: contract.nodes.map(({ id }) => id) });
  steps.taken += bars.length * rows.length;
  const heights = rows.map((row) => Math.max(...row.map(({ index }) => nodes[index]?.h ?? 0)));
  const { boxes, routes } = routeRows({
    rows,
    heights,
    boxHeights: nodes.map(({ h }) => h),
    portInsets: nodes.map(({ portInset }) => portInset),
    edges: edgeEnds(contract),
    labels,
    gaps,
    steps,
  });
  const widest = measureText('2026-00-00', settings.quiet) + 2 * gaps.edge;
  const ticks = axisDays(first, last - 1, Math.max(1, Math.floor(at(last) / widest))).map(
    ({ day, label }) => ({
      at: at(day),
      label,
    }),
  );
  const right = Math.max(...bars.map(({ x, w }) => x + w));
  const marks = bars.map(({ index, from, to }) => ({ node: index, from, to }));
  return shiftedToOrigin({
    boxes,
    routes,
    lanes: [],
    ticks: ticks.filter((tick) => tick.at + widest <= right),
    marks,
  });
}

const roomOf = ({ viewport_policy: { width, margin } }: PlaceInput['contract']): Cpx =>
  // half a line on either side
  Math.max(10_000, 100 * (width - 2 * margin) - 400);

/** Thousandths of a hundredth of a px for a day, so that every bar ends within the room where that is possible. */
function dayWidth(
  spans: readonly { start: number; end: number }[],
  { first, last, room, widths }: { first: number; last: number; room: Cpx; widths: readonly Cpx[] },
): number {
  let width = Math.floor((1000 * room) / (last - first));
  for (const [index, { start }] of spans.entries())
    if (start > first)
      width = Math.min(width, Math.floor((1000 * (room - (widths[index] ?? 0))) / (start - first)));
  return Math.max(1, width);
}

function firstFit(bars: readonly Bar[], { gap, ids }: { gap: Cpx; ids: readonly string[] }): Bar[][] {
  const rows: Bar[][] = [];
  const ordered = bars.toSorted((a, b) => a.x - b.x || compareText(ids[a.index] ?? '', ids[b.index] ?? ''));
  for (const bar of ordered) {
    const row = rows.find((others) => {
      const before = others.at(-1);
      return before === undefined || before.x + before.w + gap <= bar.x;
    });
    if (row === undefined) rows.push([bar]);
    else row.push(bar);
  }
  return rows;
}

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const dayUnits = [1, 2, 7, 14] as const;
const monthUnits = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12_000] as const;

/**
 * Days an axis names between two days: the finest of days, weeks, months and years of which there are at most `most`.
 * Months begin on their first day; a label is as short as its unit allows.
 */
export function axisDays(first: number, last: number, most: number): { day: number; label: string }[] {
  for (const unit of dayUnits)
    if (Math.floor((last - first) / unit) + 1 <= most)
      return Array.from({ length: Math.floor((last - first) / unit) + 1 }, (_, i) => {
        const day = first + i * unit;
        return { day, label: isoDay(day) };
      });
  const months = (day: number) => {
    const [year = 0, month = 1] = isoDay(day).split('-').map(Number);
    return 12 * year + month - 1;
  };
  for (const unit of monthUnits) {
    const from = Math.ceil((months(first) + (isoDay(first).endsWith('-01') ? 0 : 1)) / unit);
    const to = Math.floor(months(last) / unit);
    if (to - from + 1 > most) continue;
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => axisMonth((from + i) * unit, unit));
  }
  return [];
}

function axisMonth(month: number, unit: number): { day: number; label: string } {
  const year = String(Math.floor(month / 12)).padStart(4, '0');
  const day = dayNumber(`${year}-${String((month % 12) + 1).padStart(2, '0')}-01`);
  return { day, label: unit >= 12 ? year : `${monthNames[month % 12]} ${year}` };
}
