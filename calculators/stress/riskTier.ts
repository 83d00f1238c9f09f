import type { RiskTier, TierReason } from '../../contract/enums.ts';
import type { ExactDecimal } from '../../contract/exactDecimal.ts';
import { type StressTier, stressTiers } from './bands.ts';

/** The stress band, at most one notch worse when there is debt and a reason for it; never better (M3.9). */
export function riskTier(band: StressTier, reasons: readonly TierReason[]): RiskTier {
  if (reasons.length === 0) return band;
  return stressTiers[stressTiers.indexOf(band) + 1] ?? 'CRITICAL';
}

/** Why the tier is a notch worse: equity does not survive the shock (M3.9). Unknown equity gives no reason. */
export function tierReasons(o: {
  debt: ExactDecimal;
  /** As published, whole USD (M0.5). */
  shockedEquity: ExactDecimal | null;
}): TierReason[] {
  if (o.debt.sign <= 0 || o.shockedEquity === null) return [];
  return o.shockedEquity.sign < 0 ? ['shocked_equity_negative'] : [];
}
