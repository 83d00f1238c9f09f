import type { DeltaDates } from '../changes/deltaDates.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { PriceBook } from '../prices/priceBook.ts';

/** What every row of a slice shares: its date, the plan's instant, closes and thresholds (M0.13). */
export type SliceContext = {
  readonly sourceDate: string;
  /** The plan's `as_of`, published as `computed_at_utc`. */
  readonly asOf: string;
  readonly prices: PriceBook;
  readonly parameters: Parameters;
  /** True when a past date is built later (`selection_strategy` as_of_source_date). */
  readonly backfilled: boolean;
  /** Notes of an issuer's rows on inputs that are kept from an earlier night. */
  readonly inputNotes?: (cik: string) => readonly string[];
  /** Deltas that passed the daily-change gate up to the date (I3.27); absent where no archive was scanned. */
  readonly deltaDates?: DeltaDates;
};
