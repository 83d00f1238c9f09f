import type { CovenantFacility } from '../../../data/contract/payloads/issuer/facility.ts';
import type { Cpx } from '../geometry/rect.ts';
import { type Chart, emptyChart, figureTable } from './chart.ts';
import { ratioPercentText, ratioText } from './figures.ts';
import { datedPlot, zeroScale } from './plotFrame.ts';

/** A facility as one slice says it (R11); only the members the chart reads. */
export type FacilityDay = { readonly source_date: string } & Pick<
  CovenantFacility,
  'ltv' | 'live_ltv' | 'trigger_ltv' | 'trigger_kind' | 'live_price_fall_to_call'
>;

type Loan = {
  readonly ticker: string;
  /** Its name as filed. */
  readonly facility: string;
  /** Ascending by slice. */
  readonly rows: readonly FacilityDay[];
  readonly width: number;
};

/**
 * Loan-to-value of one facility against its trigger, by slice: live as a line, as filed as steps, the trigger as a
 * dashed step line (V52a). The scale starts at zero; what a slice does not say is a gap. Width in px.
 */
export function loanHistory({ ticker, facility, rows, width }: Loan): Chart {
  const known = rows.filter(({ ltv, live_ltv }) => ltv !== null || live_ltv !== null);
  const last = known.at(-1);
  const share = (value: number | null): string => (value === null ? 'none' : ratioText(value));
  const shared = {
    id: 'loan-history',
    title: `Loan-to-value of ${ticker}, ${facility}`,
    table: figureTable({
      caption: `Loan-to-value of ${facility} by slice`,
      rows,
      columns: [
        { words: 'Slice', of: 'source_date' },
        { figures: 'Live', of: 'live_ltv', as: ratioText },
        { figures: 'As filed', of: 'ltv', as: ratioText },
        { figures: 'Trigger', of: 'trigger_ltv', as: ratioText },
        { figures: 'Fall to the call', of: 'live_price_fall_to_call', as: ratioPercentText },
      ],
    }),
  };
  if (last === undefined || known.length < 2) {
    const words =
      last === undefined
        ? 'No slice says the loan and the value of its coins.'
        : `Loan-to-value ${ratioText(last.live_ltv ?? last.ltv ?? 0)} on ${last.source_date}, trigger ${share(last.trigger_ltv)}. One slice is no history.`;
    return emptyChart(shared, width, {
      finding: `No history of the loan of ${ticker}`,
      sentence: facility,
      words,
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

function draw(rows: readonly FacilityDay[], width: Cpx) {
  const line = (member: 'trigger_ltv' | 'ltv' | 'live_ltv') => ({
    days: rows.map(({ source_date: date, [member]: value }) => ({ date, value })),
    text: ratioText,
  });
  const values = rows.flatMap(({ trigger_ltv, ltv, live_ltv }) => [
    trigger_ltv ?? 0,
    ltv ?? 0,
    live_ltv ?? 0,
  ]);
  const dashed = rows.some(({ trigger_ltv }) => trigger_ltv !== null)
    ? ' Dashed: where the lender may act.'
    : '';
  return datedPlot({
    ...zeroScale(values, { most: 6, least: 0.01, text: ratioText }),
    width,
    lines: [
      {
        ...{ name: 'trigger', isMain: false, isStepped: true, ...line('trigger_ltv') },
        paint: { stroke: 'tier-critical', strokeWidth: 125, dash: [400, 250] },
      },
      {
        ...{ name: 'as filed', isMain: false, isStepped: true, ...line('ltv') },
        paint: { stroke: 'quiet', strokeWidth: 125 },
      },
      {
        ...{ name: 'live', isMain: true, ...line('live_ltv') },
        paint: { stroke: 'text', strokeWidth: 175 },
        dots: { fill: 'text', isLast: true },
      },
    ],
    note: `Loan over pledged coins.${dashed}`,
  });
}
