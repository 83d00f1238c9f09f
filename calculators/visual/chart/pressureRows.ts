import type { PerpFactorRow } from '../../../data/contract/payloads/market/perpFactors.ts';
import type { marketStates } from '../../../data/contract/values/enums.ts';
import { dayNumber } from '../../../data/contract/values/instant.ts';
import { type Chart, emptyChart, figureTable, findingOn, madeUp } from './chart.ts';
import { countText, ratioText, signedText } from './figures.ts';
import { lineRows } from './lineRows.ts';
import { endsOf } from './runsOf.ts';

type MarketState = (typeof marketStates)[number];

/** Pressure of one product: its daily buckets ascending (R14), and the state of the newest with what it lacks (R19). */
export type ProductPressure = {
  readonly product: string;
  readonly buckets: readonly Pick<PerpFactorRow, 'observed_bucket_utc' | 'factors'>[];
  readonly state: MarketState;
  /** Why the state is `insufficient_evidence`; null otherwise. */
  readonly missing: string | null;
  /** True where a bucket rests on made-up observations (flag `synthetic`). */
  readonly isMadeUp: boolean;
};

/** Cut-offs of the states on pressure (M8.10). */
export type PressureBands = {
  readonly balanced: number;
  readonly building: number;
  readonly elevated: number;
  readonly extreme: number;
};

const scale = [-3.5, 4] as const;

type Pressures = {
  readonly products: readonly ProductPressure[];
  readonly bands: PressureBands;
  readonly width: number;
};

/** Pressure of perpetual products, a row each on a shared scale with the bands of the states (V47). Width in px. */
export function pressureRows({ products, bands, width }: Pressures): Chart {
  const read = products.map((product) => {
    const points = product.buckets.map(({ observed_bucket_utc, factors }) => ({
      day: dayNumber(observed_bucket_utc),
      value: factors['pressure'] ?? null,
    }));
    const known = points.flatMap(({ value }) => (value === null ? [] : [value]));
    const newest = points.at(-1)?.value ?? null;
    const date = product.buckets.at(-1)?.observed_bucket_utc.slice(0, 10) ?? null;
    return { ...product, points, newest, range: endsOf(known), date };
  });
  const dates = new Set(read.flatMap(({ newest, date }) => (newest === null || date === null ? [] : [date])));
  const [shared = null] = dates.size === 1 ? dates : [];
  const dated = (date: string | null) => (date === null || date === shared ? '' : ` on ${date}`);
  const table = figureTable({
    caption: `Pressure of perpetual products${shared === null ? '' : ` on ${shared}`}, a robust z-score`,
    unit: 'robust z-score',
    rows: read,
    columns: [
      { words: 'Product', of: 'product' },
      {
        ...{ words: 'State', of: 'state' },
        text: ({ state, missing, isMadeUp }) =>
          `${words(state)}${isMadeUp ? `, ${madeUp.observations}` : ''}${missing === null ? '' : `: ${missing}`}`,
      },
      { of: ({ isMadeUp }) => (isMadeUp ? 'made up' : 'observed'), name: 'observations' },
      {
        ...{ figures: 'Pressure', of: 'newest', name: 'pressure' },
        text: ({ newest, date }) => (newest === null ? 'none' : `${signedText(newest)}${dated(date)}`),
      },
      { of: 'date', name: 'day' },
      { figures: 'Lowest', of: ({ range }) => range?.low ?? null, name: 'lowest', as: signedText },
      { figures: 'Highest', of: ({ range }) => range?.high ?? null, name: 'highest', as: signedText },
    ],
  });
  const head = { id: 'pressure-rows', title: 'Pressure of perpetual products', table };
  if (products.length === 0)
    return emptyChart(head, width, {
      finding: 'No pressure',
      sentence: 'Pressure needs observations of a perpetual contract.',
      words: 'No perpetual product is observed.',
    });
  const names = shortNames(products.map(({ product }) => product));
  return {
    ...head,
    finding: findingOn(
      findingOf(read),
      read.some(({ isMadeUp }) => isMadeUp),
    ),
    sentence:
      'A z-score of carry, positioning and price against the past of each product; it rises when prices fall.',
    desc: `${read
      .map(({ product, state, newest, missing, isMadeUp }) => {
        const source = isMadeUp ? `, ${madeUp.observations}` : '';
        return newest === null
          ? `${product}: ${words(state)}${missing === null ? '' : `, ${missing}`}${source}`
          : `${product} ${signedText(newest)}, ${words(state)}${source}`;
      })
      .join('; ')}.`,
    scene: lineRows({
      width: width * 100,
      plot: 4_400,
      note: `A robust z-score; shaded: relief below ${signedText(bands.balanced)}, building from ${ratioText(bands.building)}, elevated from ${ratioText(bands.elevated)}, extreme from ${ratioText(bands.extreme)}.${read.some(({ isMadeUp }) => isMadeUp) ? ` ${madeUp.note}` : ''}`,
      rows: read.map(({ product, points, newest, state, missing, isMadeUp }, i) => ({
        name: names[i] ?? product,
        detail: isMadeUp ? madeUp.detail : null,
        points,
        domain: scale,
        bands: [
          { from: scale[0], to: bands.balanced, fill: 'band-low' },
          { from: bands.building, to: bands.elevated, fill: 'band-moderate' },
          { from: bands.elevated, to: bands.extreme, fill: 'band-high' },
          { from: bands.extreme, to: scale[1], fill: 'band-critical' },
        ],
        marks: [0],
        end: newest === null ? 'no value' : signedText(newest),
        endDetail: state === 'insufficient_evidence' ? 'no state' : words(state),
        empty: missing === null ? 'insufficient evidence' : `insufficient evidence: ${missing}`,
        extreme: signedText,
      })),
    }),
  };
}

/** Names by their part before the first hyphen where no two share it; the table has them in full. */
function shortNames(products: readonly string[]): readonly string[] {
  const first = products.map((product) => product.split('-')[0] ?? product);
  return new Set(first).size === first.length && !first.includes('') ? first : products;
}

const words = (state: MarketState): string => state.replaceAll('_', ' ');

function findingOf(all: readonly Pick<ProductPressure, 'product' | 'state'>[]): string {
  const named = (...states: MarketState[]) =>
    all.filter(({ state }) => states.includes(state)).map(({ product }) => product);
  const [tense, building] = [named('elevated', 'extreme'), named('building')];
  const [first] = tense;
  if (first !== undefined)
    return tense.length === 1
      ? `${first} is under pressure`
      : `${countText(tense.length)} products are under pressure`;
  if (named('insufficient_evidence').length === all.length) return 'Too little evidence to read pressure';
  const [growing] = building;
  if (growing !== undefined)
    return `Pressure is building in ${building.length === 1 ? growing : `${countText(building.length)} products`}`;
  return 'No product is under pressure';
}
