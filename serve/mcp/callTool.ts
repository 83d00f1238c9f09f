import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { priceAt } from '../../data/contract/routes/priceChange.ts';
import type { Route } from '../../data/contract/routes/route.ts';
import { helpSchemaId, type OfferedTool } from '../../data/contract/tools/offeredTools.ts';
import { maxResultBytes } from '../../data/contract/tools/toolProtocol.ts';
import type { VisualTool } from '../../data/contract/tools/visualTools.ts';
import { servedVersion } from '../answer/paidAnswer.ts';
import type { Outgoing } from '../exchange.ts';
import type { ServableLocator } from '../find/servableLocator.ts';
import { type DocumentDeps, documentOf } from '../free/documentOf.ts';
import { nearestLabels } from '../identity/nearestLabels.ts';
import type { RoutePlan } from '../routing/routePlan.ts';
import type { ArtifactStore } from '../store/artifactStore.ts';
import type { VisualThread } from '../visual/visualThread.ts';
import { type VisualDeps, visualCaller } from './callVisual.ts';
import {
  type AskedTool,
  askedArguments,
  askedTool,
  callMoment,
  type EndpointCall,
  type PlannedCall,
  type ReadArguments,
  unknownArgument,
} from './endpointCall.ts';
import { accessFailure, frameAnswer, rpcError, toolFailure, toolRefusal } from './jsonRpc.ts';
import { paymentReader, type ShownPayment, wayOfRefusal } from './paymentWay.ts';
import { type SellDeps, toolSeller } from './sellTool.ts';
import { freeBodies, freeResult } from './toolAnswers.ts';
import { type ToolBody, toolBody } from './toolBody.ts';
import type { ToolCatalogue } from './toolCatalogue.ts';
import { auditAnswer, type ToolSource, toolSources } from './toolSource.ts';

/** What tool calls need of the server. */
export type ToolDeps = Omit<SellDeps, 'momentOf'> &
  VisualDeps & {
    readonly store: ArtifactStore;
    readonly locate: ServableLocator;
    readonly free: Pick<DocumentDeps, 'discovery' | 'documents'>;
    readonly catalogueAt: (nowMs: number) => ToolCatalogue;
    readonly readArguments: ReadArguments;
    /** A client that names its revision is asked for payment inside the call. */
    readonly inBandAuto: boolean;
    /** Draws and keeps pictures. */
    readonly visual: VisualThread;
  };

/** Most bytes of data in a result: the rest is for accounts, receipt, metadata and reading text. */
const maxDataBytes = maxResultBytes - 8192;

/** A request of `tools/call`. */
export type ToolRequest = Omit<EndpointCall, 'words' | 'baseUrl'>;

/** Answers `tools/call`: tool, arguments, artifact, access, payment, answer; the first failure answers (I4.MCP.18). */
export type ToolCaller = (request: ToolRequest, params: unknown) => Outgoing | Promise<Outgoing>;

/** What the calls of one server share. */
type Caller = ToolDeps & {
  readonly sources: ReturnType<typeof toolSources>;
  readonly bodies: ReturnType<typeof freeBodies>;
  readonly momentOf: ReturnType<typeof callMoment>;
  readonly sell: ReturnType<typeof toolSeller>;
  readonly shownPayment: ReturnType<typeof paymentReader>;
};

/** Makes the caller of tools. */
export function toolCaller(deps: ToolDeps): ToolCaller {
  const callVisual = visualCaller(deps);
  const momentOf = callMoment(deps);
  const caller: Caller = {
    ...deps,
    sources: toolSources(),
    bodies: freeBodies(),
    momentOf,
    sell: toolSeller({ ...deps, momentOf }),
    shownPayment: paymentReader(deps),
  };
  return (request, params) => {
    const nowMs = deps.nowMs();
    const catalogue = deps.catalogueAt(nowMs);
    const call = { ...request, words: catalogue.words, baseUrl: deps.deployment.baseUrl };
    const asked = askedTool(params);
    if ('fault' in asked) {
      const message = `invalid_params: ${asked.fault}`;
      return frameAnswer(call, rpcError(call.id, { code: -32602, message, data: asked }));
    }
    const visual = catalogue.visual.get(asked.name);
    if (visual !== undefined) {
      const { forms } = visual;
      if (forms === null) return planned(call, visual);
      return callVisual(call, { asked, tool: { ...visual, forms }, names: catalogue.names });
    }
    const offered = catalogue.intel.get(asked.name);
    if (offered === undefined) return unknownTool(call, asked, catalogue);
    const { microUsd, formerMicroUsd } = priceAt(call.plan.route, nowMs);
    const endpoint = { ...call.plan.route, priceMicroUsd: microUsd };
    return answerKnown(caller, call, { ...asked, offered, endpoint, formerMicroUsd, catalogue });
  };
}

