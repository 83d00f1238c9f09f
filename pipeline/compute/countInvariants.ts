import { compare, doubleOf, exactly, sumOfDecimals } from '../../calculators/exact/fraction.ts';
import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { ReadinessArtifact } from '../../data/contract/payloads/universe/readiness.ts';
import type { RiskDistribution } from '../../data/contract/payloads/universe/riskDistribution.ts';
import { riskTiers } from '../../data/contract/values/enums.ts';

/** Every count of readiness that partitions the rows of the slice adds up to them (M15.60, I2.46). */
export function readinessCountViolations(
  readiness: ReadinessArtifact,
  { rows }: { readonly rows: number },
): string[] {
  const partitions: readonly (readonly [what: string, counts: readonly (number | undefined)[]])[] = [
    ['rows', [readiness.row_count]],
    ['issuers', [readiness.distinct_issuer_count]],
    [
      'debt coverages',
      [
        readiness.resolved_nonzero_count,
        readiness.legitimate_zero_debt_count,
        readiness.low_confidence_missing_debt_count,
        readiness.resolved_zero_count,
      ],
    ],
    [
      'data sources',
      [
        readiness.linkbase_rollup_count,
        readiness.linkbase_rooted_facts_count,
        readiness.direct_facts_fallback_count,
      ],
    ],
    [
      'qualities',
      [readiness.high_quality_count, readiness.medium_quality_count, readiness.low_quality_count],
    ],
  ];
  return partitions.flatMap(([what, counts]) => {
    const known = counts.filter((count) => count !== undefined);
    const sum = known.reduce((total, count) => total + count, 0);
    const isBroken = known.length === counts.length && sum !== rows;
    return isBroken ? [`readiness: M15.60 ${what} add up to ${sum}, not ${rows}`] : [];
  });
}

/** The tiers of a distribution count the rows, and their percentages add up to 100 (M15.60, I2.47). */
export function distributionViolations(counted: RiskDistribution, rows: readonly CovenantStress[]): string[] {
  const broken: string[] = [];
  const { basis } = counted.meta;
  const total = riskTiers.reduce((sum, tier) => sum + counted[tier].count, 0);
  if (total !== rows.length || counted.meta.total !== rows.length) {
    broken.push(`risk distribution (${basis}): M15.60 counts add up to ${total}, not ${rows.length}`);
  }
  // shares of two decimals that add up by construction: exactly, no rounding allowed
  const shares = sumOfDecimals(riskTiers.map((tier) => counted[tier].percentage));
  if (compare(shares, exactly(rows.length === 0 ? 0 : 100)) !== 0) {
    broken.push(`risk distribution (${basis}): I2.47 percentages add up to ${doubleOf(shares)}`);
  }
  if (basis === 'live') return broken;
  for (const tier of riskTiers) {
    const held = rows.filter((row) => row.risk_tier === tier).length;
    const { count } = counted[tier];
    if (count !== held) broken.push(`risk distribution: M15.60 ${tier} counts ${count}, not ${held}`);
  }
  return broken;
}

/** The ranked rows and those excluded are the rows of the slice (M15.60). */
export function rankedCountViolations({
  rows,
  ranked,
  excludedUnclassified,
}: {
  rows: number;
  ranked: number;
  excludedUnclassified: number;
}): string[] {
  if (ranked + excludedUnclassified === rows) return [];
  return [`top stressed: M15.60 ${ranked} ranked and ${excludedUnclassified} left out are not ${rows} rows`];
}
