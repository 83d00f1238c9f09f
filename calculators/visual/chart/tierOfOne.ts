import type { RiskDistribution } from '../../../data/contract/payloads/universe/riskDistribution.ts';
import { type RiskTier, riskTiers } from '../../../data/contract/values/enums.ts';

/** The tier that the issuer of a slice of one has. */
export function tierOfOne(counts: RiskDistribution): RiskTier {
  return riskTiers.find((tier) => counts[tier].count > 0) ?? 'UNCLASSIFIED';
}
