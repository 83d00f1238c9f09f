import type { Deployment } from '../data/contract/emit/deployment.ts';
import { IssuerError } from '../data/contract/errors/issuerError.ts';
import type { LastRun } from '../data/contract/release/releaseFiles.ts';
import { deprecationHeaders, isSunset, successorPath } from '../data/contract/routes/deprecation.ts';
import { railsOf } from '../data/contract/routes/paymentRail.ts';
import type { Route } from '../data/contract/routes/route.ts';
import { type Admit, clientLeft, type Decision, type Presented } from './access/accessDecision.ts';
import type { Gate } from './access/gate.ts';
import type { ChallengeOptions } from './answer/challenge.ts';
import { challengeAnswer, refusedPaymentAnswer } from './answer/challengeAnswer.ts';
import { type PaidCall, paidAnswer } from './answer/paidAnswer.ts';
import { servedVersion } from './answer/servedVersion.ts';
import type { Coding } from './body/openBodies.ts';
import { emptyAnswer, type Incoming, type Outgoing } from './exchange.ts';
import type { Found } from './find/servable/findInput.ts';
import { priceInForce } from './find/servable/servableOf.ts';
import type { ServableLocator } from './find/servableLocator.ts';
import { type FreeDeps, freeAnswer } from './free/freeAnswer.ts';
import type { FreeTurns } from './http/freeTurns.ts';
import { pathOf } from './http/parseTarget.ts';
import { RateLimited, type RateLimiter, type RatePolicy, type RateState } from './http/rateLimit.ts';
import { isPreflight, preflightHeaders, standardHeaders } from './http/standardHeaders.ts';
import { checkTransportLimits } from './http/transportLimits.ts';
import { framedRefusal } from './mcp/frameAnswer.ts';
import type { ToolEndpoint } from './mcp/toolEndpoint.ts';
import { problemBody } from './problem/problemBody.ts';
import { everyMethod, type RequestPlanner } from './routing/planOfRequest.ts';
import type { RoutePlan } from './routing/routePlan.ts';
import { caught, soon } from './soon.ts';
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
    if (!(outgoing instanceof Promise)) return announced(call, deps, outgoing);
    // which route it is may show only later, in its turn
    return outgoing.then(
      (made) => announced(call, deps, made),
      (error: unknown) => announced(call, deps, problemAnswer(call, deps, error)),
    );
  } catch (error) {
    return announced(call, deps, problemAnswer(call, deps, error));
  }
}

