import type { Deployment } from '../../contract/emit/deployment.ts';
import { IssuerError } from '../../contract/errors/issuerError.ts';
import { priceAt } from '../../contract/routes/priceChange.ts';
import type { Route } from '../../contract/routes/route.ts';
import type { OfferedTool } from '../../contract/tools/offeredTools.ts';
import { maxResultBytes } from '../../contract/tools/toolProtocol.ts';
import type { FollowUpCall } from '../../contract/tools/toolResult.ts';
import type { VisualTool } from '../../contract/tools/visualTools.ts';
import { canonicalJson } from '../../contract/values/canonicalJson.ts';
import type { Decision } from '../access/accessDecision.ts';
import type { Gate } from '../access/gate.ts';
import type { ChallengeOptions } from '../answer/challenge.ts';
import { servedVersion } from '../answer/servedVersion.ts';
import type { StoredRun } from '../audit/newestRun.ts';
import type { Coding } from '../body/openBodies.ts';
import type { Outgoing } from '../exchange.ts';
import type { Found } from '../find/findInput.ts';
import type { ServableLocator } from '../find/locateServable.ts';
import { type DocumentDeps, documentOf } from '../free/documentOf.ts';
import { nearestLabels } from '../identity/nearestLabels.ts';
import { type RoutePlan, requestFingerprint } from '../routing/routePlan.ts';
import type { ArtifactStore, Snapshot } from '../store/artifactStore.ts';
import type { VisualThread } from '../visual/visualThread.ts';
import { type AskedTool, askedTool } from './askedTool.ts';
import { auditAnswer } from './auditSource.ts';
import { visualCaller } from './callVisual.ts';
import type { EndpointCall } from './endpointCall.ts';
import { accessFailure, toolFailure, toolRefusal } from './failedCall.ts';
import { frameAnswer } from './frameAnswer.ts';
import { freeBodies, freeResult } from './freeResult.ts';
import { type PaymentWay, paymentWay, type ShownPayment } from './paymentWay.ts';
import { askedArguments, type ReadArguments } from './readArguments.ts';
import { rpcError } from './rpcText.ts';
import { soldAnswer } from './soldAnswer.ts';
import { type ToolBody, toolBody } from './toolBody.ts';
import type { ToolCatalogue } from './toolCatalogue.ts';
import { toolChallenge } from './toolChallenge.ts';
import { type ToolSource, toolSources } from './toolSource.ts';

/** What tool calls need of the server. */
export type ToolDeps = {
  readonly deployment: Deployment;
  readonly gate: Gate;
  readonly store: ArtifactStore;
  readonly locate: ServableLocator;
  readonly challenges: ChallengeOptions;
  readonly codingOf: (field: string | undefined) => Coding;
  readonly free: Pick<DocumentDeps, 'discovery' | 'documents'>;
  nowMs(): number;
  readonly catalogueAt: (nowMs: number) => ToolCatalogue;
  readonly readArguments: ReadArguments;
  /** The newest run of the audit. */
  readonly newestRun: () => Promise<StoredRun | null>;
  /** A client that names its revision is asked for payment inside the call. */
  readonly inBandAuto: boolean;
  /** Draws and keeps pictures. */
  readonly visual: VisualThread;
  ulid(): string;
};

/** What the rest of a result takes beside its data: accounts, receipt, metadata, reading text. */
const restBytes = 8192;

/** Answers `tools/call`: tool, arguments, artifact, access, payment, answer; the first failure answers (I4.MCP.18). */
export type ToolCaller = (call: EndpointCall, params: unknown) => Promise<Outgoing>;

