import { compareText } from '../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { addDays } from '../exact/civilDate.ts';
import { divide, exactly, multiply, rounded } from '../exact/fraction.ts';
import type { Split } from './splits.ts';
import { distinctSplits } from './splits.ts';

/** A close of a stock as the file of its source has it. */
export type StockRow = {
  readonly ticker: string;
  readonly date: string;
  readonly close: number;
  readonly source: string;
  /** What may be done with it, in the file's words; null where the file does not say. */
  readonly licence: string | null;
};

/** The close of a share as it traded on its day: what it multiplies is the count of that day. */
export type StockClose = {
  readonly date: string;
  readonly close: ExactDecimal;
  readonly source: string;
  readonly licence: string | null;
  /** As filed in the source, or brought back over later splits of a series that is adjusted for them. */
  readonly basis: 'as_filed' | 'multiplied_back';
};

export type StockAnswer =
  | { readonly kind: 'close'; readonly close: StockClose }
  | { readonly kind: 'none'; readonly reason: 'price_missing' | 'price_basis_unknown' };

export type StockBook = {
  /** The close of the day or of the nearest of four days before (M18.48); never of another source, never interpolated. */
  close(ticker: string, date: string): StockAnswer;
  /** Known splits of a stock by date. */
  splits(ticker: string): readonly Split[];
};

/** What is known of a stock beside its closes. */
export type StockFacts = {
  /** From facts and the registry. */
  readonly splits: readonly Split[];
  /** Closes before it have no known basis: covers around it differ by a split that nothing states. */
  readonly unknownBefore: string | null;
};

const lookbackDays = 4;
/** A split shows within so many days of its date, or the series is adjusted for it. */
const jumpDays = 5;
/** A later jump of nearly the whole ratio: the date of the split is not that of the market. */
const lateDays = 120;
const lateTolerance = 0.2;
const digits = 6;

type Series = {
  readonly rows: readonly StockRow[];
  readonly days: ReadonlyMap<string, StockRow>;
  readonly splits: readonly (Split & { readonly kind: SplitKind })[];
  readonly unknownBefore: string | null;
};

/** What a series does at a split: it jumps as the market did, it is adjusted, or it does not tell. */
export type SplitKind = 'traded' | 'adjusted' | 'unknown';

/**
 * Closes of stocks by ticker (M18.48): one source a stock, the last by name, and each close as it traded on its day.
 *
 * @param facts by ticker
 */
export function stockBook(rows: readonly StockRow[], facts: ReadonlyMap<string, StockFacts>): StockBook {
  const byTicker = Map.groupBy(rows.filter(isClose), ({ ticker }) => ticker);
  const series = new Map<string, Series>();
  const seriesOf = (ticker: string): Series => {
    const known = series.get(ticker);
    if (known !== undefined) return known;
    const made = seriesFrom(
      byTicker.get(ticker) ?? [],
      facts.get(ticker) ?? { splits: [], unknownBefore: null },
    );
    series.set(ticker, made);
    return made;
  };
  return {
    close(ticker, date) {
      const own = seriesOf(ticker);
      for (let back = 0; back <= lookbackDays; back += 1) {
        const row = own.days.get(addDays(date, -back));
        if (row !== undefined) return answerOf(row, own);
      }
      return { kind: 'none', reason: 'price_missing' };
    },
    splits: (ticker) => seriesOf(ticker).splits,
  };
}

function isClose({ close }: StockRow): boolean {
  return close > 0 && Number.isFinite(close);
}

function seriesFrom(rows: readonly StockRow[], { splits, unknownBefore }: StockFacts): Series {
  const source = rows
    .map((row) => row.source)
    .sort(compareText)
    .at(-1);
  const own = rows.filter((row) => row.source === source).toSorted((a, b) => compareText(a.date, b.date));
  return {
    rows: own,
    days: new Map(own.map((row) => [row.date, row])),
    splits: distinctSplits(splits).map((split) => ({ ...split, kind: splitKind(own, split) })),
    unknownBefore,
  };
}

/**
 * Half the logarithm of the ratio within five days of the split is a jump; none is an adjusted series (M18.48). Without
 * closes on both sides, or where nearly the whole ratio shows only weeks later, the series does not tell.
 *
 * @param rows of one source by date
 */
