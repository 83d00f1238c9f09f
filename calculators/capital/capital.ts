import type { CapitalReason } from '../../data/contract/payloads/issuer/capitalParts.ts';
import type { ClaimBase } from './claims/resolveClaimBase.ts';
import type {
  ClaimLens,
  Claims,
  CoinFlows,
  Instruments,
  Maturities,
  Nav,
  PreferredStock,
  Runway,
  Shares,
} from './parts.ts';
import type { FiledRunway } from './runway/filedRunway.ts';

/** What one filing says of its capital, independent of day and closes (M18.90). No other figure rests on it. */
export type FiledCapital = {
  readonly period: string;
  readonly accession: string;
  /** Why all of it is empty: the filing has no instance. */
  readonly absent: CapitalReason | null;
  readonly instruments: Instruments;
  readonly maturities: Maturities;
  readonly preferred: PreferredStock;
  readonly shares: Shares;
  readonly coinFlows: CoinFlows;
  readonly runway: FiledRunway;
  /** What claims are paid from and who has them. */
  readonly claimBase: ClaimBase;
  readonly notes: readonly string[];
};

/** The filed part of a position, or the sentence of the fault that kept it from being made (M18.80). */
export type PositionCapital = FiledCapital | { readonly fault: string };

/** The same, on one day at its closes (M18.90). */
export type Capital = Omit<FiledCapital, 'runway'> & {
  readonly sourceDate: string;
  /** By lens and shock: coins only and all assets at 0.30, 0.50, 0.70. */
  readonly claims: readonly Claims[];
  /** Why a lens has no claims; null where it has. */
  readonly claimsAbsent: Readonly<Record<ClaimLens, CapitalReason | null>>;
  readonly nav: readonly Nav[];
  readonly runway: Runway;
};

/**
 * The capital structure of an issuer on a day, or why it could not be made. No other figure rests on it, so a fault of
 * it excludes nothing but itself (M18.80).
 */
export type IssuerCapital =
  | { readonly capital: Capital; readonly fault: null }
  | { readonly capital: null; readonly fault: Error | null };

/** What a filing says, or the fault of it as a sentence that a position can be stored with; what stops a program passes. */
export function filedOrFault(make: () => FiledCapital): PositionCapital {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof Error) || 'code' in error) throw error;
    return { fault: error.message };
  }
}

/** What is made of an issuer, or the fault of it; what stops a program passes. */
export function capitalOrFault(make: () => Capital): IssuerCapital {
  try {
    return { capital: make(), fault: null };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { capital: null, fault: error };
  }
}

/** Axes whose members are notes, loans, years they fall due in, classes of stock, warrants, awards or coins: facts on them are read of any day (M18.10). */
export const capitalAxis =
  /(Debt|Credit|Loan|Note|Borrow|Mortgage|Maturit|ClassOfStock|Warrant|AwardType|CryptoAsset|DigitalAsset)/;
/** Concepts of what can become shares and of what preferred stock pays, read with any members and on any day (M18.41, M18.45). */
export const shareConcept =
  /:(AntidilutiveSecurities|IncrementalCommonShares|ClassOfWarrantOrRight|PreferredStockDividendRate|DividendsPreferredStock|StockholdersEquityNoteStockSplit)/;
