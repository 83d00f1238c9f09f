import { z } from 'zod';
import { type Route, routeUri } from '../../data/contract/routes/route.ts';
import { figuresBases, qualityFlags } from '../../data/contract/values/enums.ts';
import { isPlaceholder } from '../../data/contract/values/filingUrl.ts';
import { instant } from '../../data/contract/values/instant.ts';
import { versions } from '../../data/contract/values/versions.ts';
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

/** What an answer is about: an issuer by its canonical ticker, a product by its id, or nothing in particular. */
export type Subject =
  | { readonly kind: 'issuer'; readonly ticker: string }
  | { readonly kind: 'product'; readonly product: string };

/** What is known of an envelope before the call. */
export type EnvelopeFacts = {
  readonly route: Route;
  readonly priceMicroUsd: number;
  readonly sourceDate: string;
  readonly computedAt: string;
  readonly subject: Subject | null;
  readonly cacheHit: boolean;
  readonly payloadMode: string;
  readonly artifactKey: string;
  readonly artifactVersion: string;
  readonly artifactSha256: string;
  readonly payloadSha256: string;
  readonly said: PayloadCaveats;
  /** Hash that the payload states over what it rests on; none for most. */
  readonly evidence?: { readonly hash: string; readonly version: string };
};

const sourceBoundary = [
  'Attributes this call to its caller and names the artifact that was served.',
  'It is no invoice and proves nothing on a chain.',
];
/** Of a receipt without a payment behind it. */
export const noSettlement: Settlement = {
  provider: null,
  network: null,
  authorizationHash: null,
  gatewayTransferId: null,
  batchId: null,
  settlementTxHash: null,
  grant: null,
};

/**
 * Prepares the envelopes of one servable: what is known before the call is printed once, for keys at the start and for
 * another column of I5.46 when it is first needed.
 */
export function envelopePrinter(facts: EnvelopeFacts): EnvelopePrinter {
  // the fast path of keys: only ids and times are left to print (column "api key" of I5.46)
  const settlementMode = 'api_key_not_charged';
  const byKey = prepared(
    layout({
      facts,
      column: {
        settlementMode,
        chargeStatus: 'not_charged',
        quotedMicro: facts.priceMicroUsd,
        grant: null,
        replayed: false,
      },
      own: ownMembers({ settlementMode, chargedMicro: 0, qualityFlags: [] }),
    }),
  );
  const known = new Map<string, Layout<ConstantPiece>>();

  function layoutFor({ receipt, replayed }: EnvelopeCall): Layout<ConstantPiece | string> {
    const { settlementMode, chargeStatus, quotedMicro, settlement } = receipt;
    if (settlementMode === 'api_key_not_charged' && !replayed) return byKey;
    const grant = settlement?.grant ?? null;
    const column = { settlementMode, chargeStatus, quotedMicro, grant, replayed };
    // the values of a grant change with every call, so nothing of them is cached
    if (grant !== null) return layout({ facts, column, own: null });
    const key = `${settlementMode} ${chargeStatus} ${quotedMicro} ${replayed}`;
    const found = known.get(key) ?? prepared(layout({ facts, column, own: null }));
    known.set(key, found);
    return found;
  }

  return (call, serveTime) => {
    const found = layoutFor(call);
    const { requestId, latencyMs } = call;
    const own = found === byKey ? '' : `${ownMembers(call.receipt)},`;
    return [
      `,${serveTime}"request_id":"${requestId}",`,
      found.head,
      `"request_id":"${requestId}"}},"usage_metadata":{"elapsed_ms":${latencyMs},`,
      found.middle,
      `${own}${callMembers(call)}`,
      found.end,
    ];
  };
}

function prepared({ head, middle, end }: Layout<string>): Layout<ConstantPiece> {
  return { head: constantPiece(head), middle: constantPiece(middle), end: constantPiece(end) };
}

/** The pieces between the values of a call; this is the one place that says how an envelope is laid out (I5.44). */
type Layout<P> = { readonly head: P; readonly middle: P; readonly end: P };

/** Everything of a receipt that decides the billing members. */
type Column = Pick<EnvelopeReceipt, 'settlementMode' | 'chargeStatus' | 'quotedMicro'> & {
  readonly grant: GrantTerms | null;
  readonly replayed: boolean;
};

type LaidOut = {
  readonly facts: EnvelopeFacts;
  readonly column: Column;
  /** Members of the receipt that are the same in every call of the column; null where they differ. */
  readonly own: string | null;
};

function layout({ facts, column, own }: LaidOut): Layout<string> {
  const billing = billingColumn(column.settlementMode, column);
  const quoted = column.quotedMicro / 1e6;
  const uri = routeUri(facts.route);
  const request = `"billing_contract_version":"${versions.billing}",${members({ route_uri: uri, ...billing })}`;
  const receipt = members({
    schema_id: versions.settlementReceipt,
    route_uri: uri,
    quoted_cost_usd: quoted,
    source_boundary: sourceBoundary,
  });
  const { subject } = facts;
  const metadata = members({
    route_uri: uri,
    schema_id: facts.route.schemaId,
    source_date: facts.sourceDate,
    computed_at_utc: facts.computedAt,
    ticker: subject?.kind === 'issuer' ? subject.ticker : null,
    product: subject?.kind === 'product' ? subject.product : null,
    cost_usd: billing.cost_usd,
    billing_mode: billing.billing_mode,
    billing_status: billing.billing_status,
    cache_hit: facts.cacheHit,
    replayed: column.replayed,
    payload_mode: facts.payloadMode,
    quality_flags: facts.said.qualityFlags,
    caveats: facts.said.caveats,
    evidence_hash: facts.evidence?.hash ?? null,
    evidence_hash_version: facts.evidence?.version ?? null,
    artifact_key: facts.artifactKey,
    artifact_version: facts.artifactVersion,
    artifact_sha256: facts.artifactSha256,
    payload_sha256: facts.payloadSha256,
  });
  return {
    head: `${request},"billing":{"request":{${request},`,
    middle: `"estimated_cost_usd":${quoted},"tokens_used":0,"authoritative":false},"settlement_receipt":{${receipt},${own === null ? '' : `${own},`}`,
    end: `${metadata}}}`,
  };
}

