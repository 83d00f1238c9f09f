import { type Route, routeUri } from '../../contract/route.ts';
import { versions } from '../../contract/versions.ts';
import { isoInstants } from '../isoInstants.ts';
import { constantPiece, type Suffix } from '../splice.ts';

/** What the receipt of one answer says (I5.48); money is micro-USD. */
export type EnvelopeReceipt = {
  readonly receiptId: string;
  readonly reconciliationKey: string;
  readonly responseId: string;
  readonly requestId: string;
  readonly chargeStatus: string;
  readonly payerIdentity: string | null;
  readonly createdMs: number;
  readonly updatedMs: number;
};

/** What differs from one answer of the same servable to the next. */
export type EnvelopeCall = {
  readonly receipt: EnvelopeReceipt;
  readonly requestId: string;
  readonly servedMs: number;
  readonly latencyMs: number;
  readonly lookup: { readonly asked: string; readonly matched_by: string } | null;
};

/**
 * Prints everything that follows the payload up to the last brace (I4.28, I5.44–I5.50); `serveTime` holds the
 * members of I4.29 with a comma after each, or nothing.
 */
export type EnvelopePrinter = (call: EnvelopeCall, serveTime: string) => Suffix;

const sourceBoundary = [
  'Attributes this call to its caller and names the artifact that was served.',
  'It is no invoice and proves nothing on a chain.',
];

/**
 * Prepares the envelope of key-paid answers (column "api key" of I5.46) for one servable: everything known
 * before the call is printed once.
 */
export function apiKeyEnvelope(o: {
  route: Route;
  priceMicroUsd: number;
  sourceDate: string;
  computedAt: string;
  ticker: string | null;
  cacheHit: boolean;
  /** Form of the payload, where it has several (I4.31). */
  payloadMode: string;
  artifactKey: string;
  artifactVersion: string;
  artifactSha256: string;
  payloadSha256: string;
}): EnvelopePrinter {
  const quoted = o.priceMicroUsd / 1e6;
  const uri = routeUri(o.route);
  const columns = members({
    route_uri: uri,
    billing_mode: 'api_key_not_charged',
    billing_status: 'not_charged',
    payment_status: 'api_key_bypass',
    cost_usd: 0,
    actual_cost_usd: 0,
    quoted_cost_usd: quoted,
    credits_charged: 0,
    grant_id: null,
    grant_program: null,
    grant_status: 'not_applicable',
    grant_source: 'none',
    grant_budget_usd: null,
    grant_remaining_usd: null,
    grant_debit_usd: 0,
    grant_expires_at: null,
    grant_expires_in_seconds: null,
    grant_debit_policy: 'route_declared_price',
    grant_cache_treatment: 'fresh_and_cached_charge_same_route_quote',
    grant_limit_type: null,
    grant_limit_unit: null,
    grant_runway_authoritative_fields: [],
  });
  const receiptConstants = members({
    schema_id: versions.settlementReceipt,
    route_uri: uri,
    quoted_cost_usd: quoted,
    charged_amount_usdc: '0.000000',
    settlement_mode: 'api_key_not_charged',
    provider: null,
    network: null,
    payment_authorization_hash: null,
    gateway_transfer_id: null,
    batch_id: null,
    settlement_tx_hash: null,
    grant_id: null,
    grant_debit_usd: 0,
    quality_flags: [],
    source_boundary: sourceBoundary,
  });
  const metadataConstants = members({
    route_uri: uri,
    schema_id: o.route.schemaId,
    source_date: o.sourceDate,
    computed_at_utc: o.computedAt,
    ticker: o.ticker,
    product: null,
    cost_usd: 0,
    billing_mode: 'api_key_not_charged',
    billing_status: 'not_charged',
    cache_hit: o.cacheHit,
    replayed: false,
    payload_mode: o.payloadMode,
    quality_flags: [],
    caveats: [],
    evidence_hash: null,
    evidence_hash_version: null,
    artifact_key: o.artifactKey,
    artifact_version: o.artifactVersion,
    artifact_sha256: o.artifactSha256,
    payload_sha256: o.payloadSha256,
  });
  const request = `"billing_contract_version":"${versions.billing}",${columns}`;
  const head = constantPiece(`${request},"billing":{"request":{${request},`);
  const middle = constantPiece(
    `"estimated_cost_usd":${quoted},"tokens_used":0,"authoritative":false},"settlement_receipt":{${receiptConstants},`,
  );
  const end = constantPiece(`${metadataConstants}}}`);

  const instants = isoInstants();

  // request ids match I4.27 and the other ids are ours: none of them needs escaping
  return ({ receipt, requestId, servedMs, latencyMs, lookup }, serveTime) => {
    const payer = receipt.payerIdentity === null ? 'null' : JSON.stringify(receipt.payerIdentity);
    const asked = lookup === null ? 'null' : JSON.stringify(lookup);
    const responseId = receipt.responseId;
    const served = instants.seconds(servedMs);
    const created = receipt.createdMs === servedMs ? served : instants.seconds(receipt.createdMs);
    const updated = receipt.updatedMs === receipt.createdMs ? created : instants.seconds(receipt.updatedMs);
    return [
      `,${serveTime}"request_id":"${requestId}",`,
      head,
      `"request_id":"${requestId}"}},"usage_metadata":{"elapsed_ms":${latencyMs},`,
      middle,
      `"receipt_id":"${receipt.receiptId}","request_id":"${receipt.requestId}","response_id":"${responseId}","charge_status":"${receipt.chargeStatus}","payer_identity":${payer},"reconciliation_key":"${receipt.reconciliationKey}","created_at_utc":"${created}","updated_at_utc":"${updated}"},"response_metadata":{"request_id":"${requestId}","response_id":"${responseId}","served_at_utc":"${served}","latency_ms":${latencyMs},"lookup":${asked},`,
      end,
    ];
  };
}

function members(object: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(object).slice(1, -1);
}
