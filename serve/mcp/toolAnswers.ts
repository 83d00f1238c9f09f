import { discoveryMembers } from '../../data/contract/billing/billingEnvelope.ts';
import type { LastRun } from '../../data/contract/release/releaseFiles.ts';
import { routeUri } from '../../data/contract/routes/route.ts';
import { exactTokens, tokenAt } from '../../data/contract/tools/exactTokens.ts';
import type { OfferedTool } from '../../data/contract/tools/offeredTools.ts';
import { ageMinutes } from '../../data/contract/values/instant.ts';
import { versions } from '../../data/contract/values/versions.ts';
import type { Admit } from '../access/accessDecision.ts';
import { grantMembers } from '../body/billingColumn.ts';
import type { Coding } from '../body/openBodies.ts';
import { costOf } from '../body/servableHeaders.ts';
import type { Outgoing } from '../exchange.ts';
import type { FreeDocument } from '../free/discoveryDocuments.ts';
import type { RoutePlan } from '../routing/routePlan.ts';
import { askedArguments } from './endpointCall.ts';
import { type FailingCall, frameAnswer } from './frameAnswer.ts';
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
export type FreeMoment = { readonly latencyMs: number; readonly coding: Coding };

/** Prepares the results of free tools, each document once. */
export function freeBodies(): (
  document: FreeDocument,
  input: Pick<BodyInput, 'offered' | 'names'> & { readonly plan: RoutePlan },
) => ToolBody {
  const known = new WeakMap<FreeDocument, ToolBody>();
  return (document, { offered, names, plan }) => {
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
      asked: askedArguments(plan, plan.route),
    });
    known.set(document, made);
    return made;
  };
}

/** The result of a tool that costs nothing and asks for no credential. */
export function freeResult(
  call: FailingCall,
  {
    body,
    offered,
    sourceDate,
    latencyMs,
    coding,
  }: FreeMoment & {
    readonly body: ToolBody;
    readonly offered: OfferedTool;
    readonly sourceDate: string | null;
  },
): Outgoing {
  const uri = offered.route === null ? 'POST /mcp' : routeUri(offered.route);
  const provenance = {
    source_date: sourceDate,
    computed_at_utc: null,
    artifact_version: null,
    evidence_hash: null,
    freshness_window_hours: null,
  };
  const lead = resultLead(provenance, body.followUps);
  const result: ResultCall = {
    id: call.id,
    serveTime: {},
    provenance,
    ageMinutes: null,
    accounts: [`${lead}${freeAccounts({ requestId: call.requestId, routeUri: uri, latencyMs })}`],
    caveats: [],
    meta: {},
  };
  return frameAnswer(call, finishResult(body, result, coding).chunks, { coding });
}

/** The accounts of a call that is free, and the brace after them (I5.46, column discovery). */
function freeAccounts({
  requestId,
  routeUri,
  latencyMs,
}: {
  requestId: string;
  routeUri: string;
  latencyMs: number;
}): string {
  const members = {
    usage_metadata: { estimated_cost_usd: 0, elapsed_ms: latencyMs, tokens_used: 0, authoritative: false },
    billing: {
      billing_contract_version: versions.billing,
      request_id: requestId,
      route_uri: routeUri,
      ...discoveryMembers,
      ...grantMembers(null),
    },
    settlement_receipt: null,
    response_metadata: null,
  };
  return JSON.stringify(members).slice(1);
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
