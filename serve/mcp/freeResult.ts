import { discoveryMembers } from '../../data/contract/billing/billingEnvelope.ts';
import { routeUri } from '../../data/contract/routes/route.ts';
import { exactTokens, tokenAt } from '../../data/contract/tools/exactTokens.ts';
import type { OfferedTool } from '../../data/contract/tools/offeredTools.ts';
import { versions } from '../../data/contract/values/versions.ts';
import { grantMembers } from '../body/grantMembers.ts';
import type { Coding } from '../body/openBodies.ts';
import type { Outgoing } from '../exchange.ts';
import type { FreeDocument } from '../free/freeDocument.ts';
import type { RoutePlan } from '../routing/routePlan.ts';
import type { FailingCall } from './failedCall.ts';
import { finishResult, type ResultCall } from './finishResult.ts';
import { frameAnswer } from './frameAnswer.ts';
import { askedArguments } from './readArguments.ts';
import { resultLead } from './resultLead.ts';
import { type BodyInput, type ToolBody, toolBody } from './toolBody.ts';

/** What a free result is told with beside its data. */
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