/** Makes the caller of tools. */
export function toolCaller(deps: ToolDeps): ToolCaller {
  const sources = toolSources();
  const bodies = freeBodies();
  const callVisual = visualCaller(deps);

  // plans are kept, and each is of one tool
  const fingerprints = new WeakMap<RoutePlan, Uint8Array>();
  function fingerprintOfPlan(name: string, plan: RoutePlan): Uint8Array {
    const made = fingerprints.get(plan) ?? fingerprintOf(name, askedArguments(plan, plan.route));
    fingerprints.set(plan, made);
    return made;
  }

  async function answerFree(call: EndpointCall, asked: KnownTool, plan: RoutePlan): Promise<Outgoing> {
    const { offered, names } = asked;
    const { route } = plan;
    const nowMs = deps.nowMs();
    const found = await documentOf(
      { route, params: plan.params, nowMs },
      { ...deps.free, snapshot: () => deps.store.snapshot() },
    );
    if (found === null) throw new RangeError(`${route.id} has no document`);
    const body = bodies(found, { offered, names, plan });
    const tooLarge = largerThanAllowed(call, body, { asked, plan });
    if (tooLarge !== null) return tooLarge;
    const sourceDate = route.answer?.kind === 'list' ? await currentDate(deps.store.snapshot()) : null;
    return freeResult(call, { body, offered, sourceDate, ...momentOf(call, nowMs) });
  }

  async function answerAudit(call: EndpointCall, asked: KnownTool, payment: ShownPayment): Promise<Outgoing> {
    const { offered, names, endpoint } = asked;
    const nowMs = deps.nowMs();
    const answer = await auditAnswer({ newest: deps.newestRun, offered, endpoint, names, nowMs });
    if (answer.kind === 'told') {
      const body = toolBody(answer.input);
      return freeResult(call, { body, offered, sourceDate: null, ...momentOf(call, nowMs) });
    }
    const fingerprint = fingerprintOf(asked.name, {});
    const sell = { asked, payment, fingerprint, again: async () => answer.source };
    return sellSource(call, answer.source, sell);
  }

  async function answerPaid(
    call: EndpointCall,
    asked: KnownTool,
    { plan, payment }: { plan: RoutePlan; payment: ShownPayment },
  ): Promise<Outgoing> {
    const { offered, names, endpoint } = asked;
    const snapshot = await deps.store.snapshot();
    const input = { offered, names, endpoint, plan, snapshot };
    const found = await deps.locate(plan, snapshot);
    const source = await sources(found, input);
    const tooLarge = largerThanAllowed(call, source.body, { asked, plan });
    if (tooLarge !== null) return tooLarge;
    const again = async (version: string): Promise<ToolSource> => {
      const served: Found = await servedVersion(plan, { artifactVersion: version, current: found }, deps);
      return served === found ? source : sources(served, input);
    };
    return sellSource(call, source, {
      asked,
      payment,
      fingerprint: fingerprintOfPlan(asked.name, plan),
      again,
    });
  }

  /** Access, payment and answer of what was found. */
  async function sellSource(call: EndpointCall, source: ToolSource, sell: Sell): Promise<Outgoing> {
    const { payment } = sell;
    const decision = await decide(call, source, sell);
    if (decision.kind === 'admit') {
      try {
        const version = decision.receipt?.artifactVersion;
        const isOther =
          decision.replayed && version !== undefined && version !== source.servable.artifactVersion;
        const served = isOther ? await sell.again(version) : source;
        const nowMs = deps.nowMs();
        const lastRun = served.serveTime?.showsLastRun === true ? await deps.store.lastRun() : null;
        return soldAnswer(call, served, { admit: decision, lastRun, nowMs, ...momentOf(call, nowMs) });
      } catch (error) {
        // what fails after access is our fault, which the gate learns (P7.9)
        decision.done('undelivered', true);
        throw error;
      }
    }
    const refusal = decision.kind === 'refuse' ? decision : null;
    if (refusal !== null && refusal.challenge === null)
      return accessFailure(call, refusal.error, payment.way);
    return toolChallenge(call, {
      servable: source.servable,
      plan: call.plan,
      provider: decision.kind === 'challenge' ? decision.provider : (refusal?.challenge?.provider ?? null),
      way: payment.way,
      deployment: deps.deployment,
      options: deps.challenges,
      refusal,
    });
  }

  async function decide(
    call: EndpointCall,
    { servable }: ToolSource,
    { payment, fingerprint, asked }: Sell,
  ): Promise<Decision> {
    // without a client nothing is claimed and nothing is sent (P1.13)
    if (call.request.clientGone())
      throw new IssuerError({ code: 'overloaded', message: 'The client left.', hint: '' });
    return deps.gate.decide({
      nowMs: deps.nowMs(),
      presented: payment.presented,
      servable,
      formerMicroUsd: asked.formerMicroUsd,
      plan: call.plan,
      requestId: call.requestId,
      head: false,
      fingerprint,
      clientAddress: call.request.clientAddress,
      clientGone: call.request.clientGone,
    });
  }

  function momentOf({ request, startedMs }: EndpointCall, nowMs: number) {
    const accepts = request.headers['accept-encoding']?.join(', ');
    return { latencyMs: Math.max(0, Math.round(nowMs - startedMs)), coding: deps.codingOf(accepts) };
  }

  /** How the call is paid, credentials judged as those of any paid route (I4.MCP.22). */
  function shownPayment(call: EndpointCall, { meta, endpoint }: KnownTool): ShownPayment {
    const { request, presented, plan } = call;
    const namesRevision = request.headers['mcp-protocol-version'] !== undefined;
    const payment = paymentWay({ gate: deps.gate, presented, meta, namesRevision, auto: deps.inBandAuto });
    deps.gate.check({ presented: payment.presented, request, route: endpoint, canonicalPath: null });
    const wantsKey = plan.params.values.get('paymentMode') === 'internal';
    if (wantsKey && !deps.gate.shown(presented).apiKey) throw keyRequired();
    return payment;
  }

  async function answerKnown(call: EndpointCall, asked: KnownTool): Promise<Outgoing> {
    const { route, priceMicroUsd } = asked.offered;
    let plan: RoutePlan | null;
    try {
      // arguments come before credentials
      plan = route === null ? readNoArguments(asked) : deps.readArguments(asked.name, route, asked.args);
    } catch (error) {
      return toolFailure(call, error);
    }
    if (plan !== null && priceMicroUsd === 0) return orFailure(call, () => answerFree(call, asked, plan));
    let payment: ShownPayment;
    try {
      payment = shownPayment(call, asked);
    } catch (error) {
      return accessFailure(call, error, wayOfFailure(call, asked));
    }
    return orFailure(call, () =>
      plan === null ? answerAudit(call, asked, payment) : answerPaid(call, asked, { plan, payment }),
    );
  }

  function wayOfFailure(call: EndpointCall, { meta }: KnownTool): PaymentWay {
    const byHeader = deps.gate.shown(call.presented).payment;
    return meta['x402/payment'] !== undefined && !byHeader ? 'in_band' : 'http';
  }

  return async (call, params) => {
    const asked = askedTool(params);
    if ('fault' in asked)
      return frameAnswer(call, rpcError(call.id, { code: -32602, message: 'invalid_params', data: asked }));
    const catalogue = deps.catalogueAt(deps.nowMs());
    const visual = catalogue.visual.get(asked.name);
    if (visual !== undefined) {
      const { forms } = visual;
      if (forms === null) return planned(call, visual);
      return callVisual(call, { asked, tool: { ...visual, forms }, names: catalogue.names });
    }
    const offered = catalogue.intel.get(asked.name);
    if (offered === undefined) return unknownTool(call, asked, catalogue);
    const { microUsd, formerMicroUsd } = priceAt(call.plan.route, deps.nowMs());
    const endpoint = { ...call.plan.route, priceMicroUsd: microUsd };
    const args = { ...offered.tool.defaults, ...asked.args };
    return answerKnown(call, { ...asked, args, offered, endpoint, formerMicroUsd, names: catalogue.names });
  };
}

