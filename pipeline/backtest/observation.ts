import type { CryptoUnitsBasis, FiguresBasis, RiskTier } from '../../data/contract/values/enums.ts';

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
  /** Are debt and coins proven (M3.3c). */
  readonly figuresBasis: FiguresBasis;
  /** What the coins are measured by; `carrying_value_lower_bound` is cost less impairment. */
  readonly coinsBasis: CryptoUnitsBasis;
  /** In the table because of what happened, so no evidence of how often it happens (M12.17). */
  readonly selectedOnOutcome: boolean;
  readonly tier: RiskTier;
  /** null when debt or coins are not proven. */
  readonly stress50: number | null;
  readonly breachProbability: number | null;
  /** Unshocked D/C; null without coins, or when a part is not proven. */
  readonly loanToValue: number | null;
  /** D/A; null when assets are not known. */
  readonly debtToAssets: number | null;
  /** Coins over assets; null when either is not known. */
  readonly coinShare: number | null;
  readonly altmanZ: number | null;
};

/** Rows that are counted for themselves and in no hit rate (M12.12, M12.17). */
export const apartGroups = ['incidental', 'selected_on_outcome', 'lower_bound'] as const;
export type ApartGroup = (typeof apartGroups)[number];

/** The group of an observation; null when it counts among the hit rates. */
export function groupOf(
  observation: Observation,
  { coinEvidenceOfAssets }: { coinEvidenceOfAssets: number },
): ApartGroup | null {
  const { coinShare, selectedOnOutcome, coinsBasis } = observation;
  if (coinShare !== null && coinShare < coinEvidenceOfAssets) return 'incidental';
  if (selectedOnOutcome) return 'selected_on_outcome';
  return coinsBasis === 'carrying_value_lower_bound' ? 'lower_bound' : null;
}
