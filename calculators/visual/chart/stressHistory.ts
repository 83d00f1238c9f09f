import type { CoreHistoryRow } from '../../../data/contract/payloads/issuer/coreHistory.ts';
import { dayNumber } from '../../../data/contract/values/instant.ts';
import type { Cpx } from '../geometry/rect.ts';
import type { SceneItem } from '../scene/scene.ts';
import type { ColourRole } from '../theme/tokens.ts';
import { type Chart, emptyChart, figureTable } from './chart.ts';
import { bar } from './chartPen.ts';
import { ratioText, stressText } from './figures.ts';
import { datedPlot, type ScaleMark } from './plotFrame.ts';
import { logScale, roundMarks, roundSpan, type Scale } from './scales.ts';
import { tierMark } from './tierMark.ts';

/** What the history reads of a slice (R23). */
export type StressDay = Pick<
  CoreHistoryRow,
  | 'source_date'
  | 'stress_50pct'
  | 'risk_tier'
  | 'live_stress_50pct'
  | 'live_risk_tier'
  | 'figures_basis'
  | 'treasury_relevance'
>;
/** A filing of the issuer on the day it was filed: a periodic report by its form, any other by null. */
export type FiledForm = { readonly date: string; readonly label: string | null };

type History = {
  readonly ticker: string;
  /** Ascending by slice. */
  readonly rows: readonly StressDay[];
  readonly filings: readonly FiledForm[];
  readonly bands: StressBands;
  readonly width: number;
};

/**
 * Debt over coins after a fall of 50 percent, by slice (V49): live as a line, of the filing as steps, on a logarithmic
 * axis with the bands of the tiers; filings as ticks below. Days whose figures are unproven and
 * days without coins are gaps. Width in px.
 */
export function stressHistory({ ticker, rows, filings, bands, width }: History): Chart {
  const days = rows.map(dayOf);
  const known = days.filter(({ live, filed }) => live !== null || filed !== null);
  const [newest, last] = [days.at(-1), known.at(-1)];
  const shared = {
    id: 'stress-history',
    title: `Stress of ${ticker}`,
    table: figureTable({
      caption: `Debt over coins of ${ticker} after a fall of 50\u00a0%, by slice`,
      rows: days,
      columns: [
        { words: 'Slice', of: 'date' },
        { figures: 'Live', of: 'live', as: stressText },
        { figures: 'By the filing', of: ({ filed, gap }) => filed ?? gap, as: stressText },
        { words: 'Tier', of: 'tier' },
      ],
    }),
  };
  if (last === undefined || known.length < 2) {
    const words =
      last === undefined
        ? `No slice has a proven stress of ${ticker}.`
        : `${stressText(last.live ?? last.filed ?? 0)} ${last.live === null ? 'by the filing' : 'at live prices'} on ${last.date}. One slice is no history.`;
    return emptyChart(shared, width, {
      finding: `No history of ${ticker}`,
      sentence: 'A line needs two slices.',
      words,
    });
  }
  const lines = (['live', 'filed'] as const).flatMap((kind) => {
    const values = days.flatMap((day) => (day[kind] === null ? [] : [{ date: day.date, value: day[kind] }]));
    const [first, end] = [values[0], values.at(-1)];
    if (first === undefined || end === undefined) return [];
    const all = values.map(({ value }) => value);
    const range = `lowest ${stressText(Math.min(...all))}, highest ${stressText(Math.max(...all))}`;
    const name = kind === 'live' ? 'At live prices' : 'By the filings';
    return `${name} ${stressText(first.value)} on ${first.date}, ${stressText(end.value)} on ${end.date}, ${range}`;
  });
  return {
    ...shared,
    finding: findingOf(ticker, { last, newest }),
    sentence: `Debt over coins after a fall of 50\u00a0%, slices of ${days[0]?.date ?? ''} to ${newest?.date ?? ''}.`,
    desc: `${lines.join('. ')}. Reference covenant ${ratioText(bands.covenant)}.`,
    scene: draw({ days, filings, bands, width: width * 100 }),
  };
}

/** What the newest slice says; where it has no value, that it has none and which was the last. */
function findingOf(ticker: string, { last, newest }: { last: Day; newest: Day | undefined }): string {
  const stress = stressText(last.live ?? last.filed ?? 0);
  if (newest === undefined || newest.gap === null)
    return `${ticker} is ${last.tier} at a stress of ${stress}`;
  const why = newest.gap === 'no coins' ? 'has no coins' : 'has no proven stress';
  return `${ticker} ${why} on ${newest.date}; the last was ${stress} on ${last.date}`;
}

/** Why a day has no value (I2.5a): an amount that no filing proves, or nothing to set against debt. */
type Gap = 'unproven' | 'no coins';

