import { registryWeights } from '../../calculators/market/baskets/product.ts';
import type { EtfPressureState } from '../../data/contract/payloads/market/etfPressureState.ts';
import type { LatestFacts, MarketContext } from './marketContext.ts';
import { productRead } from './productRead.ts';

/** The pressure read of a product at its newest bucket (I2.62). */
export function pressureStateOf(context: MarketContext, read: LatestFacts): EtfPressureState {
  const { parameters } = context.facts;
  const { shared, forms, truth, version, warnings } = productRead(context, read);
  const weights = version === null ? null : registryWeights(version, parameters);
  return {
    ...shared,
    route: 'GET /v1/synthetic-etf/pressure-state/{product}',
    payload_mode: 'compact',
    evidence_hash: forms.evidenceHash,
    constituent_readiness: {
      status: truth.level.status,
      mapped_weight: weights?.mappedWeight ?? null,
      covered_weight: truth.coveredWeight,
    },
    data_quality_warnings: warnings,
    recommended_followups: [
      {
        route: 'GET /v1/synthetic-etf/audit/{product}',
        args: { product: shared.product, bucket_length: read.length },
        reason: 'Thresholds, history, coverage and attribution behind the read.',
      },
      {
        route: 'GET /v1/market-spectra-field-map/{product}',
        args: { product: shared.product, bucket_length: read.length },
        reason: 'How the pressure came about, bucket by bucket.',
      },
    ],
  };
}
