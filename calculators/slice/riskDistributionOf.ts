import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { RiskDistribution } from '../../data/contract/payloads/universe/riskDistribution.ts';
import { riskTiers } from '../../data/contract/values/enums.ts';
import type { SliceContext } from './assessIssuers.ts';
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

/**
 * Splits 100.00 percent over counts so that the two-decimal shares add up exactly: floors first, the missing
 * hundredths to the largest remainders, earlier entries first on ties (I2.47). All zero when nothing is counted.
 */
export function largestRemainder(counts: readonly number[]): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return counts.map(() => 0);
  const hundredths = counts.map((count) => Math.floor((count * 10_000) / total));
  const missing = 10_000 - hundredths.reduce((sum, share) => sum + share, 0);
  const remainder = (i: number) => ((counts[i] ?? 0) * 10_000) % total;
  const raised = new Set(
    counts
      .map((_, i) => i)
      .sort((a, b) => remainder(b) - remainder(a) || a - b)
      .slice(0, missing),
  );
  return hundredths.map((share, i) => (share + (raised.has(i) ? 1 : 0)) / 100);
}
