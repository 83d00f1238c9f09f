import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { clientLeft } from '../access/clientLeft.ts';
import type { Gate } from '../access/gate.ts';
import type { Coding } from '../body/openBodies.ts';
import type { Outgoing } from '../exchange.ts';
import { missError } from '../problem/missError.ts';
import { requestFingerprint } from '../routing/routePlan.ts';
import type { VisualRefusal } from '../visual/visualCall.ts';
import type { VisualThread } from '../visual/visualThread.ts';
import type { AskedTool } from './askedTool.ts';
import { callMoment } from './callMoment.ts';
import type { EndpointCall } from './endpointCall.ts';
import { accessFailure, toolFailure, toolRefusal } from './failedCall.ts';
import { soldAnswer } from './soldAnswer.ts';
import { visualArguments } from './visualArguments.ts';
import { type BuiltVisualTool, visualSource } from './visualSource.ts';

/** What calls of visual tools need. */
export type VisualDeps = {
  readonly gate: Gate;
  readonly visual: Pick<VisualThread, 'ask'>;
  readonly codingOf: (field: string | undefined) => Coding;
  nowMs(): number;
  ulid(): string;
};

/** A call of a visual tool that is built. */
export type VisualAsked = {
  readonly asked: AskedTool;
  readonly tool: BuiltVisualTool;
  readonly names: ReadonlySet<string>;
};

/**
 * Answers a visual tool: arguments, API key with the scope, work in the thread of V69, receipt, answer. A key alone opens
 * them, so nothing is drawn for anyone else and no payment is looked at (I4.VIS.1); the receipt is written once there is
 * an answer.
 */
export function visualCaller(
  deps: VisualDeps,
): (call: EndpointCall, visual: VisualAsked) => Promise<Outgoing> {
  const momentOf = callMoment(deps);
  return async (call, { asked, tool, names }) => {
    const { request, presented, plan } = call;
    let owner: string;
    let ask: ReturnType<typeof visualArguments>;
    try {
      ask = visualArguments(tool, asked.args);
    } catch (error) {
      return toolFailure(call, error);
    }
    try {
      // without a key nothing else that was sent is looked at
      if (deps.gate.shown(presented).apiKey)
        deps.gate.check({ presented, request, route: plan.route, canonicalPath: null });
      owner = deps.gate.keyHolder(presented, 'visual');
    } catch (error) {
      return accessFailure(call, error, 'http');
    }
    const { reply, argumentsSha256 } = await deps.visual.ask(
      { ...ask, owner, nowMs: deps.nowMs(), ulid: deps.ulid() },
      request.clientGone,
    );
    if (reply.kind !== 'answer') return refusalOf(call, tool, reply);
    // without a client nothing is recorded and nothing is sent (P1.13)
    if (request.clientGone()) return toolFailure(call, clientLeft());
    const source = visualSource({ answer: reply.answer, tool, endpoint: plan.route, names });
    const decision = await deps.gate.decide({
      nowMs: deps.nowMs(),
      presented,
      servable: source.servable,
      formerMicroUsd: null,
      rails: [],
      plan,
      requestId: call.requestId,
      head: false,
      fingerprint: fingerprintOf(tool.name, argumentsSha256),
      clientAddress: request.clientAddress,
      clientGone: request.clientGone,
    });
    if (decision.kind === 'refuse') return accessFailure(call, decision.error, 'http');
    if (decision.kind === 'challenge') throw new RangeError('a key is admitted or refused');
    try {
      return soldAnswer(call, source, { admit: decision, lastRun: null, ...momentOf(call, deps.nowMs()) });
    } catch (error) {
      // what fails after access is our fault, which the gate learns (P7.9)
      decision.done('undelivered', true);
      throw error;
    }
  };
}

/** Name and arguments, these by the hash of their RFC 8785 form (I4.MCP.21). */
function fingerprintOf(name: string, argumentsSha256: string): Uint8Array {
  const body = canonicalJson({ arguments_sha256: argumentsSha256, name });
  return requestFingerprint({ body, method: 'POST', path: '/mcp', query: '{}' });
}

type Overload = Exclude<Extract<VisualRefusal, { kind: 'overloaded' }>['why'], 'client_gone'>;

const overloadedText: Readonly<Record<Overload, string>> = {
  queue_full: 'Too many pictures are waiting to be drawn.',
  died: 'The picture could not be finished.',
  too_long: 'The picture took longer than it may.',
};

function refusalOf(call: EndpointCall, { name }: BuiltVisualTool, refusal: VisualRefusal): Outgoing {
  switch (refusal.kind) {
    case 'refused':
      return toolRefusal(call, { ...refusal.error, tool: name, billing_status: 'not_charged', cost_usd: 0 });
    case 'unknown':
      return toolFailure(
        call,
        missError(call.plan.route, {
          reasonCode: 'render_unknown',
          message: `There is no render ${refusal.receiptId} that this key may see.`,
          hint: 'Send the receipt_id of a render of your own, or of a public one.',
        }),
      );
    case 'store_failed':
      return toolFailure(
        call,
        new IssuerError({
          code: 'artifact_unavailable',
          message: refusal.why,
          hint: 'Nothing was charged; send the same call again later.',
          details: { artifact_key: refusal.key },
        }),
      );
    case 'overloaded':
      if (refusal.why === 'client_gone') return toolFailure(call, clientLeft());
      return toolFailure(
        call,
        new IssuerError({
          code: 'overloaded',
          message: overloadedText[refusal.why],
          hint: 'Nothing was charged; send the same call again later.',
        }),
      );
  }
}
