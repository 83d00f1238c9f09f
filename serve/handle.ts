import type { Deployment } from '../data/contract/emit/deployment.ts';
import { IssuerError } from '../data/contract/errors/issuerError.ts';
import { deprecationHeaders, isSunset, successorPath } from '../data/contract/routes/deprecation.ts';
import type { Route } from '../data/contract/routes/route.ts';
import { clientLeft, type Presented } from './access/accessDecision.ts';
import type { Gate } from './access/gate.ts';
import type { ChallengeOptions } from './answer/challenge.ts';
import { challengeAnswer, refusedPaymentAnswer } from './answer/challengeAnswer.ts';
import { type PaidCall, paidAnswer, servedVersion } from './answer/paidAnswer.ts';
import type { Coding } from './body/openBodies.ts';
import type { Incoming, Outgoing } from './exchange.ts';
import { priceInForce } from './find/servable/servableOf.ts';
import type { ServableLocator } from './find/servableLocator.ts';
import { type FreeDeps, freeAnswer } from './free/freeAnswer.ts';
import type { FreeTurns } from './http/inFlight.ts';
import { pathOf } from './http/parseTarget.ts';
import { RateLimited, type RateLimiter, type RatePolicy, type RateState } from './http/rateLimit.ts';
import { preflightHeaders, standardHeaders } from './http/standardHeaders.ts';
import { checkTransportLimits } from './http/transportLimits.ts';
import { framedRefusal } from './mcp/jsonRpc.ts';
import type { ToolEndpoint } from './mcp/toolEndpoint.ts';
import { problemBody } from './problem/problemBody.ts';
import { everyMethod, type RequestPlanner, type RoutePlan } from './routing/routePlan.ts';
import type { ArtifactStore } from './store/artifactStore.ts';

/** Everything an answer may depend on; wired once by the composition root. */
export type ServeDeps = {
  readonly deployment: Deployment;
  readonly planOf: RequestPlanner;
  readonly gate: Gate;
  readonly limiter: RateLimiter;
  /** The line of the requests that show no credential. */
  readonly freeTurn: FreeTurns;
  /** Paths under the limit of probes, with any credential. */
  readonly probes: ReadonlySet<string>;
  readonly store: ArtifactStore;
  readonly locate: ServableLocator;
  readonly challenges: ChallengeOptions;
  /** Coding of a paid body by the client's `Accept-Encoding`. */
  readonly codingOf: (field: string | undefined) => Coding;
  readonly free: Omit<FreeDeps, 'snapshot'>;
  /** Answers `POST /mcp`. */
  readonly tools: ToolEndpoint;
  nowMs(): number;
  ulid(): string;
  /** Reports every defect with its cause, which the client does not see. */
  reportDefect(defect: { requestId: string; error: unknown }): void;
};

type Call = {
  readonly request: Incoming;
  readonly requestId: string;
  readonly startedMs: number;
  readonly head: boolean;
  /** State of the limit the request counted against; undefined until it has. */
  rate: RateState | null | undefined;
  route: Route | null;
};

/**
 * Answers one request without a socket, in the order of I4.7: transport limits, rate limit, route, validation,
 * look-up, access, receipt, answer. The first failure answers and nothing later is done. Where nothing has to be read
 * the answer is there within the turn of the event loop that its request came in.
 */
export async function handle(request: Incoming, deps: ServeDeps): Promise<Outgoing> {
  const call: Call = {
    request,
    requestId: requestIdOf(request, deps),
    startedMs: deps.nowMs(),
    head: request.method === 'HEAD',
    rate: undefined,
    route: null,
  };
  let outgoing: Outgoing;
  try {
    // a page whose preflight is refused never sees the 404 or 429 behind it
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined)
      return preflight(call, { allow: everyMethod, rate: rateShown(call, deps) });
    checkTransportLimits(request);
    const presented = deps.gate.present(request);
    const isProbe = deps.probes.has(pathOf(request.target));
    outgoing =
      isProbe || presented.ratePolicy !== 'ip'
        ? await answer(call, deps, { presented, isProbe })
        : await deps.freeTurn(() => answer(call, deps, { presented, isProbe }));
  } catch (error) {
    outgoing = problemAnswer({ ...call, rate: rateShown(call, deps) }, deps, error);
  }
  const { route } = call;
  if (route?.deprecation === undefined) return outgoing;
  // the answer of a route whose end is announced says so, with every status (I9.4)
  const asked = { baseUrl: deps.deployment.baseUrl, asked: pathOf(request.target) };
  return { ...outgoing, headers: [...outgoing.headers, ...deprecationHeaders(route, asked)] };
}

