import type { RiskTier } from '../../contract/values/enums.ts';

/** What was known of one issuer (or of one facility) on one day, from one filing in force. */
export type Observation = {
  readonly origin: 'warehouse' | 'reference';
  /** A facility is one loan with its own collateral. */
  readonly scope: 'entity' | 'facility';
  readonly cik: string;
  readonly ticker: string;
  readonly period: string;
  /** First day the facts behind it were known (M10.2). */
  readonly knownOn: string;
  readonly tier: RiskTier;
  readonly stress50: number;
  readonly breachProbability: number | null;
  /** Unshocked D/C; null without coins. */
  readonly loanToValue: number | null;
  /** D/A; null when assets are not known. */
  readonly debtToAssets: number | null;
  readonly altmanZ: number | null;
};
