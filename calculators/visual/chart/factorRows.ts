import type { PerpFactorRow } from '../../../data/contract/payloads/market/perpFactors.ts';
import { dayNumber } from '../../../data/contract/values/instant.ts';
import { type Chart, emptyChart, figureTable, findingOn, madeUp } from './chart.ts';
import { countText, fixed, ratioPercentText, ratioText, signedText, usdText } from './figures.ts';
import { lineRows } from './lineRows.ts';
import { endsOf } from './runsOf.ts';

export type FactorBucket = Pick<PerpFactorRow, 'observed_bucket_utc' | 'factors' | 'z_scores'>;
/** A factor of the registry (M8.4). */
export type ShownFactor = { readonly id: string; readonly unit: string };
/** A row of the threshold contract (M8.15). */
export type FactorThreshold = {
  readonly metric: string;
  readonly operator: string;
  readonly threshold: number;
};

type Factors = {
  readonly product: string;
  /** Ascending by bucket. */
  readonly buckets: readonly FactorBucket[];
  readonly factors: readonly ShownFactor[];
  readonly thresholds: readonly FactorThreshold[];
  /** Which level a factor without values lacks, by its id. */
  readonly missing: Readonly<Record<string, string>>;
  /** True where a bucket rests on made-up observations (flag `synthetic`). */
  readonly isMadeUp: boolean;
  readonly width: number;
};

/** Factors of one product, a row each on its own scale with the thresholds of the contract (V52). Width in px. */
export function factorRows(given: Factors): Chart {
  const { product, buckets, factors, thresholds, missing, isMadeUp, width } = given;
  const last = buckets.at(-1);
  const read = factors.map(({ id, unit }) => ({
    id,
    unit,
    value: last?.factors[id] ?? null,
    z: last?.z_scores[id] ?? null,
    known: buckets.flatMap(({ factors: all }) => (typeof all[id] === 'number' ? [all[id]] : [])),
    crossed: thresholds.filter(({ metric }) => metric === id),
  }));
  const text = (value: number | null, factor: ShownFactor): string =>
    value === null ? 'none' : factorText(value, factor);
  const date = last?.observed_bucket_utc.slice(0, 10) ?? '';
  const source = isMadeUp ? `, of ${madeUp.observations}` : '';
  const shared = {
    id: 'factor-rows',
    title: `Factors of ${product}`,
    table: figureTable({
      caption: `Factors of ${product} on ${date}${source}`,
      rows: read,
      columns: [
        { words: 'Factor', of: 'id' },
        { words: 'Unit', of: 'unit' },
        { figures: 'Value', of: (one) => text(one.value, one) },
        { figures: 'z', of: 'z', as: signedText },
        { figures: 'Lowest', of: (one) => text(endsOf(one.known)?.low ?? null, one) },
        { figures: 'Highest', of: (one) => text(endsOf(one.known)?.high ?? null, one) },
      ],
    }),
  };
  if (last === undefined || read.length === 0)
    return emptyChart(shared, width, {
      finding: `No factors of ${product}`,
      sentence: 'Factors need observations.',
      words: `No bucket of ${product} is stored.`,
    });
  const passed = read.filter(
    ({ value, crossed }) => value !== null && crossed.some((one) => passes(value, one)),
  );
  return {
    ...shared,
    finding: findingOn(
      passed.length === 0
        ? `${product} passes no threshold`
        : `${product} passes ${countText(passed.length)} of ${countText(thresholds.length)} thresholds`,
      isMadeUp,
    ),
    sentence:
      passed.length === 0
        ? `Factors on ${date}${source}.`
        : `On ${date}${source}: ${passed.map(({ id }) => words(id)).join(', ')}.`,
    desc: `${read
      .map(({ id, unit, value, z }) =>
        value === null
          ? `${words(id)}: ${missing[id] ?? 'no value'}`
          : `${words(id)} ${text(value, { id, unit })}${z === null ? '' : `, z ${signedText(z)}`}`,
      )
      .join('; ')}. Bucket of ${date}${source}.`,
    scene: lineRows({
      width: width * 100,
      plot: 3_000,
      note: `Each row has its own scale. Dashed: a threshold of the contract. Below the value its z-score.${isMadeUp ? ` ${madeUp.note}` : ''}`,
      rows: read.map(({ id, unit, value, z, known, crossed }) => {
        const marks = crossed.flatMap(({ operator, threshold }) =>
          operator === 'abs>=' ? [-threshold, threshold] : [threshold],
        );
        return {
          name: factorName(id, unit).name,
          detail: factorName(id, unit).unit,
          points: buckets.map(({ observed_bucket_utc, factors: all }) => ({
            day: dayNumber(observed_bucket_utc),
            value: all[id] ?? null,
          })),
          domain: domain(known, marks),
          marks,
          end: text(value, { id, unit }),
          endDetail: z === null ? null : `z ${signedText(z)}`,
          empty: missing[id] ?? 'no value',
          extreme: (one: number) => factorText(one, { id, unit }),
        };
      }),
    }),
  };
}

