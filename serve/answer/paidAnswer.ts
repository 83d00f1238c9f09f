import type { LastRun } from '../../data/contract/release/releaseFiles.ts';
import type { Admit } from '../access/accessDecision.ts';
import type { Coding } from '../body/openBodies.ts';
import { costOf } from '../body/servableHeaders.ts';
import type { Outgoing } from '../exchange.ts';
import type { Found } from '../find/servable/findInput.ts';
import { matchesTag, type Servable } from '../find/servable/servable.ts';
import type { RateState } from '../http/rateLimit.ts';
import { withCallHeaders } from '../http/standardHeaders.ts';

/** What the answers of one call need beside the servable. */
export type PaidCall = {
  readonly servable: Servable;
  readonly requestId: string;
  readonly rate: RateState | null;
  /** Coding of a paid body that the client prefers (I9.20). */
  readonly coding: Coding;
  readonly ifNoneMatch: string | undefined;
  readonly startedMs: number;
  readonly nowMs: number;
};

/** What an admitted answer says of its call. */
export type Admission = {
  readonly admit: Admit;
  readonly lookup: Found['lookup'];
  /** How the last night ended; null unless the body shows it. */
  readonly lastRun: LastRun | null;
};

/** 200 or 304 of an admitted call, HEAD without body (I4.24–I4.28, I9.12). */
export function paidAnswer(call: PaidCall, { admit, lookup, lastRun }: Admission): Outgoing {
  const { servable } = call;
  const { receipt } = admit;
  const { body } = servable;
  const coding = body.codingOf(call.coding);
  const record = {
    requestId: call.requestId,
    route: servable.route.id,
    code: null,
    receiptId: receipt?.receiptId ?? null,
    apiKeyId: admit.apiKeyId,
  };
  const headers = withCallHeaders(servable.headers.admitted[coding], call);
  if (receipt === null) {
    headers.push(...servable.headers.head);
    return { status: 200, headers, body: [], record, done: () => admit.done('delivered') };
  }
  headers.push('X-Receipt-Id', receipt.receiptId, 'X-Reconciliation-Key', receipt.reconciliationKey);
  headers.push('X-Charge-Status', receipt.chargeStatus, 'X-Cost-USD', costOf(receipt));
  for (const text of admit.headers) headers.push(text);
  if (call.ifNoneMatch !== undefined && matchesTag(call.ifNoneMatch, body.tagIn(coding))) {
    return { status: 304, headers, body: [], record, done: admit.done };
  }
  const { nowMs, startedMs, requestId } = call;
  const latencyMs = Math.max(0, Math.round(nowMs - startedMs));
  const finished = body.finish(
    { receipt, replayed: admit.replayed, requestId, servedMs: nowMs, latencyMs, lookup, lastRun },
    coding,
  );
  for (const text of finished.headers) headers.push(text);
  return { status: 200, headers, body: finished.chunks, record, done: admit.done };
}
