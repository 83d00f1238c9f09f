import type { z } from 'zod';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { type Route, routeUri } from '../../data/contract/routes/route.ts';
import type { BuiltVisualTool } from '../../data/contract/tools/visualTools.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { clientLeft } from '../access/accessDecision.ts';
import type { Gate } from '../access/gate.ts';
import { type Coding, openBodies } from '../body/openBodies.ts';
import { envelopedBody, servableHeaders } from '../body/servableBody.ts';
import type { Outgoing } from '../exchange.ts';
import { missError } from '../problem/missError.ts';
import { requestFingerprint } from '../routing/routePlan.ts';
import type { VisualAnswer, VisualAsk, VisualRefusal } from '../visual/visualCall.ts';
import type { VisualThread } from '../visual/visualThread.ts';
import { type AskedTool, callMoment, type EndpointCall, unknownArgument } from './endpointCall.ts';
import { accessFailure, toolFailure, toolRefusal } from './jsonRpc.ts';
import { soldAnswer } from './toolAnswers.ts';
import { readingPrinter, resultLead, structuredPiece } from './toolBody.ts';
import { sourceHeaders, type ToolSource } from './toolSource.ts';

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
 * them, so nothing is rendered for anyone else and no payment is read (I4.VIS.1); the receipt is written once there is
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
      // without a key nothing else that was sent is read
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
      way: null,
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

/**
 * Reads the arguments of a visual tool; what is inside a contract is judged by the tool itself (I4.VIS.10).
 *
 * @throws IssuerError `unknown_parameter`, `missing_parameter` or `invalid_parameter` (I4.MCP.24)
 */
function visualArguments(
  { name, forms }: BuiltVisualTool,
  args: Readonly<Record<string, unknown>>,
): VisualAsk {
  const read = forms.args.safeParse(args);
  // the table gives each tool its own form
  if (read.success) return { tool: name, args: read.data } as VisualAsk;
  const allowed = Object.keys(forms.args.shape);
  const [issue] = read.error.issues;
  if (issue === undefined) throw new RangeError('a failed reading has an issue');
  throw argumentError(issue, { args, allowed });
}

function argumentError(
  issue: z.core.$ZodIssue,
  { args, allowed }: { args: Readonly<Record<string, unknown>>; allowed: readonly string[] },
): IssuerError {
  if (issue.code === 'unrecognized_keys') return unknownArgument(issue.keys[0] ?? '', allowed);
  const parameter = String(issue.path[0] ?? '');
  if (!Object.hasOwn(args, parameter))
    return new IssuerError({
      code: 'missing_parameter',
      message: `The argument ${parameter} is missing.`,
      hint: 'intel_help with the name of the tool says what it takes.',
      details: { parameter },
    });
  return new IssuerError({
    code: 'invalid_parameter',
    message: `The argument ${parameter} is not valid: ${issue.message}.`,
    hint: 'intel_help with the name of the tool says what it takes.',
    details: { parameter, reason: issue.code, pointer: `/${issue.path.map(String).join('/')}` },
  });
}

/** A finished answer of a visual tool as the gate and the receipts know answers (I4.VIS.1, P1.3). */
function visualSource({
  answer,
  tool,
  endpoint,
  names,
}: {
  answer: VisualAnswer;
  tool: BuiltVisualTool;
  /** The row of the tool endpoint. */
  endpoint: Route;
  /** Names of the tools a follow-up may name. */
  names: ReadonlySet<string>;
}): ToolSource {
  const { artifact, priceMicroUsd } = answer;
  const { schemaId } = tool.forms;
  const followUps = answer.followUps.filter(({ tool: next }) => names.has(next));
  const route: Route = {
    ...endpoint,
    priceMicroUsd,
    schemaId,
    keyScope: 'visual',
    description: `Tool ${tool.name}: ${tool.what}`,
  };
  const sourceDate = artifact.madeAt.slice(0, 10);
  const content = Buffer.from(answer.content);
  const bodies = openBodies({ open: content });
  const named = {
    route,
    priceMicroUsd,
    sourceDate,
    artifactKey: artifact.key,
    artifactVersion: `${sourceDate}+${artifact.sha256.slice(0, 12)}`,
    artifactSha256: artifact.sha256,
    computedAt: artifact.madeAt,
    subject: null,
  };
  const facts = {
    ...named,
    cacheHit: artifact.found,
    payloadMode: 'compact',
    said: { qualityFlags: [], caveats: [] },
  };
  const body = envelopedBody({ bodies, tag: artifact.sha256.slice(0, 32), facts, serveTime: null });
  // a picture is of no slice
  const provenance = {
    source_date: null,
    computed_at_utc: artifact.madeAt,
    artifact_version: named.artifactVersion,
    evidence_hash: null,
    freshness_window_hours: null,
    artifact_key: artifact.key,
    payload_sha256: answer.dataSha256,
  };
  return {
    servable: {
      ...named,
      body,
      counts: null,
      priceComponents: null,
      routeUri: routeUri(route),
      tool: tool.name,
      headers: servableHeaders({ ...named, body }),
      repriced: new Map(),
      challenges: new WeakMap(),
    },
    body: {
      structured: structuredPiece(content.toString('utf8')),
      reading: readingPrinter(answer.figures, followUps),
      followUps,
      dataBytes: answer.dataBytes,
      rowCount: null,
      evidenceHash: null,
    },
    lead: resultLead(provenance, followUps),
    serveTime: null,
    lookup: null,
    caveats: [],
    provenance,
    headers: sourceHeaders(named),
  };
}