/** The stages of a request whose turn it is: rate limit, route, and those of its family. */
async function answer(
  call: Call,
  deps: ServeDeps,
  { presented, isProbe }: { presented: Presented; isProbe: boolean },
): Promise<Outgoing> {
  const { request } = call;
  // nothing is begun for a client that left while it waited
  if (request.clientGone()) throw clientLeft();
  const rate = isProbe
    ? deps.limiter.take('probe', request.clientAddress)
    : deps.limiter.take(presented.ratePolicy, presented.rateHolder);
  call.rate = rate;
  if (rate?.allowed === false) throw new RateLimited(rate);
  const plan = deps.planOf(request, (route) => enter(call, route));
  if (plan.kind === 'options') return preflight(call, { allow: plan.allow, rate });
  if (call.route !== plan.route) enter(call, plan.route);
  const counted = { ...call, rate };
  if (plan.route.family === 'mcp') return deps.tools({ ...counted, plan, presented });
  if (plan.route.family === 'free') return answerFree(counted, deps, { plan, presented });
  return answerPaid(counted, deps, { plan, presented });
}

/** Which route it is, known before its parameters are read. */
function enter(call: Call, route: Route): void {
  call.route = route;
  if (route.deprecation !== undefined) refuseSunset(call, route, call.startedMs);
}

// a request that counted against no limit yet shows that of its address
function rateShown({ rate, request }: Call, { limiter, probes }: ServeDeps): RateState | null {
  if (rate !== undefined) return rate;
  return limiter.peek(probes.has(pathOf(request.target)) ? 'probe' : 'ip', request.clientAddress);
}

// a route that has ended is none: it is not announced any more (I9.4)
function refuseSunset(call: Call, route: Route, nowMs: number): void {
  if (!isSunset(route, nowMs)) return;
  call.route = null;
  const successor = successorPath(route, pathOf(call.request.target));
  throw new IssuerError({
    code: 'route_not_found',
    message: `${route.path} ended on ${route.deprecation?.sunsetAt}.`,
    hint: successor === null ? 'GET /openapi.json lists every route.' : `Call ${successor}.`,
    details: { canonical_path: successor, suggestions: [] },
  });
}

