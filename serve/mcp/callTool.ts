import type { Deployment } from '../../data/contract/emit/deployment.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { priceAt } from '../../data/contract/routes/priceChange.ts';
import type { Route } from '../../data/contract/routes/route.ts';
import {
  type ChosenRoute,
  chosenRoute,
  helpSchemaId,
  type OfferedTool,
  type OwnArgument,
} from '../../data/contract/tools/offeredTools.ts';
import { maxResultBytes } from '../../data/contract/tools/toolProtocol.ts';
import type { FollowUpCall } from '../../data/contract/tools/toolResult.ts';
import type { VisualTool } from '../../data/contract/tools/visualTools.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import type { Gate } from '../access/gate.ts';
import type { ChallengeOptions } from '../answer/challenge.ts';
import { servedVersion } from '../answer/paidAnswer.ts';
import type { Coding } from '../body/openBodies.ts';
import type { Outgoing } from '../exchange.ts';
import type { ServableLocator } from '../find/servableLocator.ts';
import { type DocumentDeps, documentOf } from '../free/documentOf.ts';
import { nearestLabels } from '../identity/nearestLabels.ts';
import { type RoutePlan, requestFingerprint } from '../routing/routePlan.ts';
import type { ArtifactStore, Snapshot } from '../store/artifactStore.ts';
import type { VisualThread } from '../visual/visualThread.ts';
import { visualCaller } from './callVisual.ts';
import {
  type AskedTool,
  askedArguments,
  askedTool,
  callMoment,
  type EndpointCall,
  type ReadArguments,
  unknownArgument,
} from './endpointCall.ts';
import { accessFailure, frameAnswer, rpcError, toolFailure, toolRefusal } from './jsonRpc.ts';
import { paymentReader, type ShownPayment, wayOfRefusal } from './paymentWay.ts';
import { toolSeller } from './sellTool.ts';
import { freeBodies, freeResult } from './toolAnswers.ts';
import { type ToolBody, toolBody } from './toolBody.ts';
import type { ToolCatalogue } from './toolCatalogue.ts';
import { auditAnswer, type ToolSource, toolSources } from './toolSource.ts';

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
  /** A client that names its revision is asked for payment inside the call. */
  readonly inBandAuto: boolean;
  /** Draws and keeps pictures. */
  readonly visual: VisualThread;
  ulid(): string;
};

/** What the rest of a result takes beside its data: accounts, receipt, metadata, reading text. */
const restBytes = 8192;

/** Answers `tools/call`: tool, arguments, artifact, access, payment, answer; the first failure answers (I4.MCP.18). */
export type ToolCaller = (call: EndpointCall, params: unknown) => Outgoing | Promise<Outgoing>;

/** What the calls of one server share. */
type Caller = ToolDeps & {
  readonly sources: ReturnType<typeof toolSources>;
  readonly bodies: ReturnType<typeof freeBodies>;
  readonly momentOf: ReturnType<typeof callMoment>;
  readonly sell: ReturnType<typeof toolSeller>;
  readonly shownPayment: ReturnType<typeof paymentReader>;
  /** Plans are cached, and each is of one tool and one of its routes. */
  readonly fingerprints: WeakMap<RoutePlan, Uint8Array>;
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
    fingerprints: new WeakMap(),
  };
  return (call, params) => {
    const asked = askedTool(params);
    if ('fault' in asked) {
      const message = `invalid_params: ${asked.fault}`;
      return frameAnswer(call, rpcError(call.id, { code: -32602, message, data: asked }));
    }
    const nowMs = deps.nowMs();
    const catalogue = deps.catalogueAt(nowMs);
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
    const chosen = chosenRoute(offered, asked.args);
    if ('values' in chosen) return toolFailure(call, noSuchValue(chosen));
    const wrong = unneeded(offered, asked.args);
    if (wrong !== null) return toolFailure(call, wrong);
    const { names, help } = catalogue;
    const known = { ...asked, ...chosen, endpoint, formerMicroUsd, names };
    return answerKnown(caller, call, { asked: known, help });
  };
}

function fingerprintOfPlan({ fingerprints }: Caller, { name, own }: KnownTool, plan: RoutePlan): Uint8Array {
  const made = fingerprints.get(plan) ?? fingerprintOf(name, { ...own, ...askedArguments(plan, plan.route) });
  fingerprints.set(plan, made);
  return made;
}

async function answerFree(
  caller: Caller,
  call: EndpointCall,
  { asked, plan }: { asked: KnownTool; plan: RoutePlan },
): Promise<Outgoing> {
  const { free, store, bodies, momentOf } = caller;
  const { offered, names } = asked;
  const { route } = plan;
  const nowMs = caller.nowMs();
  const found = await documentOf(
    { route, params: plan.params, nowMs },
    { ...free, snapshot: () => store.snapshot() },
  );
  if (found === null) throw new RangeError(`${route.id} has no document`);
  const body = bodies(found, { offered, names, asked: askedArguments(plan, route) });
  const tooLarge = largerThanAllowed(call, body, { asked, plan });
  if (tooLarge !== null) return tooLarge;
  const sourceDate = route.answer?.kind === 'list' ? await currentDate(store.snapshot()) : null;
  return freeResult(call, { body, sourceDate, ...momentOf(call, nowMs) });
}