type Day = {
  readonly date: string;
  readonly live: number | null;
  readonly filed: number | null;
  readonly gap: Gap | null;
  readonly tier: CoreHistoryRow['risk_tier'];
};

function dayOf(slice: StressDay): Day {
  const { live_stress_50pct: live, stress_50pct: filed, figures_basis: basis = 'resolved' } = slice;
  // the cap that stands for debt without coins is no ratio (M3.3)
  const gap = basis !== 'resolved' ? 'unproven' : slice.treasury_relevance === 'none' ? 'no coins' : null;
  return {
    date: slice.source_date,
    ...(gap === null ? { live, filed } : { live: null, filed: null }),
    gap,
    tier: live === null ? slice.risk_tier : (slice.live_risk_tier ?? 'UNCLASSIFIED'),
  };
}

type Drawing = { days: readonly Day[]; filings: readonly FiledForm[]; bands: StressBands; width: Cpx };

function draw({ days, filings, bands, width }: Drawing) {
  const values = days.flatMap(({ live, filed }) => [live ?? 0, filed ?? 0]).filter((value) => value > 0);
  const [low, high] = roundSpan([bands.moderate * 0.9, bands.critical, ...values]);
  const marks = scaleMarks({ low, high, bands });
  const line = (kind: 'live' | 'filed') => ({
    days: days.map(({ date, [kind]: value }) => ({ date, value })),
    text: stressText,
  });
  const live = {
    ...line('live'),
    name: 'live',
    isMain: true,
    paint: { stroke: 'text', strokeWidth: 175 },
  } as const;
  const filed = {
    ...{ ...line('filed'), name: 'filing', isMain: false, isStepped: true },
    paint: { stroke: 'quiet', strokeWidth: 125 },
  } as const;
  const numbers = days.map(({ date }) => dayNumber(date));
  const [from, to] = [Math.min(...numbers), Math.max(...numbers)];
  const events = filings
    .map(({ date, label }) => ({ day: dayNumber(date), text: label }))
    .filter(({ day }) => day >= from && day <= to);
  const isCut = days.some(({ live, filed }) => (live ?? low) < low || (filed ?? low) < low);
  return datedPlot({
    lines: [filed, live],
    named: [live, filed],
    scale: (place) => logScale({ from: low, to: high, ...place }),
    marks,
    width,
    beside: 1_300,
    ground: ({ y, left, right }) =>
      tierBandsOf(bands, { from: low, to: high }).map(({ fill, from: least, to: most }) =>
        bar({ x: left, y: y(most), w: right - left, h: y(least) - y(most) }, { fill }),
      ),
    over: (plot) => endMark(days, plot),
    events,
    note: `Dashed: reference covenant ${ratioText(bands.covenant)}. Logarithmic scale${isCut ? `; what is below ${ratioText(low)} stands at its end` : ''}.${events.some(({ text }) => text === null) ? ' Short marks: filings that are no periodic reports.' : ''}`,
  });
}

function scaleMarks({ low, high, bands }: { low: number; high: number; bands: StressBands }): ScaleMark[] {
  const thresholds = [...new Set([bands.moderate, bands.high, bands.covenant, bands.critical])];
  const others = roundMarks({ from: low, to: high }).filter(({ value }) => !thresholds.includes(value));
  return [
    ...thresholds.map((value) => ({
      value,
      text: ratioText(value),
      isThreshold: true,
      isDashed: value === bands.covenant,
    })),
    ...others,
  ].filter(({ value }) => value >= low && value <= high);
}

function endMark(days: readonly Day[], { x, y }: { x: Scale; y: Scale }): SceneItem[] {
  const last = days.findLast(({ live, filed }) => live !== null || filed !== null);
  const value = last === undefined ? null : (last.live ?? last.filed);
  if (last === undefined || value === null) return [];
  const at = { x: x(dayNumber(last.date)), y: y(value) };
  return [tierMark({ tier: last.tier, ...at, r: 560 })];
}

/** Cut-offs of the tiers on stress_50pct (M3.6), and the reference covenant (M3.4). */
export type StressBands = {
  readonly moderate: number;
  readonly high: number;
  readonly critical: number;
  readonly covenant: number;
};

type Band = { readonly fill: ColourRole; readonly from: number; readonly to: number };

/** The ground of each tier between the ends of an axis; a tier without room has none. */
export function tierBandsOf(
  { moderate, high, critical }: StressBands,
  { from, to }: { from: number; to: number },
): Band[] {
  const all: readonly Band[] = [
    { fill: 'band-low', from, to: moderate },
    { fill: 'band-moderate', from: moderate, to: high },
    { fill: 'band-high', from: high, to: critical },
    { fill: 'band-critical', from: critical, to },
  ];
  return all.filter((band) => band.to > band.from);
}
