import { type Route, routeUri } from '../../contract/route.ts';
import { versions } from '../../contract/versions.ts';
import { type IsoInstants, isoInstants } from '../log/isoInstants.ts';
import { type BillingColumn, billingColumn, type GrantTerms } from './billingColumn.ts';
import { type ConstantPiece, constantPiece, type Suffix } from './splice.ts';

/** What the receipt of one answer says (I5.48); money is micro-USD. */
export type EnvelopeReceipt = {
  readonly receiptId: string;
  readonly reconciliationKey: string;
  readonly responseId: string;
  readonly requestId: string;
  readonly settlementMode: BillingColumn;
  readonly chargeStatus: string;
  readonly quotedMicro: number;
  readonly chargedMicro: number;
  readonly payerIdentity: string | null;
  readonly qualityFlags: readonly string[];
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly settlement?: Settlement;
};

/** What a receipt says beyond an uncharged one: the payment behind it, or the grant. */
export type Settlement = {
  readonly provider: string | null;
  readonly network: string | null;
  /** lower-case hex */
  readonly authorizationHash: string | null;
  readonly gatewayTransferId: string | null;
  readonly batchId: string | null;
  readonly settlementTxHash: string | null;
  readonly grant: GrantTerms | null;
};

/** What differs from one answer of the same servable to the next. */
export type EnvelopeCall = {
  readonly receipt: EnvelopeReceipt;
  readonly replayed: boolean;
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

/** What is known of an envelope before anybody pays. */
export type EnvelopeFacts = {
  readonly route: Route;
  readonly priceMicroUsd: number;
  readonly sourceDate: string;
  readonly computedAt: string;
  readonly ticker: string | null;
  readonly cacheHit: boolean;
  readonly payloadMode: string;
  readonly artifactKey: string;
  readonly artifactVersion: string;
  readonly artifactSha256: string;
  readonly payloadSha256: string;
};

const sourceBoundary = [
  'Attributes this call to its caller and names the artifact that was served.',
  'It is no invoice and proves nothing on a chain.',
];
const noSettlement: Settlement = {
  provider: null,
  network: null,
  authorizationHash: null,
  gatewayTransferId: null,
  batchId: null,
  settlementTxHash: null,
  grant: null,
};

/**
 * Prepares the envelopes of one servable: everything known before the call is printed once, for keys at the start
 * and for a column of I5.46 when it is first needed.
 */
export function envelopePrinter(facts: EnvelopeFacts): EnvelopePrinter {
  const instants = isoInstants();
  const byKey = uncharged(facts, instants);
  const charged = new Map<string, Pieces>();

  function piecesOf(receipt: EnvelopeReceipt, replayed: boolean): Pieces {
    // the values of a grant change with every call, so nothing of them is kept
    const grant = receipt.settlement?.grant ?? null;
    if (grant !== null) return pieces(facts, receipt, replayed);
    const { settlementMode, chargeStatus, quotedMicro } = receipt;
    const key = `${settlementMode} ${chargeStatus} ${quotedMicro} ${replayed}`;
    let known = charged.get(key);
    if (known === undefined) {
      known = pieces(facts, receipt, replayed);
      charged.set(key, known);
    }
    return known;
  }

  return (call, serveTime) => {
    const { receipt } = call;
    if (receipt.settlementMode === 'api_key_not_charged' && !call.replayed) return byKey(call, serveTime);
    const { head, middle, end } = piecesOf(receipt, call.replayed);
    const settlement = receipt.settlement ?? noSettlement;
    const own = members({
      charged_amount_usdc: (receipt.chargedMicro / 1e6).toFixed(6),
      settlement_mode: receipt.settlementMode,
      provider: settlement.provider,
      network: settlement.network,
      payment_authorization_hash: settlement.authorizationHash,
      gateway_transfer_id: settlement.gatewayTransferId,
      batch_id: settlement.batchId,
      settlement_tx_hash: settlement.settlementTxHash,
      grant_id: settlement.grant?.grantId ?? null,
      grant_debit_usd: (settlement.grant?.debitMicro ?? 0) / 1e6,
      quality_flags: receipt.qualityFlags,
    });
    return [
      `,${serveTime}"request_id":"${call.requestId}",`,
      head,
      `"request_id":"${call.requestId}"}},"usage_metadata":{"elapsed_ms":${call.latencyMs},`,
      middle,
      `${own},${callMembers(call, instants)}`,
      end,
    ];
  };
}

type Pieces = {
  readonly head: ConstantPiece | string;
  readonly middle: ConstantPiece | string;
  readonly end: ConstantPiece | string;
};

function pieces(facts: EnvelopeFacts, receipt: EnvelopeReceipt, replayed: boolean): Pieces {
  const grant = receipt.settlement?.grant ?? null;
  const column = billingColumn(receipt.settlementMode, { ...receipt, grant });
  const quoted = receipt.quotedMicro / 1e6;
  const uri = routeUri(facts.route);
  const request = `"billing_contract_version":"${versions.billing}",${members({ route_uri: uri, ...column })}`;
  const receiptConstants = members({
    schema_id: versions.settlementReceipt,
    route_uri: uri,
    quoted_cost_usd: quoted,
    source_boundary: sourceBoundary,
  });
  const { cost_usd, billing_mode, billing_status } = column;
  const constants = metadata(facts, { cost_usd, billing_mode, billing_status, replayed });
  const prepared = {
    head: `${request},"billing":{"request":{${request},`,
    middle: `"estimated_cost_usd":${quoted},"tokens_used":0,"authoritative":false},"settlement_receipt":{${receiptConstants},`,
    end: `${members(constants)}}}`,
  };
  if (grant !== null) return prepared;
  return {
    head: constantPiece(prepared.head),
    middle: constantPiece(prepared.middle),
    end: constantPiece(prepared.end),
  };
}

// the fast path of keys: only ids and times are left to print (column "api key" of I5.46)
function uncharged(facts: EnvelopeFacts, instants: IsoInstants): EnvelopePrinter {
  const quoted = facts.priceMicroUsd / 1e6;
  const uri = routeUri(facts.route);
  const column = billingColumn('api_key_not_charged', {
    chargeStatus: 'not_charged',
    quotedMicro: facts.priceMicroUsd,
    grant: null,
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
  const constants = members(
    metadata(facts, {
      cost_usd: 0,
      billing_mode: column.billing_mode,
      billing_status: column.billing_status,
      replayed: false,
    }),
  );
  const request = `"billing_contract_version":"${versions.billing}",${members({ route_uri: uri, ...column })}`;
  const head = constantPiece(`${request},"billing":{"request":{${request},`);
  const middle = constantPiece(
    `"estimated_cost_usd":${quoted},"tokens_used":0,"authoritative":false},"settlement_receipt":{${receiptConstants},`,
  );
  const end = constantPiece(`${constants}}}`);
  return (call, serveTime) => [
    `,${serveTime}"request_id":"${call.requestId}",`,
    head,
    `"request_id":"${call.requestId}"}},"usage_metadata":{"elapsed_ms":${call.latencyMs},`,
    middle,
    callMembers(call, instants),
    end,
  ];
}

// request ids match I4.27 and the other ids are ours: none of them needs escaping
function callMembers(call: EnvelopeCall, instants: IsoInstants): string {
  const { receipt, requestId, servedMs, latencyMs, lookup } = call;
  const payer = receipt.payerIdentity === null ? 'null' : JSON.stringify(receipt.payerIdentity);
  const asked = lookup === null ? 'null' : JSON.stringify(lookup);
  const responseId = receipt.responseId;
  const served = instants.seconds(servedMs);
  const created = receipt.createdMs === servedMs ? served : instants.seconds(receipt.createdMs);
  const updated = receipt.updatedMs === receipt.createdMs ? created : instants.seconds(receipt.updatedMs);
  return `"receipt_id":"${receipt.receiptId}","request_id":"${receipt.requestId}","response_id":"${responseId}","charge_status":"${receipt.chargeStatus}","payer_identity":${payer},"reconciliation_key":"${receipt.reconciliationKey}","created_at_utc":"${created}","updated_at_utc":"${updated}"},"response_metadata":{"request_id":"${requestId}","response_id":"${responseId}","served_at_utc":"${served}","latency_ms":${latencyMs},"lookup":${asked},`;
}

function metadata(
  facts: EnvelopeFacts,
  o: { cost_usd: number; billing_mode: string; billing_status: string; replayed: boolean },
): Readonly<Record<string, unknown>> {
  return {
    route_uri: routeUri(facts.route),
    schema_id: facts.route.schemaId,
    source_date: facts.sourceDate,
    computed_at_utc: facts.computedAt,
    ticker: facts.ticker,
    product: null,
    cost_usd: o.cost_usd,
    billing_mode: o.billing_mode,
    billing_status: o.billing_status,
    cache_hit: facts.cacheHit,
    replayed: o.replayed,
    payload_mode: facts.payloadMode,
    quality_flags: [],
    caveats: [],
    evidence_hash: null,
    evidence_hash_version: null,
    artifact_key: facts.artifactKey,
    artifact_version: facts.artifactVersion,
    artifact_sha256: facts.artifactSha256,
    payload_sha256: facts.payloadSha256,
  };
}

function members(object: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(object).slice(1, -1);
}