/** Turns an error into the complete answer of a call (I7.1); also used where no route was reached. */
export function problemAnswer(
  call: Pick<Call, 'request' | 'requestId' | 'head' | 'route'> & { readonly rate: RateState | null },
  deps: Pick<ServeDeps, 'deployment' | 'reportDefect'>,
  error: unknown,
): Outgoing {
  const known = problemBody(error, {
    baseUrl: deps.deployment.baseUrl,
    instance: pathOf(call.request.target),
    requestId: call.requestId,
  });
  const problem = framedRefusal(call.request, known);
  if (problem.status === 500) deps.reportDefect({ requestId: call.requestId, error });
  const headers = [
    ...standardHeaders({
      requestId: call.requestId,
      rate: error instanceof RateLimited ? error.state : call.rate,
    }),
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

type Planned = { readonly plan: RoutePlan; readonly presented: Presented };

type Counted = Call & { readonly rate: RateState | null };

function answerFree(call: Counted, deps: ServeDeps, { plan, presented }: Planned): Promise<Outgoing> {
  const { request, head } = call;
  const nowMs = deps.nowMs();
  const limit = (policy: RatePolicy, holder: string): void => {
    const state = deps.limiter.take(policy, holder);
    if (state?.allowed === false) throw new RateLimited(state);
  };
  return freeAnswer(
    {
      route: plan.route,
      params: plan.params,
      head,
      requestId: call.requestId,
      headers: standardHeaders(call),
      accept: header(request, 'accept'),
      acceptEncoding: header(request, 'accept-encoding'),
      ifNoneMatch: header(request, 'if-none-match'),
      nowMs,
      live: { route: plan.route, params: plan.params, request, presented, head, nowMs, limit },
    },
    { ...deps.free, snapshot: () => deps.store.snapshot() },
  );
}

/** The stages of a paid route: syntax, look-up, access, answer. */
async function answerPaid(call: Counted, deps: ServeDeps, { plan, presented }: Planned): Promise<Outgoing> {
  const { request, requestId, head } = call;
  deps.gate.check({ presented, request, route: plan.route, canonicalPath: plan.twinPath });

  const located = await deps.locate(plan, await deps.store.snapshot());
  const lastRun = located.servable.body.showsLastRun ? await deps.store.lastRun() : null;

  // without a client nothing is claimed and nothing is sent (P1.13)
  if (request.clientGone()) throw clientLeft();
  const nowMs = deps.nowMs();
  const { servable, formerMicroUsd } = priceInForce(located.servable, nowMs);
  const decision = await deps.gate.decide({
    nowMs,
    presented,
    servable,
    formerMicroUsd,
    way: 'http',
    plan,
    requestId,
    head,
    fingerprint: plan.fingerprint,
    clientAddress: request.clientAddress,
    clientGone: request.clientGone,
  });

  const paid: PaidCall = {
    servable,
    requestId,
    rate: call.rate,
    coding: deps.codingOf(header(request, 'accept-encoding')),
    // a POST has no representation that could be unchanged (RFC 9110 §13.1.2)
    ifNoneMatch: request.method === 'POST' ? undefined : header(request, 'if-none-match'),
    startedMs: call.startedMs,
    nowMs: deps.nowMs(),
  };
  if (decision.kind === 'admit') {
    try {
      const artifactVersion = decision.receipt?.artifactVersion;
      // a replay is answered in the version that was served first, everything else in the current one (I5.26)
      const isEarlier =
        decision.replayed && artifactVersion !== undefined && artifactVersion !== servable.artifactVersion;
      const current = { ...located, servable };
      const served = isEarlier ? await servedVersion(plan, { artifactVersion, current }, deps) : current;
      return paidAnswer(
        { ...paid, servable: served.servable, nowMs: isEarlier ? deps.nowMs() : paid.nowMs },
        { admit: decision, lookup: served.lookup, lastRun },
      );
    } catch (error) {
      // what fails after access is our fault, which the gate learns (P7.9)
      decision.done('undelivered', true);
      throw error;
    }
  }
  const unpaid = { plan, head, deployment: deps.deployment, options: deps.challenges };
  if (decision.kind === 'challenge') return challengeAnswer(paid, { ...unpaid, ...decision });
  if (decision.challenge === null) throw decision.error;
  return refusedPaymentAnswer(paid, { ...unpaid, ...decision.challenge, refusal: decision });
}

function requestIdOf(request: Incoming, deps: ServeDeps): string {
  const asked = header(request, 'x-request-id');
  return asked !== undefined && /^[A-Za-z0-9._-]{8,64}$/.test(asked) ? asked : `req_${deps.ulid()}`;
}

function header(request: Incoming, name: string): string | undefined {
  const lines = request.headers[name];
  return lines === undefined || lines.length < 2 ? lines?.[0] : lines.join(', ');
}

function preflight(
  { requestId }: Call,
  { allow, rate }: { allow: readonly string[]; rate: RateState | null },
): Outgoing {
  return {
    status: 204,
    headers: [
      ...standardHeaders({ requestId, rate }),
      ...preflightHeaders(allow),
      'Cache-Control',
      'no-store',
    ],
    body: [],
    record: { requestId, route: null, code: null, receiptId: null, apiKeyId: null },
    done: () => {},
  };
}