export function splitKind(
  rows: readonly Pick<StockRow, 'date' | 'close'>[],
  { date, ratio }: Split,
): SplitKind {
  const first = addDays(date, -jumpDays);
  const last = addDays(date, jumpDays);
  const near = rows.filter((row) => row.date >= first && row.date <= last);
  const hasBothSides = near.some((row) => row.date < date) && near.some((row) => row.date > date);
  if (!hasBothSides) return 'unknown';
  const expected = -Math.log(ratio);
  const steps = (of: readonly Pick<StockRow, 'date' | 'close'>[]) =>
    of.slice(1).map((row, i) => Math.log(row.close / (of[i]?.close ?? row.close)));
  const isJump = (step: number) => step * Math.sign(expected) >= Math.abs(expected) / 2;
  if (steps(near).some(isJump)) return 'traded';
  const later = rows.filter((row) => row.date >= last && row.date <= addDays(date, lateDays));
  const isLate = steps(later).some((step) => Math.abs(step / expected - 1) <= lateTolerance && isJump(step));
  return isLate ? 'unknown' : 'adjusted';
}

function answerOf(row: StockRow, { splits, unknownBefore }: Series): StockAnswer {
  if (unknownBefore !== null && row.date < unknownBefore)
    return { kind: 'none', reason: 'price_basis_unknown' };
  const later = splits.filter((split) => isBefore(row.date, split));
  if (later.some(({ kind }) => kind === 'unknown')) return { kind: 'none', reason: 'price_basis_unknown' };
  const adjusted = later.filter(({ kind }) => kind === 'adjusted');
  // of the day a filing gives it is not known which side it is on
  if (
    splits.some(({ date, source, kind }) => source === 'fact' && kind === 'adjusted' && date === row.date)
  ) {
    return { kind: 'none', reason: 'price_basis_unknown' };
  }
  const filed = ExactDecimal.fromNumber(row.close);
  const factor = adjusted.reduce((product, { ratio }) => multiply(product, ratioOf(ratio)), exactly(filed));
  const { date, source, licence } = row;
  const basis = adjusted.length === 0 ? 'as_filed' : 'multiplied_back';
  return { kind: 'close', close: { date, close: rounded(factor, digits), source, licence, basis } };
}

function isBefore(day: string, { date }: Split): boolean {
  return day < date;
}

function ratioOf(ratio: number) {
  const inverse = Math.round(1 / ratio);
  return ratio < 1 && Math.abs(inverse * ratio - 1) < 1e-9
    ? divide(exactly(1), exactly(inverse))
    : exactly(ratio);
}

/** The factor that brings a count of one day to the shares of a later one. */
export function splitFactor(
  splits: readonly Split[],
  { after, upTo }: { readonly after: string; readonly upTo: string },
): ExactDecimal {
  const between = splits.filter(({ date }) => date > after && date <= upTo);
  return rounded(
    between.reduce((product, { ratio }) => multiply(product, ratioOf(ratio)), exactly(1)),
    12,
  );
}

/** A forward split is a whole ratio within this share, and issues by such numbers are rare. */
const wholeTolerance = 0.02;
const wholeDistance = 0.1;
/** No company takes back nearly half of its shares at once. */
const reverseMin = 1.9;

/**
 * True where the covers of two filings differ by a split that nothing states: a whole ratio more, or half as many and
 * less (M18.48).
 */
export function hasUnknownSplit({
  earlier,
  later,
  splits,
}: {
  readonly earlier: { readonly count: ExactDecimal; readonly date: string };
  readonly later: { readonly count: ExactDecimal; readonly date: string };
  readonly splits: readonly Split[];
}): boolean {
  if (earlier.count.sign <= 0 || later.count.sign <= 0 || later.date <= earlier.date) return false;
  const known = splitFactor(splits, { after: earlier.date, upTo: later.date }).toNumber();
  const ratio = later.count.toNumber() / earlier.count.toNumber() / known;
  if (ratio < 1) return 1 / ratio >= reverseMin;
  const whole = Math.round(ratio);
  return whole >= 2 && Math.abs(ratio - whole) <= Math.min(whole * wholeTolerance, wholeDistance);
}
