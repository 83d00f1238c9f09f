import { type FactorRow, factorIds } from '../../calculators/market/factors/factorRow.ts';
import { publishedInputs } from '../../calculators/market/factors/publishedFactor.ts';
import { marketPoints } from '../../calculators/market/readings/marketPoints.ts';
import {
  presentationParity,
  questionReadiness,
} from '../../calculators/market/readings/questionReadiness.ts';
import { thresholdContract } from '../../calculators/market/readings/thresholdFlags.ts';
import { type EtfAudit, etfAudit } from '../../data/contract/payloads/market/etfAudit.ts';
import { etfPressureState } from '../../data/contract/payloads/market/etfPressureState.ts';
import { marketFieldMap } from '../../data/contract/payloads/market/marketFieldMap.ts';
import { perpConstituents } from '../../data/contract/payloads/market/perpConstituents.ts';
import { perpFactors } from '../../data/contract/payloads/market/perpFactors.ts';
import { instant } from '../../data/contract/values/instant.ts';
import { factorForms, qualityMembers } from './factorForms.ts';
import { fieldMapRows, type LatestFacts, type MarketContext } from './marketContext.ts';
import { type ProductRead, productRead } from './productRead.ts';

/** The audit of a product's newest bucket (I2.63); a missing part is a status with a reason. */
export function auditOf(context: MarketContext, latest: LatestFacts): EtfAudit {
  const { facts, recentRows } = context;
  const { parameters, sourceDate } = facts;
  const read = productRead(context, latest);
  const { row, quality, flags, event, contributions, truth, forms, shared } = read;
  const previous = previousOf(latest);
  const shown = marketPoints(fieldMapRows(latest), { parameters }).at(-1);
  const parity = presentationParity(
    row,
    shown === undefined ? null : { start: shown.start, pressure: shown.factors.pressure },
  );
  const levels = { level_1_issuer_truth: truth.level, ...row.coverage };
  const parts = { slice: sourceDate, product: row.product, bucket_length: latest.length };
  return {
    ...shared,
    audit_status: isComplete(read, previous) ? 'complete' : 'partial',
    payload_mode: 'audit',
    linked_product: null,
    current_bucket: bucketOf(row, { underlying: latest.product.underlyingTicker, quality }),
    previous_bucket:
      previous === null
        ? unavailableBucket
        : bucketOf(previous, {
            underlying: latest.product.underlyingTicker,
            quality: previous.quality,
          }),
    bucket_comparison: Object.fromEntries(
      factorIds.map((id) => [
        id,
        { current: row.factors[id], previous: previous?.factors[id] ?? null, delta: row.deltas[id] },
      ]),
    ),
    z_scores: { ...row.zScores },
    threshold_contract: {
      version: thresholdContract(parameters).version,
      rows: [...thresholdContract(parameters).rows],
    },
    threshold_flags: flags,
    canonical_event: { ...event, blockers: [...event.blockers] },
    event_classification: { canonical_confirmed: event.canonical_event_status === 'confirmed' },
    four_level_coverage: {
      levels,
      level_summary: summaryOf(levels),
      boundary: 'Each level is judged by itself; a missing level is never inferred from another.',
    },
    pressure_attribution: {
      pressure_unrounded: row.pressureUnrounded,
      rows: row.attribution.map(({ factor, contribution }) => ({ factor, contribution })),
    },
    constituent_contributions: {
      ...contributions,
      rows: contributions.rows.map((one) => ({ ...one })),
      flags: [...contributions.flags],
    },
    presentation_parity: { ...parity },
    further_analysis: { status: 'unavailable', reason: 'No analysis beyond the stored rows is made.' },
    question_readiness: {
      ...questionReadiness({
        row,
        quality,
        rowsOfSevenDays: recentRows(row.product, latest.length),
        event,
        contributions,
        parity,
        parameters,
      }),
    },
    provenance: {
      source_date: sourceDate,
      computed_at_utc: facts.asOf,
      artifact_keys: [
        etfAudit.stored.object.key(parts),
        etfPressureState.stored.object.key(parts),
        marketFieldMap.stored.object.key(parts),
        perpFactors.stored[latest.length].listKey(parts),
        perpConstituents.stored.history.listKey(parts),
      ],
      evidence_hash: forms.evidenceHash,
      evidence_hash_version: 'evh-1-jcs-sha256',
    },
  };
}

/** The bucket the deltas refer to (M8.8); null without one. */
function previousOf({ of, latest }: LatestFacts): FactorRow | null {
  const rows = [...of.window, ...of.day, ...(of.previous === null ? [] : [of.previous])];
  return rows.find((row) => row.start === latest.previousStart) ?? null;
}

function isComplete({ row, quality, contributions }: ProductRead, previous: FactorRow | null): boolean {
  return (
    previous !== null &&
    row.pressure !== null &&
    quality.status === 'ok' &&
    contributions.status === 'available'
  );
}

function bucketOf(
  row: FactorRow,
  { underlying, quality }: { underlying: string | null; quality: Parameters<typeof qualityMembers>[0] },
): EtfAudit['current_bucket'] {
  return {
    status: row.isAvailable ? 'available' : 'unavailable',
    bucket_utc: instant(row.start),
    factors: { ...row.factors },
    deltas: { ...row.deltas },
    market_inputs: publishedInputs(row),
    quality: qualityMembers(quality),
    evidence_hash: factorForms(row, underlying).evidenceHash,
  };
}

const unavailableBucket: EtfAudit['previous_bucket'] = {
  status: 'unavailable',
  bucket_utc: null,
  factors: {},
  deltas: {},
  market_inputs: {},
  quality: {},
  evidence_hash: null,
};

function summaryOf(levels: EtfAudit['four_level_coverage']['levels']): string {
  const said = Object.values(levels).map(({ status }, i) => `level ${i + 1} ${status.replace('_', ' ')}`);
  return `${said.join(', ')}.`;
}
