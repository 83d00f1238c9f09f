import type { LastRun } from '../../data/contract/release/releaseFiles.ts';
import { ageMinutes } from '../../data/contract/values/ageMinutes.ts';
import type { Admit } from '../access/accessDecision.ts';
import { costOf } from '../body/costOf.ts';
import type { Coding } from '../body/openBodies.ts';
import type { Outgoing } from '../exchange.ts';
import type { FailingCall } from './failedCall.ts';
import { finishResult } from './finishResult.ts';
import { frameAnswer } from './frameAnswer.ts';
import type { ToolSource } from './toolSource.ts';

/** The moment of an answer. */
export type Moment = {
  readonly nowMs: number;
  readonly latencyMs: number;
  readonly coding: Coding;
  /** How the last night ended; null unless the data shows it. */
  readonly lastRun: LastRun | null;
};

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
      accounts: source.print(envelope),
      caveats: source.caveats,
      meta: admit.meta,
    },
    coding,
  );
  const headers = source.headers.slice();
  headers.push('X-Receipt-Id', receipt.receiptId, 'X-Reconciliation-Key', receipt.reconciliationKey);
  headers.push('X-Charge-Status', receipt.chargeStatus, 'X-Cost-USD', costOf(receipt));
  headers.push('Content-Digest', finished.contentDigest, 'Repr-Digest', finished.contentDigest);
  for (const text of admit.headers) headers.push(text);
  const record = { receiptId: receipt.receiptId, apiKeyId: admit.apiKeyId };
  return frameAnswer(call, finished.chunks, { headers, coding, record, done: admit.done });
}

const nothing = {};