/** The answer of a route whose end is announced says so, with every status (I9.4). */
function announced({ route, request }: Call, { deployment }: ServeDeps, outgoing: Outgoing): Outgoing {
  if (route?.deprecation === undefined) return outgoing;
  const asked = { baseUrl: deployment.baseUrl, asked: pathOf(request.target) };
  return { ...outgoing, headers: [...outgoing.headers, ...deprecationHeaders(route, asked)] };
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
  call: Pick<Call, 'request' | 'requestId' | 'head' | 'rate' | 'route'>,
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

function answer(call: Call, deps: ServeDeps): Outgoing | Promise<Outgoing> {
  const { request } = call;
  const isProbe = deps.probes.has(pathOf(request.target));
  call.rate = deps.limiter.peek(isProbe ? 'probe' : 'ip', request.clientAddress);
  // a page whose preflight is refused never sees the 404 or 429 behind it
  if (isPreflight(request)) return preflight(call, everyMethod);
  checkTransportLimits(request);
  const presented = deps.gate.present(request);
  const begin = (): Outgoing | Promise<Outgoing> => answerInTurn(call, deps, { presented, isProbe });
  return presented.ratePolicy === 'ip' && !isProbe ? deps.freeTurn(begin) : begin();
}

function answerInTurn(
  call: Call,
  deps: ServeDeps,
  { presented, isProbe }: { presented: Presented; isProbe: boolean },
): Outgoing | Promise<Outgoing> {
  const { request } = call;
  // nothing is begun for a client that left while it waited
  if (request.clientGone()) throw clientLeft();
  call.rate = isProbe
    ? deps.limiter.take('probe', request.clientAddress)
    : deps.limiter.take(presented.ratePolicy, presented.rateHolder);
  if (call.rate?.allowed === false) throw new RateLimited(call.rate);
  const plan = deps.planOf(request, (route) => {
    call.route = route;
    refuseSunset(call, route, call.startedMs);
  });
  if (plan.kind === 'options') return preflight(call, plan.allow);
  call.route = plan.route;
  refuseSunset(call, plan.route, call.startedMs);
  if (plan.route.family === 'mcp') return deps.tools({ ...call, plan, presented });
  if (plan.route.auth === 'A-FREE') return answerFree(call, deps, { plan, presented });
  return answerPaid(call, deps, { plan, presented });
}

type Planned = { readonly plan: RoutePlan; readonly presented: Presented };

function answerFree(call: Call, deps: ServeDeps, { plan, presented }: Planned): Promise<Outgoing> {
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

/** The stages of a paid route; each waits for the one before it where that has to read something. */
function answerPaid(call: Call, deps: ServeDeps, { plan, presented }: Planned): Outgoing | Promise<Outgoing> {
  const { request } = call;
  deps.gate.check({ presented, request, route: plan.route, canonicalPath: plan.twinPath });
  const found = soon(deps.store.snapshot(), (snapshot) => deps.locate(plan, snapshot));
  const shown = soon(found, (located) => withLastRun(located, deps.store));
  const decided = soon(shown, (located) => decide(call, deps, { ...located, plan, presented }));
  return soon(decided, (located) => answerDecided(call, deps, located));
}

type Located = Planned & { readonly found: Found; readonly lastRun: LastRun | null };
type Decided = Located & { readonly decision: Decision };

function withLastRun(
  found: Found,
  store: ArtifactStore,
): Omit<Located, keyof Planned> | Promise<Omit<Located, keyof Planned>> {
  if (!found.servable.body.showsLastRun) return { found, lastRun: null };
  return store.lastRun().then((lastRun) => ({ found, lastRun }));
}

function decide(call: Call, deps: ServeDeps, located: Located): Decided | Promise<Decided> {
  const { request, requestId, head } = call;
  // without a client nothing is claimed and nothing is sent (P1.13)
  if (request.clientGone()) throw clientLeft();
  const { plan, presented } = located;
  const nowMs = deps.nowMs();
  const { servable, formerMicroUsd } = priceInForce(located.found.servable, nowMs);
  const decision = deps.gate.decide({
    nowMs,
    presented,
    servable,
    formerMicroUsd,
    rails: railsOf(plan.route, 'http'),
    plan,
    requestId,
    head,
    fingerprint: plan.fingerprint,
    clientAddress: request.clientAddress,
    clientGone: request.clientGone,
  });
  const found = servable === located.found.servable ? located.found : { ...located.found, servable };
  return soon(decision, (made) => ({ ...located, found, decision: made }));
}

function answerDecided(
  call: Call,
  deps: ServeDeps,
  { decision, ...located }: Decided,
): Outgoing | Promise<Outgoing> {
  const paid = paidCall(call, deps, located.found);
  const unpaid = {
    plan: located.plan,
    head: call.head,
    deployment: deps.deployment,
    options: deps.challenges,
  };
  switch (decision.kind) {
    case 'challenge':
      return challengeAnswer(paid, { ...unpaid, ...decision });
    case 'refuse':
      if (decision.challenge === null) throw decision.error;
      return refusedPaymentAnswer(paid, { ...unpaid, ...decision.challenge, refusal: decision });
    case 'admit':
      return answerAdmitted(call, deps, { ...located, admit: decision });
  }
}

type Admitted = Located & { readonly admit: Admit };

/** The answer of an admitted call; what fails while it is made is our fault, which the gate learns (P7.9). */
function answerAdmitted(call: Call, deps: ServeDeps, admitted: Admitted): Outgoing | Promise<Outgoing> {
  const { admit, lastRun } = admitted;
  return caught(
    () =>
      soon(admittedVersion(deps, admitted), (found) =>
        paidAnswer(paidCall(call, deps, found), { admit, lookup: found.lookup, lastRun }),
      ),
    (error) => {
      admit.done('undelivered', true);
      throw error;
    },
  );
}

/** A replay is answered in the version that was served first, everything else in the current one (I5.26). */
function admittedVersion(deps: ServeDeps, { admit, found, plan }: Admitted): Found | Promise<Found> {
  const version = admit.receipt?.artifactVersion;
  if (!admit.replayed || version === undefined || version === found.servable.artifactVersion) return found;
  return servedVersion(plan, { artifactVersion: version, current: found }, deps);
}

function paidCall(call: Call, deps: ServeDeps, { servable }: Found): PaidCall {
  return {
    servable,
    requestId: call.requestId,
    rate: call.rate,
    coding: deps.codingOf(header(call.request, 'accept-encoding')),
    // a POST has no representation that could be unchanged (RFC 9110 §13.1.2)
    ifNoneMatch: call.request.method === 'POST' ? undefined : header(call.request, 'if-none-match'),
    startedMs: call.startedMs,
    nowMs: deps.nowMs(),
  };
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
