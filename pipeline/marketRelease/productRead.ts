import { registryWeights, versionOn } from '../../calculators/market/baskets/product.ts';
import type { FactorRow } from '../../calculators/market/factors/factorRow.ts';
import { canonicalEvent } from '../../calculators/market/readings/canonicalEvent.ts';
import { contributionsOf } from '../../calculators/market/readings/contributionsOf.ts';
import { issuerTruth } from '../../calculators/market/readings/issuerTruth.ts';
import {
  directionOf,
  marketState,
  pressureHeadline,
  spectraRead,
} from '../../calculators/market/readings/pressureHeadline.ts';
import { latestQuality, qualityWarnings } from '../../calculators/market/readings/qualityWarnings.ts';
import { thresholdFlags } from '../../calculators/market/readings/thresholdFlags.ts';
import type { EtfPressureState } from '../../data/contract/payloads/market/etfPressureState.ts';
import { instant } from '../../data/contract/values/instant.ts';
import { factorMethod } from '../market/factorRows.ts';
import { factorForms } from './factorForms.ts';
import { endOfSlice, type LatestFacts, type MarketContext } from './marketContext.ts';

/** Version of the pressure read and of its audit. */
const etfMethod = 'etf-1.0';

/** What the pressure read of a product and its audit share (I2.62, I2.63): all of it is about its newest bucket. */
export function productRead({ facts, tiersOf }: MarketContext, read: LatestFacts) {
  const { parameters } = facts;
  const { product, latest: row } = read;
  const quality = latestQuality(row, { at: endOfSlice(facts), parameters });
  const evidenceRef = rowRef(row);
  const flags = thresholdFlags(row.factors, { parameters, evidenceRef });
  const event = canonicalEvent(row, { quality, flags, parameters });
  const contributions = contributionsOf(row, parameters);
  const version = versionOn(product, row.sourceDate);
  const tiers = tiersOf(row.sourceDate);
  const truth = issuerTruth({ product, version, tiers, parameters });
  const forms = factorForms(row, product.underlyingTicker);
  const isSynthetic = quality.flags.includes('synthetic');
  return {
    row,
    version,
    quality,
    flags,
    event,
    contributions,
    truth,
    forms,
    warnings: qualityWarnings(quality.flags),
    shared: {
      product: row.product,
      display_name: product.displayName,
      method_version: etfMethod,
      evidence_boundary:
        'Stored constituent and factor rows only; nothing is fetched when a call is answered.',
      source_date: facts.sourceDate,
      observed_bucket_utc: forms.compact.observed_bucket_utc,
      computed_at_utc: facts.asOf,
      identity_lineage: {
        canonical_name: product.displayName,
        aliases: [...product.aliases],
        methodology_changed: hasChanged(read, version?.effectiveDate ?? null),
        method_version: factorMethod,
      },
      pressure_state: {
        headline: pressureHeadline(row, parameters),
        market_state: marketState(row.pressure, parameters),
        direction: directionOf(row),
        pressure: row.pressure,
        group_scores: { ...row.groups },
        factor_values: { ...row.factors },
        quality: { status: quality.status, flags: [...quality.flags] },
        warnings: [
          ...contributions.flags,
          ...['stale_factor_row', 'synthetic'].filter((flag) => quality.flags.includes(flag)),
        ],
        ...spectra(spectraRead(row)),
      },
      quality_flags: [`event_${event.canonical_event_status}`, ...quality.flags],
      caveats: [
        ...(contributions.basis === 'weights_only' ? ['weights_only_attribution'] : []),
        ...(contributions.basis === 'none' ? ['no_attribution'] : []),
        ...(version?.standIn === true ? ['registry_stand_in'] : []),
        ...(truth.level.status === 'missing' ? ['issuer_truth_missing'] : []),
        ...(isSynthetic ? ['synthetic_observations'] : []),
      ],
      disclosures: [
        'Market-state telemetry, not a trade signal.',
        ...(isSynthetic ? ['Made-up observations for a demonstration: no market made them.'] : []),
      ],
    },
  };
}

/** Names one row: a date has several buckets of a length below a day. */
function rowRef({ product, bucketLength, sourceDate, start }: FactorRow): string {
  const day = `ii://perp-factors/${bucketLength}/${sourceDate}/${product}`;
  return bucketLength === '1d' ? day : `${day}?observed_bucket_utc=${instant(start)}`;
}

export type ProductRead = ReturnType<typeof productRead>;

function spectra(read: string | null): { readonly spectra_read?: string } {
  return read === null ? {} : { spectra_read: read };
}

/** True where the registry version in force is another than that of the row before. */
function hasChanged({ of: { previous } }: LatestFacts, effectiveDate: string | null): boolean {
  return previous !== null && previous.lineage.registryEffectiveDate !== effectiveDate;
}

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
