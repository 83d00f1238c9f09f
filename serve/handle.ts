import type { Deployment } from '../contract/deployment.ts';
import { IssuerError } from '../contract/issuerError.ts';
import type { LastRun } from '../contract/releaseFiles.ts';
import type { Route } from '../contract/route.ts';
import { routeUri } from '../contract/route.ts';
import type { Admit, Decision, Presented } from './access/accessDecision.ts';
import type { Gate } from './access/gate.ts';
import { type ChallengeOptions, maxChallengeCharacters } from './answer/challenge.ts';
import type { Found } from './answer/findInput.ts';
import type { ServableLocator } from './answer/locateServable.ts';
import type { Coding } from './answer/openBodies.ts';
import { challengeAnswer, type PaidCall, paidAnswer, refusedPaymentAnswer } from './answer/paidAnswer.ts';
import { priceInForce } from './answer/priceInForce.ts';
import { servedVersion } from './answer/servedVersion.ts';
import { emptyAnswer, type Incoming, type Outgoing } from './exchange.ts';
import { parseTarget, pathOf } from './http/parseTarget.ts';
import { problemBody } from './http/problemBody.ts';
import { type RateLimiter, type RatePolicy, type RateState, rateLimited } from './http/rateLimit.ts';
import { preflightHeaders, standardHeaders } from './http/standardHeaders.ts';
import { checkTransportLimits, requireJsonBody } from './http/transportLimits.ts';
import { type FreeDeps, freeAnswer } from './operations/freeAnswer.ts';
import { readParams } from './routing/readParams.ts';
import type { RouteMatcher } from './routing/routeMatcher.ts';
import { type RoutePlan, routePlan } from './routing/routePlan.ts';
import type { ArtifactStore, Snapshot } from './store/artifactStore.ts';
import type { ByteCache } from './store/byteCache.ts';

/** Everything an answer may depend on; wired once by the composition root. */
export type ServeDeps = {
  readonly deployment: Deployment;
  readonly match: RouteMatcher;
  readonly gate: Gate;
  readonly limiter: RateLimiter;
  readonly store: ArtifactStore;
  /** Plans of valid request lines. */
  readonly plans: ByteCache<RoutePlan>;
  readonly locate: ServableLocator;
  readonly challenges: ChallengeOptions;
  /** Coding of a paid body by the client's `Accept-Encoding`. */
  readonly codingOf: (field: string | undefined) => Coding;
  readonly free: Omit<FreeDeps, 'snapshot'>;
  nowMs(): number;
  ulid(): string;
  /** Told of every defect, with its cause; the client is not. */
  reportDefect(o: { requestId: string; error: unknown }): void;
};

type OptionsPlan = { readonly kind: 'options'; readonly allow: readonly string[] };

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
 * look-up, access, receipt, answer. The first failure answers and nothing later is done. The answer is there at
 * once when nothing has to be read for it.
 */
