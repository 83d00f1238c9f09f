import { z } from 'zod';
import { outsideNumber } from '../../../data/contract/values/instant.ts';

/** What a venue said of one contract; null where it does not say. */
export type VenueReading = {
  /** As the venue names the contract. */
  readonly symbol: string;
  readonly mark: number | null;
  readonly indexPrice: number | null;
  readonly last: number | null;
  /** In units of the underlying. */
  readonly openInterest: number | null;
  readonly fundingRate: number | null;
  readonly fundingIntervalHours: number | null;
  /** The venue's own time of it, epoch milliseconds. */
  readonly observedMs: number | null;
};

/** How a venue is asked and read; `paths` and `read` follow its public documentation. */
export type VenueAdapter = {
  readonly venue: string;
  readonly origin: string;
  readonly ratePerSecond: number;
  /** The venue's name of a contract, from that of the registry of products. */
  nameOf(symbol: string): string;
  /** What is asked for a contract, in this order. */
  paths(name: string): readonly string[];
  /**
   * Reads the answers, in the order of `paths`.
   *
   * @throws IssuerError `validation_failed` when one is not of the documented shape.
   */
  read(answers: readonly { readonly url: string; readonly text: string }[], name: string): VenueReading;
};

/** A decimal as venues write it: text or a number; empty text is no value. */
export const venueNumber = z
  .union([z.number(), z.string().regex(/^(-?\d{1,30}(\.\d{1,30})?([eE][+-]?\d{1,3})?)?$/)])
  .transform((value) => (value === '' ? null : Number(value)))
  .pipe(outsideNumber.nullable());
