import { routeUri } from '../../data/contract/routes/route.ts';
import { exactTokens, tokenAt } from '../../data/contract/tools/exactTokens.ts';
import type { OfferedTool } from '../../data/contract/tools/offeredTools.ts';
import type { Coding } from '../body/openBodies.ts';
import type { Outgoing } from '../exchange.ts';
import type { FreeDocument } from '../free/freeDocument.ts';
import type { RoutePlan } from '../routing/routePlan.ts';
import { freeAccounts } from './accounts.ts';
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
