import type { Deployment } from '../contract/deployment.ts';
import { IssuerError } from '../contract/issuerError.ts';
import type { Route } from '../contract/route.ts';
import { routeUri } from '../contract/route.ts';
import { findServable } from './answer/findServable.ts';
import { challengeAnswer, type PaidCall, paidAnswer } from './answer/paidAnswer.ts';
import type { Servable } from './answer/servable.ts';
import type { ArtifactStore } from './artifactStore.ts';
import { emptyAnswer, type Incoming, type Outgoing } from './exchange.ts';
import type { Gate, Presented } from './gate.ts';
import { requestFingerprint } from './gate.ts';
import { parseTarget, pathOf, type Target } from './http/parseTarget.ts';
import { problemBody } from './http/problemBody.ts';
import { type RateLimiter, type RateState, rateLimited } from './http/rateLimit.ts';
import { preflightHeaders, standardHeaders } from './http/standardHeaders.ts';
import { checkTransportLimits, requireJsonBody } from './http/transportLimits.ts';
import { type FreeDeps, freeAnswer } from './operations/freeAnswer.ts';
import { normalizedQuery, type Params, readParams } from './routing/readParams.ts';
import type { RouteMatcher } from './routing/routeMatcher.ts';
import type { ByteCache } from './store/byteCache.ts';

/** Everything an answer may depend on; wired once by the composition root. */
export type ServeDeps = {
  readonly deployment: Deployment;
  readonly match: RouteMatcher;
  readonly gate: Gate;
  readonly limiter: RateLimiter;
  readonly store: ArtifactStore;
  readonly servables: ByteCache<Servable>;
  readonly free: Omit<FreeDeps, 'snapshot'>;
  nowMs(): number;
  ulid(): string;
  /** Told of every defect, with its cause; the client is not. */
  reportDefect(o: { requestId: string; error: unknown }): void;
};

type Call = {
  readonly request: Incoming;
  readonly requestId: string;
  readonly startedMs: number;
  readonly head: boolean;
  rate: RateState | null;
  route: Route | null;
};

/**
 * Answers one request without a socket, in the order of I4.7: transport limits, rate limit, route, validation,
 * look-up, access, receipt, answer. The first failure answers and nothing later is done.
 */
export async function handle(request: Incoming, deps: ServeDeps): Promise<Outgoing> {
  const call: Call = {
    request,
    requestId: requestIdOf(request, deps),
    startedMs: deps.nowMs(),
    head: request.method === 'HEAD',
    rate: null,
    route: null,
  };
  try {
    return await answer(call, deps);
  } catch (error) {
    return problemAnswer(call, deps, error);
  }
}

/** Turns an error into the complete answer of a call (I7.1); also used where no route was reached. */
export function problemAnswer(
  call: Pick<Call, 'request' | 'requestId' | 'head' | 'rate' | 'route'>,
  deps: Pick<ServeDeps, 'deployment' | 'reportDefect'>,
  error: unknown,
): Outgoing {
  const problem = problemBody(error, {
    baseUrl: deps.deployment.baseUrl,
    instance: pathOf(call.request.target),
    requestId: call.requestId,
  });
  if (problem.status === 500) deps.reportDefect({ requestId: call.requestId, error });
  const headers = [
    ...standardHeaders({ requestId: call.requestId, rate: call.rate }),
    'Cache-Control',
    'no-store',
    'Vary',
    'Accept-Encoding',
    'Content-Type',
    'application/problem+json',
    ...problem.headers,
  ];
  return {
    status: problem.status,
    headers,
    body: call.head ? [] : [problem.body],
    record: {
      requestId: call.requestId,
      route: call.route?.id ?? null,
      code: problem.code,
      receiptId: null,
      apiKeyId: null,
    },
    done: () => {},
  };
}

async function answer(call: Call, deps: ServeDeps): Promise<Outgoing> {
  const { request } = call;
  call.rate = deps.limiter.peek('ip', request.clientAddress);
  checkTransportLimits(request);
  const presented = deps.gate.present(request);
  call.rate = deps.limiter.take(presented.ratePolicy, presented.rateHolder);
  if (call.rate?.allowed === false) throw rateLimited(call.rate);
  if (request.method === 'OPTIONS' && request.target === '*')
    return preflight(call, ['GET', 'HEAD', 'POST', 'OPTIONS']);
  const target = parseTarget(request.target);
  const match = deps.match({ method: request.method, path: target.path, segments: target.segments });
  if (match.kind === 'options') return preflight(call, match.allow);
  const { route } = match;
  call.route = route;
  requireJsonBody(request, route);
  if (route.status === 'pending') throw notImplemented(route);
  const params = readParams({ route, pathValues: match.pathValues, query: target.query });
  if (route.auth === 'A-FREE') return answerFree(call, deps, params);
  return answerPaid({ call, deps, params, presented, target, route });
}

