import type { ClaimBase, ClaimLens, Claims } from './claims/claims.ts';
import type { CoinFlows } from './coinFlows/coinFlows.ts';
import type { NullReason } from './figure.ts';
import type { Instruments } from './instruments/instrument.ts';
import type { Maturities } from './maturities/maturities.ts';
import type { Nav } from './nav/nav.ts';
import type { PreferredStock } from './preferred/preferredStock.ts';
import type { FiledRunway } from './runway/filedRunway.ts';
import type { Runway } from './runway/runway.ts';
import type { Shares } from './shares/shares.ts';

/** What one filing says of its capital, independent of day and closes (M18.90). No other figure rests on it. */
export type FiledCapital = {
  readonly period: string;
  readonly accession: string;
  /** Why all of it is empty: the filing has no instance. */
  readonly absent: NullReason | null;
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

/** The same, on one day at its closes (M18.90). */
export type Capital = Omit<FiledCapital, 'runway'> & {
  readonly sourceDate: string;
  /** By lens and shock: coins only and all assets at 0.30, 0.50, 0.70. */
  readonly claims: readonly Claims[];
  /** Why a lens has no claims; null where it has. */
  readonly claimsAbsent: Readonly<Record<ClaimLens, NullReason | null>>;
  readonly nav: readonly Nav[];
  readonly runway: Runway;
};
