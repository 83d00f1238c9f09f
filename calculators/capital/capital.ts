import type { Claims } from './claims/claims.ts';
import type { CoinFlows } from './coinFlows/coinFlows.ts';
import type { NullReason } from './figure.ts';
import type { Instruments } from './instruments/instrument.ts';
import type { Maturities } from './maturities/maturities.ts';
import type { Nav } from './nav/nav.ts';
import type { PreferredStock } from './preferred/preferredStock.ts';
import type { Runway } from './runway/runway.ts';
import type { Shares } from './shares/shares.ts';

/** What one filing says of its capital, whatever the day and the closes (M18). No other figure rests on it. */
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
  readonly notes: readonly string[];
};

/** The same, on one day at its closes (M18.4). */
export type Capital = FiledCapital & {
  readonly sourceDate: string;
  /** By lens and shock: coins only and all assets at 0.30, 0.50, 0.70. */
  readonly claims: readonly Claims[];
  readonly nav: readonly Nav[];
  readonly runway: Runway;
};
