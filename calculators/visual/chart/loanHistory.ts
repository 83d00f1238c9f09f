import type { CovenantFacility } from '../../../data/contract/payloads/issuer/facility.ts';
import type { Cpx } from '../geometry/rect.ts';
import { type Chart, column, emptyChart } from './chart.ts';
import { circle } from './chartPen.ts';
import { endLabelOf } from './endLabels.ts';
import { ratioPercentText, ratioText } from './figures.ts';
import { datedPlot } from './plotFrame.ts';
import { runLine, runsOf, stepped } from './runsOf.ts';
import { linearScale, ticksOf } from './scales.ts';
import { dayNumber } from './timeAxis.ts';

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
        column.words('Slice'),
        column.figures('Live'),
        column.figures('As filed'),
        column.figures('Trigger'),
        column.figures('Fall to the call'),
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
  const ends = lines.flatMap(({ member, name, isMain }) =>
    endLabelOf(
      rows.map((row) => ({ date: row.source_date, value: row[member] })),
      { name, isMain, text: ratioText },
    ),
  );
  const main = rows.findLast(({ live_ltv }) => live_ltv !== null);
  const dashed = rows.some(({ trigger_ltv }) => trigger_ltv !== null)
    ? ' Dashed: where the lender may act.'
    : '';
  return datedPlot({
    days: rows.map(({ source_date }) => dayNumber(source_date)),
    scale: (place) => linearScale({ from: 0, to: ticks.at(-1) ?? 1, ...place }),
    marks: ticks.map((value) => ({ value, text: ratioText(value) })),
    ends,
    width,
    lines: ({ x, y }) => {
      const drawn = lines.flatMap(({ member, isMain }) => {
        const runs = runsOf(rows.map((row) => ({ day: dayNumber(row.source_date), value: row[member] })));
        return runs.flatMap((run) => {
          const points = run.map(({ day, value }) => ({ x: x(day), y: y(value) }));
          if (isMain) return runLine(points, { stroke: 'text', strokeWidth: 175 });
          return runLine(stepped(points), {
            strokeWidth: 125,
            ...(member === 'trigger_ltv'
              ? { stroke: 'tier-critical', dash: [400, 250] }
              : { stroke: 'quiet', dash: [] }),
          });
        });
      });
      if (main === undefined || main.live_ltv === null) return drawn;
      const end = { x: x(dayNumber(main.source_date)), y: y(main.live_ltv), r: 300 };
      return [...drawn, circle(end, { fill: 'text', stroke: 'ground' })];
    },
    note: `Loan over pledged coins.${dashed}`,
  });
}
