import type { RiskDistribution } from '../../contract/payloads/universe/riskDistribution.ts';
import { type RiskTier, riskTiers } from '../../contract/values/enums.ts';

/** The tier that the issuer of a slice of one has. */
export function tierOfOne(counts: RiskDistribution): RiskTier {
  return riskTiers.find((tier) => counts[tier].count > 0) ?? 'UNCLASSIFIED';
}