/** The data, and thresholds that lie no further away than the data spans twice. */
function domain(known: readonly number[], marks: readonly number[]): [number, number] | null {
  const ends = endsOf(known);
  if (ends === null) return null;
  const { low, high } = ends;
  const span = high - low || Math.abs(high) || 1;
  const near = marks.filter((mark) => mark >= low - 2 * span && mark <= high + 2 * span);
  const [from, to] = [Math.min(low, ...near), Math.max(high, ...near)];
  return from === to ? [from - span, to + span] : [from, to];
}

const words = (id: string): string => id.replaceAll('_', ' ');

function passes(value: number, { operator, threshold }: FactorThreshold): boolean {
  if (operator === '<=') return value <= threshold;
  return (operator === 'abs>=' ? Math.abs(value) : value) >= threshold;
}

const forms = {
  percent: ratioPercentText,
  usd: usdText,
  bp: (value: number) => fixed(value, 1),
  small: (value: number) => fixed(value, 6),
  signed: signedText,
  ratio: ratioText,
};
type Form = keyof typeof forms;

// names short enough for a column, and how the number reads
const factors: Readonly<Record<string, { name: string; form: Form; unit: string }>> = {
  funding_annualized: { name: 'funding', form: 'percent', unit: 'a year' },
  basis_bps: { name: 'basis', form: 'bp', unit: 'basis points' },
  oi_change_24h: { name: 'open interest', form: 'percent', unit: 'in 24 hours' },
  oi_usd: { name: 'open interest', form: 'usd', unit: 'US dollars' },
  rv_30d: { name: 'volatility', form: 'percent', unit: '30 days' },
  rv_90d: { name: 'volatility', form: 'percent', unit: '90 days' },
  vol_ratio: { name: 'volatility', form: 'ratio', unit: '30 over 90 days' },
  momentum_7d: { name: 'momentum', form: 'signed', unit: 'log, 7 days' },
  momentum_30d: { name: 'momentum', form: 'signed', unit: 'log, 30 days' },
  turnover: { name: 'turnover', form: 'ratio', unit: 'a day' },
  amihud_30d: { name: 'illiquidity', form: 'small', unit: 'per USD million' },
  breadth_count: { name: 'breadth', form: 'ratio', unit: 'by count' },
  n_eff: { name: 'constituents', form: 'ratio', unit: 'effective' },
  liquidation_imbalance: { name: 'liquidations', form: 'signed', unit: 'long to short' },
  pressure: { name: 'pressure', form: 'signed', unit: 'z' },
};
const unitForms: ReadonlyMap<string, Form> = new Map([
  ['USD', 'usd'],
  ['bp', 'bp'],
  ['log return', 'signed'],
]);
const known = (id: string) => (Object.hasOwn(factors, id) ? factors[id] : undefined);

function factorName(id: string, unit: string): { readonly name: string; readonly unit: string } {
  return known(id) ?? { name: id.replaceAll('_', ' '), unit };
}

function factorText(value: number, { id, unit }: ShownFactor): string {
  return forms[known(id)?.form ?? unitForms.get(unit) ?? 'ratio'](value);
}
