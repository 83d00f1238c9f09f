import type { RiskTier, TierReason } from '../../data/contract/values/enums.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { Standing } from '../standing/standings.ts';
import { type StressTier, stressTiers } from './bands.ts';

/** The stress band, at most one notch worse when there is debt and a reason for it; never better (M3.9). */
export function riskTier(band: StressTier, reasons: readonly TierReason[]): RiskTier {
  if (reasons.length === 0) return band;
  return stressTiers[stressTiers.indexOf(band) + 1] ?? 'CRITICAL';
}

/**
 * Why the tier is a notch worse: own and market stress reinforce each other, or equity does not survive the shock
 * (M3.9). Unknown equity and unknown scores give no reason.
 */
export function tierReasons(
  {
    debt,
    shockedEquity,
    standing,
  }: {
    debt: ExactDecimal;
    /** As published, whole USD (M0.5). */
    shockedEquity: ExactDecimal | null;
    standing: Pick<Standing, 'ownZ' | 'mpZ' | 'resonance'> | null;
  },
  { notch }: Parameters,
): TierReason[] {
  if (debt.sign <= 0) return [];
  const { ownZ = null, mpZ = null, resonance } = standing ?? {};
  const isAdverse =
    resonance === 'Aligned' && mpZ !== null && mpZ >= notch.mp && ownZ !== null && ownZ >= notch.ownZ;
  const isEquityGone = shockedEquity !== null && shockedEquity.sign < 0;
  return [
    ...(isAdverse ? (['adverse_resonance'] as const) : []),
    ...(isEquityGone ? (['shocked_equity_negative'] as const) : []),
  ];
}