function answerFree(call: Call, deps: ServeDeps, params: Params): Promise<Outgoing> {
  const { route } = call;
  if (route === null) throw new TypeError('a free answer needs its route');
  return freeAnswer(
    {
      route,
      params,
      head: call.head,
      requestId: call.requestId,
      headers: standardHeaders({ requestId: call.requestId, rate: call.rate }),
      acceptEncoding: header(call.request, 'accept-encoding'),
      ifNoneMatch: header(call.request, 'if-none-match'),
      nowMs: deps.nowMs(),
    },
    { ...deps.free, snapshot: () => deps.store.snapshot() },
  );
}

async function answerPaid(o: {
  call: Call;
  deps: ServeDeps;
  params: Params;
  presented: Presented;
  target: Target;
  route: Route;
}): Promise<Outgoing> {
  const { call, deps, params, presented, route } = o;
  const { request, requestId, head } = call;
  const path = canonicalPath(route, params);
  deps.gate.check({ presented, request, route, canonicalPath: twinPath(route, path) });
  const snapshot = await deps.store.snapshot();
  const { servable, lookup } = await findServable({ route, params, snapshot, cache: deps.servables });
  const lastRun = servable.readinessClock === null ? null : await deps.store.lastRun();
  // nobody is left to answer: nothing is claimed and nothing is sent (P1.13)
  if (request.clientGone())
    throw new IssuerError({ code: 'overloaded', message: 'The client left.', hint: '' });
  const nowMs = deps.nowMs();
  const decision = deps.gate.decide({
    nowMs,
    presented,
    servable,
    requestId,
    head,
    fingerprint: () => requestFingerprint({ method: route.method, path, query: queryValues(params) }),
  });
  const paid: PaidCall = {
    servable,
    requestId,
    headers: standardHeaders({ requestId, rate: call.rate }),
    instance: o.target.path,
    acceptEncoding: header(request, 'accept-encoding'),
    ifNoneMatch: header(request, 'if-none-match'),
    startedMs: call.startedMs,
    nowMs,
  };
  if (decision.kind === 'admit') return paidAnswer({ ...paid, admit: decision, lookup, lastRun });
  if (decision.kind === 'refuse') throw decision.error;
  const unpaid = challengeAnswer({
    ...paid,
    deployment: deps.deployment,
    provider: decision.provider,
    path,
    query: normalizedQuery(params),
    pathValues: pathValues(route, params),
    queryValues: queryValues(params),
  });
  return head ? { ...unpaid, body: [] } : unpaid;
}

function requestIdOf(request: Incoming, deps: ServeDeps): string {
  const asked = header(request, 'x-request-id');
  return asked !== undefined && /^[A-Za-z0-9._-]{8,64}$/.test(asked) ? asked : `req_${deps.ulid()}`;
}

function header(request: Incoming, name: string): string | undefined {
  const lines = request.headers[name];
  return lines === undefined || lines.length < 2 ? lines?.[0] : lines.join(', ');
}

function preflight(call: Call, allow: readonly string[]): Outgoing {
  return emptyAnswer({
    status: 204,
    headers: [
      ...standardHeaders({ requestId: call.requestId, rate: call.rate }),
      ...preflightHeaders(allow),
      'Cache-Control',
      'no-store',
    ],
    record: { requestId: call.requestId, route: null, code: null, receiptId: null, apiKeyId: null },
  });
}

function notImplemented(route: Route): IssuerError {
  return new IssuerError({
    code: 'not_implemented',
    message: `${routeUri(route)} is part of the contract and not served by this build yet.`,
    hint: 'GET /openapi.json lists what is.',
    details: { route_uri: routeUri(route) },
  });
}

function pathValues(route: Route, params: Params): Record<string, string> {
  const values: Record<string, string> = {};
  for (const param of route.params)
    if (param.in === 'path') values[param.name] = String(params.values.get(param.name));
  return values;
}

function queryValues(params: Params): Record<string, string> {
  return Object.fromEntries(params.given.map((name) => [name, String(params.values.get(name))]));
}

function canonicalPath(route: Route, params: Params): string {
  let path = route.path;
  for (const param of route.params) {
    if (param.in === 'path')
      path = path.replace(`{${param.name}}`, () => String(params.values.get(param.name)));
  }
  return path;
}

function twinPath(route: Route, path: string): string | null {
  if (route.family === 'mpp') return path.slice('/mpp'.length);
  return route.mirroredBy === null ? null : `/mpp${path}`;
}