/** A call of a tool that was found. */
type KnownTool = AskedTool & {
  /** The tool as it is listed. */
  readonly offered: OfferedTool;
  /** The row of the endpoint at the price in force. */
  readonly endpoint: Route;
  readonly formerMicroUsd: number | null;
  readonly catalogue: ToolCatalogue;
};

/** The stages of a tool: arguments, then what it costs nothing to answer, then payment and what is sold. */
async function answerKnown(caller: Caller, call: EndpointCall, known: KnownTool): Promise<Outgoing> {
  const { offered, args } = known;
  try {
    // arguments come before credentials
    if (offered.schemaId === helpSchemaId) {
      const body = caller.bodies(...helpOf(known));
      return freeResult(call, { body, sourceDate: null, ...caller.momentOf(call, caller.nowMs()) });
    }
    const planned = caller.readArguments(offered, args);
    const { plan } = planned;
    if (plan !== null && offered.priceMicroUsd === 0)
      return await answerFree(caller, call, { known, planned: { ...planned, plan } });
    let payment: ShownPayment;
    try {
      payment = caller.shownPayment(call, known);
    } catch (error) {
      const byHeader = caller.gate.shown(call.presented).payment;
      return accessFailure(call, error, wayOfRefusal(byHeader, known.meta));
    }
    return plan === null
      ? await answerAudit(caller, call, { known, planned, payment })
      : await answerPaid(caller, call, { known, planned: { ...planned, plan }, payment });
  } catch (error) {
    // what the service says of a call is the result of the tool; what it cannot say is a defect
    return toolFailure(call, error);
  }
}

type PlannedRoute = PlannedCall & { readonly plan: RoutePlan };

async function answerFree(
  caller: Caller,
  call: EndpointCall,
  { known, planned: { offered, plan } }: { known: KnownTool; planned: PlannedRoute },
): Promise<Outgoing> {
  const { free, store, bodies, momentOf } = caller;
  const { names } = known.catalogue;
  const { route } = plan;
  const nowMs = caller.nowMs();
  const found = await documentOf(
    { route, params: plan.params, nowMs },
    { ...free, snapshot: () => store.snapshot() },
  );
  if (found === null) throw new RangeError(`${route.id} has no document`);
  const body = bodies(found, { offered, names, asked: askedArguments(plan, route) });
  if (body.dataBytes > maxDataBytes) return tooLarge(call, body, { name: known.name, plan });
  const current = route.answer?.kind === 'list' ? await (await store.snapshot()).current() : null;
  const sourceDate = current?.sourceDate ?? null;
  return freeResult(call, { body, sourceDate, ...momentOf(call, nowMs) });
}

async function answerAudit(
  caller: Caller,
  call: EndpointCall,
  { known, planned, payment }: { known: KnownTool; planned: PlannedCall; payment: ShownPayment },
): Promise<Outgoing> {
  const { endpoint, formerMicroUsd, catalogue } = known;
  const { offered, fingerprint } = planned;
  const nowMs = caller.nowMs();
  const answer = await auditAnswer({
    store: caller.store,
    offered,
    endpoint,
    names: catalogue.names,
    nowMs,
  });
  if (answer.kind === 'told') {
    const body = toolBody(answer.input);
    return freeResult(call, { body, sourceDate: null, ...caller.momentOf(call, nowMs) });
  }
  const { source } = answer;
  return caller.sell(call, { source, payment, fingerprint, formerMicroUsd, again: () => source });
}

