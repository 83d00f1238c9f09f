import type { FactorRow } from '../../calculators/market/factors/factorRow.ts';
import { publishedInputs } from '../../calculators/market/factors/publishedFactor.ts';
import { type PerpFactorRow, perpFactorRow } from '../../data/contract/payloads/market/perpFactors.ts';
import { canonicalObject, printedMembers } from '../../data/contract/values/canonicalJson.ts';
import { instant } from '../../data/contract/values/instant.ts';
import { sha256Hex } from '../release/artifact.ts';
import { validated } from '../release/validated.ts';

/** A factor row as it is published: its forms and the hashes that prove it (I2.57, I4.R15.2). */
export type FactorForms = {
  readonly compact: PerpFactorRow;
  readonly full: PerpFactorRow;
  readonly payloadSha256: string;
  readonly evidenceHash: string;
};

/** @param underlyingTicker of the product */
export function factorForms(row: FactorRow, underlyingTicker: string | null): FactorForms {
  const { compact, full, hashes } = printedForms(row, underlyingTicker);
  return {
    compact,
    full: { ...full, ...hashes },
    payloadSha256: hashes.payload_sha256,
    evidenceHash: hashes.evidence_hash,
  };
}

/**
 * The lines of a row in the order of the forms: compact, full, compact with hashes. The full form has every member of
 * the others, so it is the one that is checked. @throws IssuerError `validation_failed`
 */
export function factorLines(row: FactorRow, underlyingTicker: string | null): string {
  const { full, hashes, printed } = printedForms(row, underlyingTicker);
  validated({ schema: wholeRow, value: { ...full, ...hashes }, key: `perp-factors of ${row.product}` });
  const proofs = printedMembers(hashes);
  const { compact, more } = printed;
  const forms = [compact, { ...compact, ...more, ...proofs }, { ...compact, ...proofs }];
  return forms.map((members) => `${canonicalObject(members)}\n`).join('');
}

/** The form of a row that has all members. */
const wholeRow = perpFactorRow.required();

/** The forms of a row; what they share is printed once. */
function printedForms(row: FactorRow, underlyingTicker: string | null) {
  const compact = compactRow(row, underlyingTicker);
  const rest = { market_inputs: publishedInputs(row), lineage: lineageOf(row) };
  const printed = { compact: printedMembers(compact), more: printedMembers(rest) };
  return {
    compact,
    full: { ...compact, ...rest } as PerpFactorRow,
    hashes: {
      payload_sha256: sha256Hex(canonicalObject(printed.compact)),
      evidence_hash: sha256Hex(canonicalObject({ ...printed.compact, ...printed.more })),
    },
    printed,
  };
}

/** What every published row of a bucket says (I2.57). */
export function bucketMembers(row: FactorRow, underlyingTicker: string | null) {
  return {
    product: row.product,
    contract_symbol: row.contract.symbol,
    underlying_ticker: underlyingTicker,
    bucket_length: row.bucketLength,
    observed_bucket_utc: instant(row.start),
    previous_bucket_utc: row.previousStart === null ? null : instant(row.previousStart),
    source_date: row.sourceDate,
    factors: { ...row.factors },
    deltas: { ...row.deltas },
  };
}

/** The quality of a row, as it is published. */
export function qualityMembers(quality: {
  readonly status: 'ok' | 'partial' | 'stale';
  readonly flags: readonly string[];
  readonly historyRows: number;
  readonly rowAgeMinutes: number;
}) {
  return {
    status: quality.status,
    row_age_minutes: quality.rowAgeMinutes,
    history_rows: quality.historyRows,
    flags: [...quality.flags],
  };
}

function compactRow(row: FactorRow, underlyingTicker: string | null): PerpFactorRow {
  return {
    ...bucketMembers(row, underlyingTicker),
    z_scores: { ...row.zScores },
    quality: qualityMembers(row.quality),
  };
}

function lineageOf({ lineage }: FactorRow) {
  const { firstStart, buckets } = lineage.window;
  return {
    venue: lineage.venue,
    symbol: lineage.symbol,
    registry_effective_date: lineage.registryEffectiveDate,
    registry_source: lineage.registrySource,
    registry_method: lineage.registryMethod,
    weights_renormalised: lineage.weightsRenormalised,
    window_first_bucket_utc: firstStart === null ? null : instant(firstStart),
    window_buckets: buckets,
  };
}