type OwnReceipt = Pick<EnvelopeReceipt, 'chargedMicro' | 'settlementMode' | 'qualityFlags' | 'settlement'>;

function ownMembers({
  chargedMicro,
  settlementMode,
  qualityFlags,
  settlement = noSettlement,
}: OwnReceipt): string {
  return members({
    charged_amount_usdc: (chargedMicro / 1e6).toFixed(6),
    settlement_mode: settlementMode,
    provider: settlement.provider,
    network: settlement.network,
    payment_authorization_hash: settlement.authorizationHash,
    gateway_transfer_id: settlement.gatewayTransferId,
    batch_id: settlement.batchId,
    settlement_tx_hash: settlement.settlementTxHash,
    grant_id: settlement.grant?.grantId ?? null,
    grant_debit_usd: (settlement.grant?.debitMicro ?? 0) / 1e6,
    quality_flags: qualityFlags,
  });
}

// request ids match I4.27 and the other ids are ours: none of them needs escaping
function callMembers(call: EnvelopeCall): string {
  const { receipt, requestId, servedMs, latencyMs, lookup } = call;
  const payer = receipt.payerIdentity === null ? 'null' : JSON.stringify(receipt.payerIdentity);
  const asked = lookup === null ? 'null' : JSON.stringify(lookup);
  const responseId = receipt.responseId;
  const served = instant(servedMs);
  const created = receipt.createdMs === servedMs ? served : instant(receipt.createdMs);
  const updated = receipt.updatedMs === receipt.createdMs ? created : instant(receipt.updatedMs);
  return `"receipt_id":"${receipt.receiptId}","request_id":"${receipt.requestId}","response_id":"${responseId}","charge_status":"${receipt.chargeStatus}","payer_identity":${payer},"reconciliation_key":"${receipt.reconciliationKey}","created_at_utc":"${created}","updated_at_utc":"${updated}"},"response_metadata":{"request_id":"${requestId}","response_id":"${responseId}","served_at_utc":"${served}","latency_ms":${latencyMs},"lookup":${asked},`;
}

function members(object: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(object).slice(1, -1);
}

/** What limits an answer, and what a reader should know of its figures (I4.31b). */
export type PayloadCaveats = {
  readonly qualityFlags: readonly string[];
  readonly caveats: readonly string[];
};

/** Rows of issuers are far smaller; what is larger is a history or a list, whose rows speak for themselves. */
const maxBytes = 256 * 1024;

const shown = z.object({
  accession_number: z.string().optional().catch(undefined),
  quality_flag: z.enum(qualityFlags).optional().catch(undefined),
  facts: z.record(z.string(), z.record(z.string(), z.unknown())).catch({}),
});
const row = shown.extend({
  figures_basis: z.enum(figuresBases).optional().catch(undefined),
  treasury_relevance: z.string().nullish().catch(undefined),
  arcs_authored: z.boolean().optional().catch(undefined),
  data_quality_notes: z.array(z.string()).catch([]),
  provenance: shown.optional().catch(undefined),
  quality_flags: z.array(z.string()).catch([]),
  caveats: z.array(z.string()).catch([]),
});

/**
 * Reads from the payload about one issuer what its envelope repeats: grade, basis, relevance and notes; from one about a
 * product its own flags and caveats. What the slice lacks as a whole limits every answer of it.
 *
 * @param open the stored object without its closing brace; null for an answer about no single subject
 */
export function payloadCaveats({
  open,
  sliceStatus,
}: {
  readonly open: Buffer | null;
  readonly sliceStatus: 'complete' | 'partial';
}): PayloadCaveats {
  const partial = sliceStatus === 'partial' ? ['partial_slice'] : [];
  if (open === null || open.length > maxBytes) return { qualityFlags: partial, caveats: [] };
  const found = row.parse(JSON.parse(`${open.toString('utf8')}}`));
  const { provenance, figures_basis: basis, treasury_relevance: relevance } = found;
  const quality = found.quality_flag ?? provenance?.quality_flag;
  const accession = found.accession_number ?? provenance?.accession_number;
  const facts = Object.values(provenance?.facts ?? {});
  const when = (holds: boolean, ...words: string[]) => (holds ? words : []);
  return {
    qualityFlags: [
      ...found.quality_flags,
      ...when(quality === 'Medium' || quality === 'Low', `quality_${quality?.toLowerCase()}`),
      ...when(basis !== undefined && basis !== 'resolved', `${basis}`),
      ...when(relevance === 'incidental' || relevance === 'none', `treasury_${relevance}`),
      ...when(found.arcs_authored === true, 'arcs_authored'),
      ...partial,
    ],
    caveats: [
      ...new Set([
        ...found.data_quality_notes,
        ...found.caveats,
        ...when(accession !== undefined && isPlaceholder(accession), 'accession_placeholder'),
        ...when(
          facts.some((fact) => !('decimals' in fact)),
          'decimals_not_at_hand',
        ),
      ]),
    ].sort(),
  };
}