async function answerPaid(
  caller: Caller,
  call: EndpointCall,
  { known, planned, payment }: { known: KnownTool; planned: PlannedRoute; payment: ShownPayment },
): Promise<Outgoing> {
  const { store, locate, sources, sell } = caller;
  const { endpoint, formerMicroUsd, catalogue } = known;
  const { offered, own, plan, fingerprint } = planned;
  const snapshot = await store.snapshot();
  const input = { offered, names: catalogue.names, endpoint, plan, own, snapshot };
  const found = await locate(plan, snapshot);
  const source = await sources(found, input);
  if (source.body.dataBytes > maxDataBytes) return tooLarge(call, source.body, { name: known.name, plan });
  const again = async (version: string): Promise<ToolSource> => {
    const served = await servedVersion(plan, { artifactVersion: version, current: found }, caller);
    return served === found ? source : sources(served, input);
  };
  return sell(call, { source, payment, fingerprint, formerMicroUsd, again });
}

/** The help that is asked for, of all tools or of one, and what its result is made with. */
function helpOf({
  args,
  offered,
  name,
  catalogue: { names, help },
}: KnownTool): Parameters<ReturnType<typeof freeBodies>> {
  const { tool: asked = null, ...others } = args;
  const [other] = Object.keys(others);
  if (other !== undefined) throw unknownArgument(other, ['tool']);
  const found = asked === null || typeof asked === 'string' ? help(asked) : null;
  if (found === null) throw noSuchTool(name, String(asked), names);
  return [found, { offered, names, asked: asked === null ? {} : { tool: String(asked) } }];
}

/** A large result is not cut: the call names a limit that would fit (I4.MCP.17). */
function tooLarge(
  call: EndpointCall,
  { dataBytes, rowCount }: ToolBody,
  { name, plan }: { name: string; plan: RoutePlan },
): Outgoing {
  const limit = plan.params.values.get('limit');
  const rows = typeof limit === 'number' ? (rowCount ?? limit) : null;
  const fits = rows === null ? null : Math.max(1, Math.floor((rows * maxDataBytes) / dataBytes));
  const advice =
    fits === null || fits === limit
      ? 'The route behind it, over plain HTTP, has no such bound.'
      : `Call again with limit ${fits}.`;
  return toolRefusal(call, {
    code: 'result_too_large',
    detail: `The result would be larger than a tool may send. ${advice}`,
    tool: name,
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
    price_usd: tool.priceUsd,
    detail: `${tool.name} is planned and not built yet. Nothing was charged.`,
    billing_status: 'not_charged',
    cost_usd: 0,
  });
}

function unknownTool(call: EndpointCall, { name }: AskedTool, { names }: ToolCatalogue): Outgoing {
  const shown = name.slice(0, 100).toWellFormed();
  const suggestions = nearestLabels({ asked: shown, labels: [...names], maxDistance: 6 });
  const data = {
    code: 'unknown_tool',
    tool: shown,
    suggestions,
    billing_status: 'not_charged',
    cost_usd: 0,
  };
  // many clients show the message alone
  const [near] = suggestions;
  const message = `unknown_tool: ${near === undefined ? 'tools/list names them.' : `did you mean ${near}?`}`;
  const text = rpcError(call.id, { code: -32602, message, data });
  return frameAnswer(call, text, { record: { code: 'unknown_tool' } });
}

function noSuchTool(name: string, asked: string, names: ReadonlySet<string>): IssuerError {
  const shown = asked.slice(0, 100).toWellFormed();
  const [near] = nearestLabels({ asked: shown, labels: [...names], maxDistance: 6 });
  return new IssuerError({
    code: 'invalid_parameter',
    message: `There is no tool ${JSON.stringify(shown)}.`,
    hint: near === undefined ? `Call ${name} without arguments: it names them.` : `Did you mean ${near}?`,
    details: { parameter: 'tool', reason: 'not_allowed' },
  });
}