type KnownTool = AskedTool & {
  readonly offered: OfferedTool;
  /** The row of the endpoint at the price in force. */
  readonly endpoint: Route;
  readonly formerMicroUsd: number | null;
  readonly names: ReadonlySet<string>;
};

type Sell = {
  readonly asked: KnownTool;
  readonly payment: ShownPayment;
  readonly fingerprint: Uint8Array;
  /** The answer in the version that was served first (I5.26). */
  readonly again: (version: string) => Promise<ToolSource>;
};

/** What the service says of a call is the result of the tool; what it cannot say is a defect. */
async function orFailure(call: EndpointCall, answer: () => Promise<Outgoing>): Promise<Outgoing> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof IssuerError) return toolFailure(call, error);
    throw error;
  }
}

/** The fingerprint covers name and arguments, not the id of the frame (I4.MCP.21). */
function fingerprintOf(name: string, args: FollowUpCall['args']): Uint8Array {
  const body = canonicalJson({ arguments: args, name });
  return requestFingerprint({ body, method: 'POST', path: '/mcp', query: '{}' });
}

function readNoArguments({ args, name }: KnownTool): null {
  const [first] = Object.keys(args);
  if (first === undefined) return null;
  throw new IssuerError({
    code: 'unknown_parameter',
    message: `${name} takes no argument.`,
    hint: 'Leave arguments out.',
    details: { parameter: first.slice(0, 100).toWellFormed(), allowed_parameters: [] },
  });
}

