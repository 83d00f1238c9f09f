import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import type { Figure } from '../figure.ts';

/** What a share holds (M18.48–M18.49), at the coins of one basis. */
export type Nav = {
  readonly basis: 'filed' | 'live';
  readonly coinsPerShare: readonly {
    readonly asset: string;
    readonly units: Figure;
    readonly perShare: Figure;
    readonly perSharePrefunded: Figure;
    readonly perShareDiluted: Figure;
  }[];
  /** C; units at the close where C is cost less impairment. */
  readonly gross: Figure;
  readonly netOfDebt: Figure;
  readonly netOfClaims: Figure;
  /** Net of claims a share outstanding. */
  readonly perShare: Figure;
  /** For the multiples alone: a raw close is never published (M18.48). */
  readonly close: Figure;
  readonly closeDate: string | null;
  readonly countDate: string | null;
  readonly mnavGross: Figure;
  readonly mnavEnterprise: Figure;
  readonly mnavNet: Figure;
  readonly mnavDiluted: Figure;
  readonly digitalAssetShare: Figure;
  /** With the receivable for coins that a lender holds. */
  readonly digitalAssetShareWithPledged: Figure;
  readonly isAboveIndexThreshold: boolean | null;
  readonly notes: readonly string[];
};

/** Coins of P or of the day asked, in dollars. */
export type NavCoins = {
  readonly amount: ExactDecimal;
  /** Carried at cost less impairment: what the coins are worth is units at their close. */
  readonly isLowerBound: boolean;
  /** Units of P with the closes of the day; null where a coin has no count or no close. */
  readonly unitsAtClose: ExactDecimal | null;
};

/** Units of P, as accepted by M2.9, or of a roll that closes. */
export type AssetUnits = { readonly asset: string; readonly units: Figure };