export function handle(request: Incoming, deps: ServeDeps): Outgoing | Promise<Outgoing> {
  const call: Call = {
    request,
    requestId: requestIdOf(request, deps),
    startedMs: deps.nowMs(),
    head: request.method === 'HEAD',
    rate: null,
    route: null,
  };
  try {
    const outgoing = answer(call, deps);
    if (!(outgoing instanceof Promise)) return outgoing;
    return outgoing.catch((error: unknown) => problemAnswer(call, deps, error));
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
    problem.contentType,
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

function answer(call: Call, deps: ServeDeps): Outgoing | Promise<Outgoing> {
  const { request } = call;
  call.rate = deps.limiter.peek('ip', request.clientAddress);
  checkTransportLimits(request);
  const presented = deps.gate.present(request);
  call.rate = deps.limiter.take(presented.ratePolicy, presented.rateHolder);
  if (call.rate?.allowed === false) throw rateLimited(call.rate);
  const plan = planOf(call, deps);
  if (plan.kind === 'options') return preflight(call, plan.allow);
  call.route = plan.route;
  if (plan.route.auth === 'A-FREE') return answerFree(call, deps, { plan, presented });
  return answerPaid(call, deps, { plan, presented });
}

// a request line that was valid once is valid again: whatever its plan depends on is in its text
function planOf(call: Call, deps: ServeDeps): RoutePlan | OptionsPlan {
  const { request } = call;
  if (request.method === 'OPTIONS' && request.target === '*') {
    return { kind: 'options', allow: ['GET', 'HEAD', 'POST', 'OPTIONS'] };
  }
  const key = `${request.method} ${request.target}`;
  const known = deps.plans.get(key);
  if (known !== undefined) return known;
  const target = parseTarget(request.target);
  const match = deps.match({ method: request.method, path: target.path, segments: target.segments });
  if (match.kind === 'options') return match;
  const { route } = match;
  call.route = route;
  requireJsonBody(request, route);
  if (route.status === 'pending') throw notImplemented(route);
  const params = readParams({ route, pathValues: match.pathValues, query: target.query });
  const plan = routePlan({ route, params, instance: target.path });
  // the bodies of POST belong to the plan and are not in the key
  if (route.method === 'GET') deps.plans.set(key, plan, planBytes(key));
  return plan;
}

function answerFree(call: Call, deps: ServeDeps, { plan, presented }: Planned): Promise<Outgoing> {
  const { request, head } = call;
  const nowMs = deps.nowMs();
  const limit = (policy: RatePolicy, holder: string): void => {
    const state = deps.limiter.take(policy, holder);
    if (state?.allowed !== false) return;
    call.rate = state;
    throw rateLimited(state);
  };
  return freeAnswer(
    {
      route: plan.route,
      params: plan.params,
      head,
      requestId: call.requestId,
      headers: standardHeaders(call),
      acceptEncoding: header(request, 'accept-encoding'),
      ifNoneMatch: header(request, 'if-none-match'),
      nowMs,
      live: { route: plan.route, params: plan.params, request, presented, head, nowMs, limit },
    },
    { ...deps.free, snapshot: () => deps.store.snapshot() },
  );
}

type Planned = { readonly plan: RoutePlan; readonly presented: Presented };

function answerPaid(call: Call, deps: ServeDeps, planned: Planned): Outgoing | Promise<Outgoing> {
  const { plan, presented } = planned;
  const { request } = call;
  deps.gate.check({ presented, request, route: plan.route, canonicalPath: plan.twinPath });
  const snapshot = deps.store.snapshot();
  if (snapshot instanceof Promise) return snapshot.then((known) => answerFrom(call, deps, planned, known));
  return answerFrom(call, deps, planned, snapshot);
}

function answerFrom(
  call: Call,
  deps: ServeDeps,
  planned: Planned,
  snapshot: Snapshot,
): Outgoing | Promise<Outgoing> {
  const found = deps.locate(planned.plan, snapshot);
  if (found instanceof Promise) return found.then((known) => answerFound(call, deps, planned, known));
  return answerFound(call, deps, planned, found);
}

function answerFound(
  call: Call,
  deps: ServeDeps,
  planned: Planned,
  found: Found,
): Outgoing | Promise<Outgoing> {
  if (found.servable.readinessClock === null)
    return answerAccess(call, deps, { ...planned, found, lastRun: null });
  return deps.store.lastRun().then((lastRun) => answerAccess(call, deps, { ...planned, found, lastRun }));
}

type Located = Planned & { readonly found: Found; readonly lastRun: LastRun | null };

function answerAccess(call: Call, deps: ServeDeps, located: Located): Outgoing | Promise<Outgoing> {
  const { request, requestId, head } = call;
  // nobody is left to answer: nothing is claimed and nothing is sent (P1.13)
  if (request.clientGone())
    throw new IssuerError({ code: 'overloaded', message: 'The client left.', hint: '' });
  const nowMs = deps.nowMs();
  const { servable, formerMicroUsd } = priceInForce(located.found.servable, nowMs);
  const { found } = located;
  const o = servable === found.servable ? located : { ...located, found: { ...found, servable } };
  const decision = deps.gate.decide({
    nowMs,
    presented: o.presented,
    servable,
    formerMicroUsd,
    plan: o.plan,
    requestId,
    head,
    fingerprint: o.plan.fingerprint,
    clientAddress: request.clientAddress,
    clientGone: request.clientGone,
  });
  if (decision instanceof Promise) return decision.then((late) => answerDecided(call, deps, o, late));
  return answerDecided(call, deps, o, decision);
}

function answerDecided(
  call: Call,
  deps: ServeDeps,
  o: Located,
  decision: Decision,
): Outgoing | Promise<Outgoing> {
  const { plan } = o;
  const paid = paidCall(call, deps, o.found);
  const unpaid = { plan, head: call.head, deployment: deps.deployment, options: deps.challenges };
  switch (decision.kind) {
    case 'challenge':
      return challengeAnswer(paid, { ...unpaid, ...decision });
    case 'refuse':
      if (decision.challenge === null) throw decision.error;
      return refusedPaymentAnswer(paid, { ...unpaid, ...decision.challenge, refusal: decision });
    case 'admit':
      return answerAdmitted(call, deps, { ...o, admit: decision });
  }
}

type Admitted = Located & { readonly admit: Admit };

/** The answer of an admitted call; what fails while it is made is our fault, and the gate is told (P7.9). */
function answerAdmitted(call: Call, deps: ServeDeps, o: Admitted): Outgoing | Promise<Outgoing> {
  const fail = (error: unknown): never => {
    o.admit.done('undelivered', true);
    throw error;
  };
  try {
    const outgoing = admittedAnswer(call, deps, o);
    return outgoing instanceof Promise ? outgoing.catch(fail) : outgoing;
  } catch (error) {
    return fail(error);
  }
}

function admittedAnswer(call: Call, deps: ServeDeps, o: Admitted): Outgoing | Promise<Outgoing> {
  const { admit, found, lastRun } = o;
  const version = admit.receipt?.artifactVersion;
  if (!admit.replayed || version === undefined || version === found.servable.artifactVersion)
    return paidAnswer(paidCall(call, deps, found), { admit, lookup: found.lookup, lastRun });
  return servedVersion(o.plan, { artifactVersion: version, current: found }, deps).then((first) =>
    paidAnswer(paidCall(call, deps, first), { admit, lookup: first.lookup, lastRun }),
  );
}

function paidCall(call: Call, deps: ServeDeps, found: Found): PaidCall {
  return {
    servable: found.servable,
    requestId: call.requestId,
    rate: call.rate,
    coding: deps.codingOf(header(call.request, 'accept-encoding')),
    ifNoneMatch: header(call.request, 'if-none-match'),
    startedMs: call.startedMs,
    nowMs: deps.nowMs(),
  };
}

// key and plan hold the request line about four times, beside objects of a fixed size and the printed challenge
function planBytes(key: string): number {
  return 8 * key.length + 2048 + 3 * maxChallengeCharacters;
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
