import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { RiskDistribution } from '../../data/contract/payloads/universe/riskDistribution.ts';
import { riskTiers } from '../../data/contract/values/enums.ts';
import { largestRemainder } from './largestRemainder.ts';
import type { SliceContext } from './sliceContext.ts';
import { stressBasis } from './stressBasis.ts';

/** Counts and shares of the risk tiers of a slice; the live form takes the filing tier where no overlay exists (I2.47). */
export function riskDistributionOf(
  rows: readonly CovenantStress[],
  basis: 'filing' | 'live',
  context: SliceContext,
): RiskDistribution {
  const tiers = rows.map((row) => (basis === 'live' ? stressBasis(row).riskTier : row.risk_tier));
  const counts = riskTiers.map((tier) => tiers.filter((other) => other === tier).length);
  const shares = largestRemainder(counts);
  const at = (i: number) => ({ count: counts[i] ?? 0, percentage: shares[i] ?? 0 });
  return {
    CRITICAL: at(riskTiers.indexOf('CRITICAL')),
    HIGH: at(riskTiers.indexOf('HIGH')),
    MODERATE: at(riskTiers.indexOf('MODERATE')),
    LOW: at(riskTiers.indexOf('LOW')),
    UNCLASSIFIED: at(riskTiers.indexOf('UNCLASSIFIED')),
    meta: {
      source_date: context.sourceDate,
      computed_at_utc: context.asOf,
      total: rows.length,
      percentage_scale: '0_100',
      basis,
    },
  };
}
