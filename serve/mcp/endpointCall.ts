import { exampleValue } from '../../data/contract/emit/jsonSchema.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { Param, Route } from '../../data/contract/routes/route.ts';
import {
  type ChosenRoute,
  chosenRoute,
  type OfferedTool,
  type OwnArgument,
} from '../../data/contract/tools/offeredTools.ts';
import type { FollowUpCall } from '../../data/contract/tools/toolResult.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import type { Presented } from '../access/accessDecision.ts';
import type { Coding } from '../body/openBodies.ts';
import type { Incoming } from '../exchange.ts';
import { jsonText } from '../routing/readBody.ts';
import { missingOneOf, missingParam, readParams, unknownName } from '../routing/readParams.ts';
import { type RoutePlan, requestFingerprint, routePlan } from '../routing/routePlan.ts';
import type { ByteCache } from '../store/byteCache.ts';
import type { FailingCall } from './jsonRpc.ts';

/** One request of the endpoint. */
export type EndpointCall = FailingCall & {
  readonly request: Incoming;
  readonly presented: Presented;
  readonly startedMs: number;
  /** Plan of the endpoint itself. */
  readonly plan: RoutePlan;
};

/** When a call is answered, how long that took, and the coding its client takes. */
export type CallMoment = (
  call: Pick<EndpointCall, 'request' | 'startedMs'>,
  nowMs: number,
) => { readonly nowMs: number; readonly latencyMs: number; readonly coding: Coding };

/** Makes the reader of moments. */
export function callMoment({
  codingOf,
}: {
  /** Coding of a body by the client's `Accept-Encoding`. */
  readonly codingOf: (field: string | undefined) => Coding;
}): CallMoment {
  return ({ request, startedMs }, nowMs) => ({
    nowMs,
    latencyMs: Math.max(0, Math.round(nowMs - startedMs)),
    coding: codingOf(request.headers['accept-encoding']?.join(', ')),
  });
}

/** What `tools/call` asks for. */
export type AskedTool = {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>>;
};

/** Reads the parameters of `tools/call`, or says which of them cannot be read (I4.MCP.6). */
export function askedTool(params: unknown): AskedTool | { readonly fault: string } {
  if (!isObject(params)) return { fault: 'params is not an object.' };
  const { name } = params;
  const [args, meta] = [params['arguments'] ?? {}, params['_meta'] ?? {}];
  if (typeof name !== 'string') return { fault: 'params.name is not the name of a tool.' };
  if (!isObject(args)) return { fault: 'params.arguments is not an object.' };
  if (!isObject(meta)) return { fault: 'params._meta is not an object.' };
  // strict hosts send null for what they leave out (I4.MCP.13)
  const sent = Object.entries(args).filter(([, value]) => value !== null);
  return { name, args: Object.fromEntries(sent), meta };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a call asks of a tool: it follows from name and arguments alone. */
export type PlannedCall = Pick<ChosenRoute, 'offered' | 'own'> & {
  /** The tool as it is listed, before one of its routes was chosen. */
  readonly listed: OfferedTool;
  /** Plan of the route that it calls; null for a tool without one. */
  readonly plan: RoutePlan | null;
  /** Covers name and arguments, not the id of the frame (I4.MCP.21). */
  readonly fingerprint: Uint8Array;
};

/** Reads the arguments of a tool. */
export type ReadArguments = (listed: OfferedTool, args: AskedTool['args']) => PlannedCall;

/**
 * Makes the reader of arguments: each is a parameter of the route, of its JSON type and within its bounds (I4.MCP.13). What
 * valid arguments came to is cached, as plans of request lines are.
 *
 * The reader throws IssuerError as `readParams` does, and `unknown_parameter`.
 */
export function argumentReader(known: ByteCache<PlannedCall>): ReadArguments {
  return (listed, args) => {
    const key = `${listed.tool.name} ${keyOf(args)}`;
    const before = known.get(key);
    // from an announced change on, the tools are listed again
    if (before?.listed === listed) return before;
    const made = plannedCall(listed, args);
    known.set(key, made, 8 * key.length + 2048);
    return made;
  };
}

function plannedCall(listed: OfferedTool, sent: AskedTool['args']): PlannedCall {
  const { tool, routes } = listed;
  const chosen = chosenRoute(listed, sent);
  if ('values' in chosen) throw noSuchValue(chosen);
  const { without = [] } = tool;
  const unneeded = without.find((name) => Object.hasOwn(sent, name));
  const names = routes.flatMap(({ params }) => params.map(({ name }) => name));
  if (unneeded !== undefined)
    throw unknownArgument(
      unneeded,
      names.filter((name) => !without.includes(name)),
    );
  const { offered, args, own } = chosen;
  if (offered.route === null) {
    const [first] = Object.keys(args);
    if (first !== undefined) throw unknownArgument(first, []);
    return { listed, offered, own, plan: null, fingerprint: fingerprintOf(tool.name, {}) };
  }
  const plan = planOf(offered.route, args);
  const fingerprint = fingerprintOf(tool.name, { ...own, ...askedArguments(plan, plan.route) });
  return { listed, offered, own, plan, fingerprint };
}

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

/** The arguments of a plan as they were sent, in their canonical values and without defaults. */
export function askedArguments(
  { params }: Pick<RoutePlan, 'params'>,
  { params: declared }: Route,
): FollowUpCall['args'] {
  const names = declared.filter(({ in: at, name }) => at === 'path' || params.given.includes(name));
  return Object.fromEntries(
    names.flatMap(({ name }) => {
      const value = params.values.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function planOf(route: Route, args: Readonly<Record<string, unknown>>): RoutePlan {
  const pathValues = new Map<string, string>();
  const query: [string, string][] = [];
  for (const [name, value] of Object.entries(args)) {
    const param = route.params.find((candidate) => candidate.name === name);
    if (param === undefined)
      throw unknownArgument(
        name,
        route.params.map((one) => one.name),
      );
    const text = jsonText(param, value);
    if (param.in === 'path') pathValues.set(name, text);
    else query.push([name, text]);
  }
  requireArguments(route, args);
  const params = readParams({ route, pathValues, query });
  return routePlan({ route, params, instance: '/mcp' });
}

/** Names what is missing as an argument, before it is read as a parameter of a request. */
function requireArguments(
  { params, requireOneOf: oneOf }: Route,
  args: Readonly<Record<string, unknown>>,
): void {
  const missing = params.find(({ name, required }) => required && !Object.hasOwn(args, name));
  if (missing !== undefined) throw missingParam(missing, argumentHint(missing));
  const first = params.find(({ name }) => name === oneOf?.[0]);
  if (oneOf === undefined || first === undefined || oneOf.some((name) => Object.hasOwn(args, name))) return;
  throw missingOneOf(first.name, oneOf, argumentHint(first));
}

function argumentHint(param: Param): string {
  const example = exampleValue(param);
  const shown = example === undefined ? '' : `, such as ${JSON.stringify({ [param.name]: example })}`;
  return `Send it in params.arguments${shown}.`;
}

// no argument is a list or an object: such a value is refused, so its plan is never cached
function keyOf(args: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(args).map(([name, value]) => [
    name,
    typeof value === 'object' ? null : value,
  ]);
  return JSON.stringify(entries.sort(([a], [b]) => compareText(String(a), String(b))));
}

/** The refusal of an argument that a tool does not have. */
export function unknownArgument(name: string, allowed: readonly string[]): IssuerError {
  return unknownName('The tool has no argument', { name, allowed });
}
