import type { LastRun } from '../../data/contract/release/releaseFiles.ts';
import { exactTokens, tokenAt } from '../../data/contract/tools/exactTokens.ts';
import { ageMinutes, instant } from '../../data/contract/values/instant.ts';
import type { Admit } from '../access/accessDecision.ts';
import { billingColumn } from '../body/billingColumn.ts';
import type { EnvelopeCall } from '../body/envelope.ts';
import type { Coding } from '../body/openBodies.ts';
import { usd } from '../body/servableBody.ts';
import type { Outgoing } from '../exchange.ts';
import type { FreeDocument } from '../free/discoveryDocuments.ts';
import { type FailingCall, frameAnswer } from './jsonRpc.ts';
import {
  type BodyInput,
  finishResult,
  type ResultCall,
  resultLead,
  type ToolBody,
  toolBody,
} from './toolBody.ts';
import type { ToolSource } from './toolSource.ts';

/** What a free result prints beside its data. */
export type FreeMoment = { readonly coding: Coding };

/** Prepares the results of free tools, each document once. */
export function freeBodies(): (
  document: FreeDocument,
  input: Pick<BodyInput, 'offered' | 'names' | 'asked'>,
) => ToolBody {
  const known = new WeakMap<FreeDocument, ToolBody>();
  return (document, { offered, names, asked }) => {
    const before = known.get(document);
    if (before !== undefined) return before;
    const open = document.bytes.subarray(0, -1);
    const date = tokenAt(exactTokens(document.bytes.toString('utf8')), 'source_date');
    const made = toolBody({
      offered,
      names,
      open,
      subject: null,
      sourceDate: typeof date === 'string' ? date : null,
      asked,
    });
    known.set(document, made);
    return made;
  };
}

/** The result of a tool that costs nothing and asks for no credential. */
export function freeResult(
  call: FailingCall,
  { body, sourceDate, coding }: FreeMoment & { readonly body: ToolBody; readonly sourceDate: string | null },
): Outgoing {
  const provenance = {
    source_date: sourceDate,
    computed_at_utc: null,
    artifact_version: null,
    evidence_hash: null,
    freshness_window_hours: null,
    artifact_key: null,
    payload_sha256: null,
  };
  const result: ResultCall = {
    id: call.id,
    serveTime: {},
    provenance,
    ageMinutes: null,
    lead: resultLead(provenance, body.followUps),
    billing: freeBilling(call.requestId),
    caveats: [],
    meta: {},
  };
  return frameAnswer(call, finishResult(body, result, coding).chunks, { coding });
}

/** The moment of an answer. */
type Moment = {
  readonly nowMs: number;
  readonly latencyMs: number;
  readonly coding: Coding;
  /** How the last night ended; null unless the data shows it. */
  readonly lastRun: LastRun | null;
};

const nothing = {};

/** The result of a call that was paid or covered (I4.MCP.15, I4.MCP.23). */
export function soldAnswer(
  call: FailingCall,
  source: ToolSource,
  { admit, nowMs, latencyMs, coding, lastRun }: Moment & { readonly admit: Admit },
): Outgoing {
  const { servable, body } = source;
  const { receipt } = admit;
  if (receipt === null) throw new RangeError('a tool call has a receipt');
  const envelope = {
    receipt,
    replayed: admit.replayed,
    requestId: call.requestId,
    servedMs: nowMs,
    latencyMs,
    lookup: source.lookup,
  };
  const finished = finishResult(
    body,
    {
      id: call.id,
      serveTime: source.serveTime?.at({ nowMs, latencyMs, lastRun }) ?? nothing,
      provenance: source.provenance,
      ageMinutes: ageMinutes(servable.computedAt, nowMs),
      lead: source.lead,
      billing: soldBilling(envelope),
      caveats: source.caveats,
      meta: admit.meta,
    },
    coding,
  );
  const headers = source.headers.slice();
  headers.push('X-Receipt-Id', receipt.receiptId, 'X-Reconciliation-Key', receipt.reconciliationKey);
  headers.push('X-Charge-Status', receipt.chargeStatus, 'X-Cost-USD', usd(receipt.chargedMicro));
  headers.push('Content-Digest', finished.contentDigest, 'Repr-Digest', finished.contentDigest);
  for (const text of admit.headers) headers.push(text);
  const record = { receiptId: receipt.receiptId, apiKeyId: admit.apiKeyId };
  return frameAnswer(call, finished.chunks, { headers, coding, record, done: admit.done });
}

/** What a call that was paid or covered cost; what its mode or its receipt says of every such call is omitted (I4.MCP.34). */
export function soldBilling({ receipt, replayed, requestId }: EnvelopeCall): object {
  const { settlementMode, chargeStatus, quotedMicro, settlement } = receipt;
  const grant = settlement?.grant ?? null;
  const column = billingColumn(settlementMode, { chargeStatus, quotedMicro, grant });
  const hash = settlement?.settlementTxHash ?? null;
  return {
    billing_mode: column.billing_mode,
    billing_status: column.billing_status,
    cost_usd: column.cost_usd,
    quoted_cost_usd: column.quoted_cost_usd,
    charge_status: chargeStatus,
    receipt_id: receipt.receiptId,
    reconciliation_key: receipt.reconciliationKey,
    request_id: requestId,
    ...(hash === null ? {} : { settlement_tx_hash: hash }),
    ...(replayed ? { replayed } : {}),
    ...(grant === null
      ? {}
      : {
          grant_id: grant.grantId,
          grant_debit_usd: grant.debitMicro / 1e6,
          grant_remaining_usd: grant.remainingMicro / 1e6,
          grant_expires_at: instant(grant.expiresMs),
        }),
  };
}

/** The same of a call that costs nothing (I5.46, column discovery). */
export function freeBilling(requestId: string): object {
  return {
    billing_mode: 'public_discovery',
    billing_status: 'discovery_only',
    cost_usd: 0,
    request_id: requestId,
  };
}
