import type { CovenantFacility } from '../../../data/contract/payloads/issuer/facility.ts';
import type { Cpx } from '../geometry/rect.ts';
import { type Chart, emptyChart, noteLines, sceneOf } from './chart.ts';
import { circle } from './chartPen.ts';
import { endLabelOf, endLabels, endLabelsWidth } from './endLabels.ts';
import { ratioPercentText, ratioText } from './figures.ts';
import { plotHeight, scaleLines, scaleWidth } from './plotFrame.ts';
import { runLine, runsOf, stepped } from './runsOf.ts';
import { linearScale, ticksOf } from './scales.ts';
import { dayNumber, monthAxis, monthTicks } from './timeAxis.ts';

/** A facility as one slice says it (R11); only the members the chart reads. */
export type FacilityDay = { readonly source_date: string } & Pick<
  CovenantFacility,
  'ltv' | 'live_ltv' | 'trigger_ltv' | 'trigger_kind' | 'live_price_fall_to_call'
>;

/**
 * Loan-to-value of one facility against its trigger, by slice: live as a line, as filed as steps, the trigger as a
 * dashed step line (V52a). The scale starts at zero; what a slice does not say is a gap. Width in px.
 */
export function loanHistory({
  ticker,
  facility,
  rows,
  width,
}: {
  ticker: string;
  /** Its name as filed. */
  facility: string;
  /** Ascending by slice. */
  rows: readonly FacilityDay[];
  width: number;
}): Chart {
  const known = rows.filter(({ ltv, live_ltv }) => ltv !== null || live_ltv !== null);
  const last = known.at(-1);
  const share = (value: number | null): string => (value === null ? 'none' : ratioText(value));
  const shared = {
    id: 'loan-history',
    title: `Loan-to-value of ${ticker}, ${facility}`,
    table: {
      caption: `Loan-to-value of ${facility} by slice`,
      columns: [
        { label: 'Slice', align: 'start' as const },
        { label: 'Live', align: 'end' as const },
        { label: 'As filed', align: 'end' as const },
        { label: 'Trigger', align: 'end' as const },
        { label: 'Fall to the call', align: 'end' as const },
      ],
      rows: rows.map(({ source_date, ltv, live_ltv, trigger_ltv, live_price_fall_to_call: fall }) => [
        source_date,
        share(live_ltv),
        share(ltv),
        share(trigger_ltv),
        fall === null ? 'none' : ratioPercentText(fall),
      ]),
    },
  };
  if (last === undefined || known.length < 2) {
    const words =
      last === undefined
        ? 'No slice says the loan and the value of its coins.'
        : `Loan-to-value ${ratioText(last.live_ltv ?? last.ltv ?? 0)} on ${last.source_date}, trigger ${share(last.trigger_ltv)}. One slice is no history.`;
    return emptyChart({
      ...shared,
      finding: `No history of the loan of ${ticker}`,
      sentence: facility,
      words,
      width,
    });
  }
  const value = last.live_ltv ?? last.ltv ?? 0;
  const of = last.live_ltv === null ? 'as filed' : 'at live prices';
  const trigger = last.trigger_ltv;
  const finding =
    trigger === null
      ? `${ticker} stands at ${ratioText(value)}; no trigger is filed`
      : `${ticker} stands at ${ratioText(value)}, ${value >= trigger ? 'through' : 'below'} the trigger of ${ratioText(trigger)}`;
  const fall = last.live_price_fall_to_call;
  return {
    ...shared,
    finding,
    sentence:
      fall === null
        ? `${facility}; ${of} on ${last.source_date}.`
        : `${facility}; a fall of ${ratioPercentText(fall)} from the close of ${last.source_date} reaches the call.`,
    desc: `Loan-to-value ${of} ${ratioText(value)} on ${last.source_date}; trigger ${share(trigger)}. Slices of ${rows[0]?.source_date ?? ''} to ${rows.at(-1)?.source_date ?? ''}.`,
    scene: draw(rows, width * 100),
  };
}

const lines = [
  { member: 'trigger_ltv', name: 'trigger', isMain: false },
  { member: 'ltv', name: 'as filed', isMain: false },
  { member: 'live_ltv', name: 'live', isMain: true },
] as const;

function draw(rows: readonly FacilityDay[], width: Cpx) {
  const values = lines.flatMap(({ member }) =>
    rows.flatMap((row) => (row[member] === null ? [] : [row[member]])),
  );
  const ticks = ticksOf({ from: 0, to: Math.max(...values), most: 6, least: 0.01 });
  const marks = ticks.map((value) => ({
    value,
    text: ratioText(value),
    isThreshold: false,
    isDashed: false,
  }));
  const ends = lines.flatMap(({ member, name, isMain }) =>
    endLabelOf(
      rows.map((row) => ({ date: row.source_date, value: row[member] })),
      { name, isMain, text: ratioText },
    ),
  );
  const left = scaleWidth(marks);
  const right = width - endLabelsWidth(ends) - 1_300;
  const [top, bottom] = [800, 800 + plotHeight(width)];
  const days = rows.map(({ source_date }) => dayNumber(source_date));
  const [from, to] = [Math.min(...days), Math.max(...days)];
  const x = linearScale({ from, to, at: left, end: right });
  const y = linearScale({ from: 0, to: ticks.at(-1) ?? 1, at: bottom, end: top });
  const drawn = lines.flatMap(({ member, isMain }) => {
    const runs = runsOf(rows.map((row) => ({ day: dayNumber(row.source_date), value: row[member] })));
    return runs.flatMap((run) => {
      const points = run.map(({ day, value }) => ({ x: x(day), y: y(value) }));
      if (isMain) return runLine(points, { stroke: 'text', strokeWidth: 175 });
      const isTrigger = member === 'trigger_ltv';
      return runLine(stepped(points), {
        stroke: isTrigger ? 'tier-critical' : 'quiet',
        strokeWidth: 125,
        dash: isTrigger ? [400, 250] : [],
      });
    });
  });
  const main = rows.findLast(({ live_ltv }) => live_ltv !== null);
  const dashed = rows.some(({ trigger_ltv }) => trigger_ltv !== null)
    ? ' Dashed: where the lender may act.'
    : '';
  const note = noteLines(`Loan over pledged coins.${dashed}`, {
    top: bottom + monthAxis.height,
    width,
  });
  return sceneOf({
    width,
    height: note.bottom + 200,
    items: [
      ...monthTicks({ from, to, x, top: bottom, bottom, width, start: left - 300 }),
      ...scaleLines(marks, { y, left, right }),
      ...drawn,
      ...(main?.live_ltv === null || main === undefined
        ? []
        : [
            circle(
              { x: x(dayNumber(main.source_date)), y: y(main.live_ltv), r: 300 },
              { fill: 'text', stroke: 'ground' },
            ),
          ]),
      ...endLabels(
        ends.map((end) => ({ ...end, y: y(end.at) })),
        { x: right + 1_100, top, bottom },
      ),
      ...note.items,
    ],
  });
}
