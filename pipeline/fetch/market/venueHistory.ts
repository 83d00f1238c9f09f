import { z } from 'zod';
import { outsideInstant, outsideNumber } from '../../../data/contract/values/instant.ts';

/** One row of a venue's past; cells are decimals as the venue wrote them. */
export type HistoryRow = {
  /** Epoch milliseconds: of a candle its open. */
  readonly at: number;
  /** The contract's price then, where the row says it: series of one contract are compared by it. */
  readonly price: number | null;
  readonly cells: Readonly<Record<string, string>>;
};

/** What one answer holds. */
export type HistoryPage = {
  /** As the venue names the contract, once for every contract the answer speaks of; empty where it names none. */
  readonly symbols: readonly string[];
  /** The venue's own time of the answer, epoch milliseconds; null where the answer has none. */
  readonly answeredMs: number | null;
  readonly rows: readonly HistoryRow[];
};

/** One series of a venue's past, asked in pages of bounded time. */
export type HistorySeries = {
  readonly name: 'mark' | 'index' | 'interest' | 'candle' | 'funding';
  /** Rows lie at multiples of it; a row is final once it is this old where `isBucket`. */
  readonly stepMs: number;
  /** The row speaks of the time from its own to the next step, and changes until then. */
  readonly isBucket: boolean;
  /** The most rows the venue gives in one answer. */
  readonly pageRows: number;
  /** How far back the venue serves it, where that has an end. */
  readonly reachMs?: number;
  path(name: string, range: { readonly from: number; readonly to: number }): string;
  /** @throws IssuerError `validation_failed` when the answer is not of the documented shape. */
  read(answer: { readonly url: string; readonly text: string }): HistoryPage;
};

/** How the past of a venue is asked and read, as its public documentation says. */
export type HistoryAdapter = {
  readonly venue: string;
  readonly origin: string;
  readonly ratePerSecond: number;
  nameOf(symbol: string): string;
  /** Where the venue says what time it is; of a venue whose answers say it themselves there is none. */
  readonly clock?: {
    readonly path: string;
    /** Epoch milliseconds. @throws IssuerError `validation_failed` when the answer is not of the documented shape. */
    read(answer: { readonly url: string; readonly text: string }): number;
  };
  readonly series: readonly HistorySeries[];
};

/** A decimal that has to be there, kept as the venue wrote it. */
export const historyDecimal = z
  .string()
  .regex(/^-?\d{1,30}(\.\d{1,30})?([eE][+-]?\d{1,3})?$/)
  .refine((text) => outsideNumber.safeParse(Number(text)).success, 'is too large');

/** Epoch milliseconds as venues write them in lists. */
export const historyInstant = z
  .string()
  .regex(/^\d{10,14}$/)
  .transform(Number)
  .pipe(outsideInstant);
