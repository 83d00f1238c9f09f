import { roundHalfUp } from '../../exact/decimals.ts';
import type { PerpsParameters } from '../../parameters/perpsParameters.ts';
import type { ConstituentPrice } from '../baskets/constituentPrice.ts';
import type { RegistryWeights } from '../baskets/product.ts';
import type { BucketLength } from '../marketBucket.ts';
import { type CoverageLevel, type InputId, inputIds, type RowCoverage, type ZScores } from './factorRow.ts';

const meanings = {
  market: 'The constituents have public prices of the last day.',
  basket: 'The basket and its weights are known.',
  perp: 'The contract has its inputs and enough history to judge them.',
} as const;

type CoverageInput = {
  readonly weights: RegistryWeights | null;
  readonly prices: readonly (ConstituentPrice | null)[];
  readonly zScores: ZScores;
  readonly historyRows: number;
  readonly bucketLength: BucketLength;
  readonly parameters: PerpsParameters;
};

/**
 * Levels 2, 3 and 4 of a row (M8.14), each from its own evidence.
 *
 * @param weights of the registry version in force; null where there is none
 * @param prices of its constituents, in their order
 */
export function coverageOf(row: CoverageInput): RowCoverage {
  const { weights, parameters } = row;
  return {
    level_2_public_market: publicMarket(row),
    level_3_basket_pressure: basket(weights, parameters),
    level_4_perp_dislocation: perp(row),
  };
}

/** The inputs of pressure that a product can have: one underlying has no breadth (M8.4f). */
export function appliedInputs(weights: Pick<RegistryWeights, 'rows'> | null): readonly InputId[] {
  return weights?.rows.length === 1 ? inputIds.filter((id) => id !== 'breadth') : inputIds;
}

/** True when pressure may be published (M8.10). */
export function supportsPressure(coverage: RowCoverage): boolean {
  return Object.values(coverage).every(({ status }) => status === 'available');
}

function publicMarket({ weights, prices, parameters: { perps } }: CoverageInput): CoverageLevel {
  if (weights === null) return level('missing', meanings.market, 'No registry version is in force.');
  const { pricedWeight, priceMaxAgeHours: hours } = perps.coverage;
  const share = weights.rows.reduce((sum, { weight }, i) => {
    const price = prices[i] ?? null;
    return price !== null && price.staleMinutes <= hours * 60 ? sum + (weight ?? 0) : sum;
  }, 0);
  return ofShare(Math.min(1, share), {
    needed: pricedWeight,
    meaning: meanings.market,
    what: `has a price of the last ${hours} hours`,
  });
}

function basket(weights: RegistryWeights | null, { perps }: PerpsParameters): CoverageLevel {
  if (weights === null) return level('missing', meanings.basket, 'No registry version is in force.');
  if (!weights.isValid) {
    const reason = 'A weight is missing, negative or stands twice, or all are zero.';
    return level(weights.mappedWeight > 0 ? 'partial' : 'missing', meanings.basket, reason);
  }
  return ofShare(weights.mappedWeight, {
    needed: perps.coverage.mappedWeight,
    meaning: meanings.basket,
    what: 'is mapped to a known constituent',
  });
}

function perp({
  weights,
  zScores,
  historyRows,
  bucketLength,
  parameters: { perps },
}: CoverageInput): CoverageLevel {
  const applied = appliedInputs(weights);
  const { inputs } = perps.coverage;
  const { minBuckets } = perps.buckets[bucketLength];
  const missing = applied.filter((id) => zScores[id] === null);
  const known = applied.length - missing.length;
  if (historyRows < minBuckets) {
    const reason = `${historyRows} of at least ${minBuckets} available buckets are there.`;
    return level(historyRows > 0 ? 'partial' : 'missing', meanings.perp, reason);
  }
  if (known / applied.length >= inputs) return level('available', meanings.perp, null);
  const reason = `${known} of ${applied.length} inputs have a z-score; without one: ${missing.join(', ')}.`;
  return level(known > 0 ? 'partial' : 'missing', meanings.perp, reason);
}

/** Available from a share of the weight on, partial with less, missing with none. */
export function ofShare(
  share: number,
  { needed, meaning, what }: { readonly needed: number; readonly meaning: string; readonly what: string },
): CoverageLevel {
  // a sum of shares may miss the bound by its last bit
  if (share >= needed - 1e-12) return level('available', meaning, null);
  const reason = `${roundHalfUp(share, 4)} of the weight ${what}; ${needed} is needed.`;
  return level(share > 0 ? 'partial' : 'missing', meaning, reason);
}

function level(status: CoverageLevel['status'], meaning: string, reason: string | null): CoverageLevel {
  return { status, reason, meaning };
}
