import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import type { Chart, FigureTable } from '../chart/chart.ts';

/** A report as finished words, figures and charts: what its page and its PDF are two writings of. */
export type Report = {
  readonly title: string;
  /** Date of the slice. */
  readonly sourceDate: string;
  /** Where its figures come from, in a line. */
  readonly source: string;
  /** UTC instant the slice was computed as of. */
  readonly publishedAt: string;
  /** What was found, at most 200 characters. */
  readonly headline: string;
  /** What a reader needs to know beside it. */
  readonly lede: string;
  readonly keyFigures: readonly KeyFigure[];
  /** Sections in reading order. */
  readonly cards: readonly Card[];
  readonly terms: readonly { readonly term: string; readonly explanation: string }[];
  /** What its evidence covers and what it does not. */
  readonly boundary: readonly string[];
  readonly caveats: readonly string[];
  readonly disclaimer: string;
  /** Companies by ticker, where the report names tickers of several. */
  readonly names?: ReadonlyMap<string, string>;
};

export type KeyFigure = { readonly label: string; readonly value: string; readonly note: string | null };

/** One section: a finding, sentences, a picture, figures. */
export type Card = {
  /** In kebab case; unique in its report. */
  readonly id: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** Documents to go on to; absent without any. */
  readonly links?: readonly { readonly text: string; readonly href: string }[];
  readonly chart: Chart | null;
  /** The figures of the chart, or of the sentences where there is no chart. */
  readonly table: FigureTable | null;
};

/** A section; without a picture or a table where none is given. */
export const card = (given: Omit<Card, 'chart' | 'table'> & Partial<Card>): Card => ({
  chart: null,
  table: null,
  ...given,
});

/** An amount of a payload as the number that is printed. */
export const amount = (value: number | ExactDecimal): number =>
  typeof value === 'number' ? value : value.toNumber();

/** When a report was made, to the minute. */
export const publishedText = ({ publishedAt }: Report): string =>
  publishedAt.replace('T', ' ').replace(/(:\d\d)?Z$/, ' UTC');

// said in every report
export const stressTerm: Report['terms'][number] = {
  term: 'Stress',
  explanation:
    'Filed financial debt divided by the coins after a fall in their price; 1.00 means that debt equals the coins.',
};
export const enterpriseLevel =
  'Enterprise level: unsecured debt has no margin call, so CRITICAL means that debt exceeds the shocked coins, not that coins will be sold.';