async function answerAudit(
  caller: Caller,
  call: EndpointCall,
  { asked, payment }: { asked: KnownTool; payment: ShownPayment },
): Promise<Outgoing> {
  const { offered, names, endpoint, formerMicroUsd } = asked;
  const nowMs = caller.nowMs();
  const answer = await auditAnswer({ store: caller.store, offered, endpoint, names, nowMs });
  if (answer.kind === 'told') {
    const body = toolBody(answer.input);
    return freeResult(call, { body, sourceDate: null, ...caller.momentOf(call, nowMs) });
  }
  const { source } = answer;
  const fingerprint = fingerprintOf(asked.name, {});
  return caller.sell(call, { source, payment, fingerprint, formerMicroUsd, again: () => source });
}

async function answerPaid(
  caller: Caller,
  call: EndpointCall,
  { asked, plan, payment }: { asked: KnownTool; plan: RoutePlan; payment: ShownPayment },
): Promise<Outgoing> {
  const { store, locate, sources, sell } = caller;
  const { offered, names, endpoint, own, formerMicroUsd } = asked;
  const snapshot = await store.snapshot();
  const input = { offered, names, endpoint, plan, own, snapshot };
  const found = await locate(plan, snapshot);
  const source = await sources(found, input);
  const tooLarge = largerThanAllowed(call, source.body, { asked, plan });
  if (tooLarge !== null) return tooLarge;
  const again = async (version: string): Promise<ToolSource> => {
    const served = await servedVersion(plan, { artifactVersion: version, current: found }, caller);
    return served === found ? source : sources(served, input);
  };
  const fingerprint = fingerprintOfPlan(caller, asked, plan);
  return sell(call, { source, payment, fingerprint, formerMicroUsd, again });
}

function answerKnown(
  caller: Caller,
  call: EndpointCall,
  { asked, help }: { asked: KnownTool; help: ToolCatalogue['help'] },
): Outgoing | Promise<Outgoing> {
  const { route, priceMicroUsd } = asked.offered;
  let plan: RoutePlan | null;
  try {
    // arguments come before credentials
    if (asked.offered.schemaId === helpSchemaId) {
      const body = caller.bodies(...helpOf(asked, help));
      return freeResult(call, { body, sourceDate: null, ...caller.momentOf(call, caller.nowMs()) });
    }
    plan = route === null ? readNoArguments(asked) : caller.readArguments(asked.name, { ...asked, route });
  } catch (error) {
    return toolFailure(call, error);
  }
  if (plan !== null && priceMicroUsd === 0)
    return orFailure(call, () => answerFree(caller, call, { asked, plan }));
  let payment: ShownPayment;
  try {
    payment = caller.shownPayment(call, asked);
  } catch (error) {
    const byHeader = caller.gate.shown(call.presented).payment;
    return accessFailure(call, error, wayOfRefusal(byHeader, asked.meta));
  }
  return orFailure(call, () =>
    plan === null
      ? answerAudit(caller, call, { asked, payment })
      : answerPaid(caller, call, { asked, plan, payment }),
  );
}

type KnownTool = AskedTool & {
  readonly offered: OfferedTool;
  /** The tool's own argument, where it chose the route. */
  readonly own: ChosenRoute['own'];
  /** The row of the endpoint at the price in force. */
  readonly endpoint: Route;
  readonly formerMicroUsd: number | null;
  readonly names: ReadonlySet<string>;
};

/** The help that is asked for, of all tools or of one, and what its result is made with. */
function helpOf(
  { args, offered, names, name }: KnownTool,
  help: ToolCatalogue['help'],
): Parameters<ReturnType<typeof freeBodies>> {
  const { tool: asked = null, ...others } = args;
  const [other] = Object.keys(others);
  if (other !== undefined) throw unknownArgument(other, ['tool']);
  const found = asked === null || typeof asked === 'string' ? help(asked) : null;
  if (found === null) throw noSuchTool(name, String(asked), names);
  return [found, { offered, names, asked: asked === null ? {} : { tool: String(asked) } }];
}

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

function noSuchValue({ name, values }: OwnArgument): IssuerError {
  return new IssuerError({
    code: 'invalid_parameter',
    message: `${name} is not valid.`,
    hint: `Use ${values.join(' or ')}.`,
    details: { parameter: name, reason: 'not_allowed', allowed: values },
  });
}

/** What an argument says that the route takes and the tool does not; null where there is none. */
function unneeded(
  { tool: { without = [] }, routes }: OfferedTool,
  args: AskedTool['args'],
): IssuerError | null {
  const found = without.find((name) => Object.hasOwn(args, name));
  const names = routes.flatMap(({ params }) => params.map(({ name }) => name));
  return found === undefined
    ? null
    : unknownArgument(
        found,
        names.filter((name) => !without.includes(name)),
      );
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
      ? 'The route behind it, over plain HTTP, has no such bound.'
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

async function currentDate(snapshot: Snapshot | Promise<Snapshot>): Promise<string | null> {
  return (await (await snapshot).current())?.sourceDate ?? null;
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