/** A large result is not cut: the call names a limit that would fit (I4.MCP.17). */
function largerThanAllowed(
  call: EndpointCall,
  { dataBytes, rowCount }: ToolBody,
  { asked, plan }: { asked: KnownTool; plan: RoutePlan },
): Outgoing | null {
  const allowed = maxResultBytes - restBytes;
  if (dataBytes <= allowed) return null;
  const limit = plan.params.values.get('limit');
  const rows = typeof limit === 'number' ? (rowCount ?? limit) : null;
  const fits = rows === null ? null : Math.max(1, Math.floor((rows * allowed) / dataBytes));
  const advice =
    fits === null || fits === limit
      ? 'Ask the route itself: it has no such bound.'
      : `Call again with limit ${fits}.`;
  return toolRefusal(call, {
    code: 'result_too_large',
    detail: `The result would be larger than a tool may send. ${advice}`,
    tool: asked.name,
    limit: fits,
    billing_status: 'not_charged',
    cost_usd: 0,
  });
}

/** A tool that is not built yet says so, to everyone (I4.VIS.3). */
function planned(call: EndpointCall, tool: VisualTool): Outgoing {
  return toolRefusal(call, {
    code: 'planned',
    tool: tool.name,
    status: tool.status,
    price_usd: tool.minMicroUsd === tool.maxMicroUsd ? tool.minMicroUsd / 1_000_000 : null,
    detail: `${tool.name} is planned and not built yet. Nothing was charged.`,
    billing_status: 'not_charged',
    cost_usd: 0,
  });
}

function unknownTool(call: EndpointCall, { name }: AskedTool, { names }: ToolCatalogue): Outgoing {
  const shown = name.slice(0, 100).toWellFormed();
  const data = {
    code: 'unknown_tool',
    tool: shown,
    suggestions: nearestLabels({ asked: shown, labels: [...names], maxDistance: 6 }),
    billing_status: 'not_charged',
    cost_usd: 0,
  };
  const text = rpcError(call.id, { code: -32602, message: 'unknown_tool', data });
  return frameAnswer(call, text, { record: { code: 'unknown_tool' } });
}

async function currentDate(snapshot: Snapshot | Promise<Snapshot>): Promise<string | null> {
  return (await (await snapshot).current())?.sourceDate ?? null;
}

function keyRequired(): IssuerError {
  return new IssuerError({
    code: 'api_key_required',
    message: 'paymentMode=internal needs an API key.',
    hint: 'Send x-api-key, or leave paymentMode out and pay for the call.',
  });
}
