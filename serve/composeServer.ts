import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Ready } from '../data/contract/emit/operations.ts';
import { promotionNames } from '../data/contract/release/releaseFiles.ts';
import type { Route } from '../data/contract/routes/route.ts';
import { routes as contractRoutes } from '../data/contract/routes/routes.ts';
import { howToUseTools, toolRails } from '../data/contract/tools/toolPayment.ts';
import { createGate, type Gate } from './access/gate.ts';
import { maxChallengeCharacters } from './answer/challenge.ts';
import { type ComposedCheckout, noCheckout } from './checkout/composeCheckout.ts';
import type { Config } from './config/config.ts';
import { servableLocator } from './find/servableLocator.ts';
import { discoveryDocuments } from './free/discoveryDocuments.ts';
import { readyBody } from './free/readyBody.ts';
import { type ComposedGrants, noGrants } from './grants/composeGrants.ts';
import type { ServeDeps } from './handle.ts';
import { codingNegotiator } from './http/contentNegotiation.ts';
import { freeTurns } from './http/inFlight.ts';
import { rateLimiter } from './http/rateLimit.ts';
import { type KeyRing, keyRing } from './keys/keyRing.ts';
import { openProofKey, type ProofKey } from './keys/proofKey.ts';
import { releaseKeys } from './keys/releaseKeys.ts';
import { ledgerLog } from './ledger/openLedger.ts';
import type { LedgerLog, LedgerTime, UnchargedLedger } from './ledger/port/ledger.ts';
import { ulidGenerator } from './ledger/ulid.ts';
import { argumentReader } from './mcp/endpointCall.ts';
import { hostRule } from './mcp/hostRule.ts';
import { toolCatalogues } from './mcp/toolCatalogue.ts';
import { type ToolEndpoint, toolEndpoint } from './mcp/toolEndpoint.ts';
import { deploymentChallenges, type PaymentShared } from './payments/composeMpp.ts';
import { type ComposedPayments, noPayments } from './payments/composePayments.ts';
import { offerSigner } from './payments/proofs/signedOffers.ts';
import { signedReceipts } from './payments/proofs/signedReceipts.ts';
import { unsettledRails } from './payments/unsettledRails.ts';
import { routeMatcher } from './routing/routeMatcher.ts';
import { planOfTarget, requestPlanner } from './routing/routePlan.ts';
import { byteCache } from './store/byteCache.ts';
import { committedSamples } from './store/committedSample.ts';
import { type OpenArtifacts, openArtifacts } from './store/openArtifacts.ts';
import { renderKeyWatch } from './visual/renderStore.ts';
import { renderingWorker, type VisualThread, visualThread } from './visual/visualThread.ts';

const artifactCacheBytes = 256 * 1024 * 1024;
const servableCacheBytes = 64 * 1024 * 1024;
const planCacheBytes = 32 * 1024 * 1024;
const documentCacheBytes = 16 * 1024 * 1024;
const argumentCacheBytes = 8 * 1024 * 1024;
const paidCodings = ['gzip', 'zstd'] as const;
/** How late a promotion may be seen. */
const pointerRecheckMs = 200;

/** A server without its socket. */
export type ComposedServer = {
  readonly deps: ServeDeps;
  readonly artifacts: OpenArtifacts;
  readonly keys: KeyRing;
  readonly payments: ComposedPayments;
  readonly grants: ComposedGrants;
  readonly checkout: ComposedCheckout;
  readonly visual: VisualThread;
};

type ServerInput = {
  config: Config;
  ledger: UnchargedLedger;
  time: LedgerTime;
  log: Logger;
  /** Another table than the contract's. */
  routes?: readonly Route[];
  /** Builds the rails that settle; without it payments are answered 503. */
  payments?: (shared: PaymentShared) => ComposedPayments;
  /** Builds grants; without it no token is good. */
  grants?: (shared: { ulid(): string }) => ComposedGrants;
  /** Builds card checkout; without it nothing is sold by card. */
  checkout?: (shared: { ulid(): string; grants: ComposedGrants }) => ComposedCheckout;
  /** Another access than the gate's: an operator's. */
  access?: (shared: { gate: Gate; ulid(): string }) => Gate;
  /** Receives what the operator should know; the log by default. */
  lines?: LedgerLog;
  /** Stands for the bucket of `II_STORE`. */
  remote?: Parameters<typeof openArtifacts>[0]['remote'];
  /** 0 in tests that promote between two requests. */
  recheckMs?: number;
};

/** Wires the request path of one configuration; the ledger is open and stays the caller's to close. */
export function composeServer(input: ServerInput): ComposedServer {
  const { config, time, log } = input;
  const { nowMs } = time;
  const lines = input.lines ?? ledgerLog(log);
  const ulid = ulidGenerator({ nowMs });
  const keys = keyRing({ keys: input.ledger.keys, time, log: lines });
  const keysOfReleases = releaseKeys(config.dataRoot);
  const artifacts = openArtifacts({
    config: config.store,
    seenPath: join(config.dataRoot, promotionNames.seen),
    cacheBytes: artifactCacheBytes,
    recheckMs: input.recheckMs ?? pointerRecheckMs,
    time,
    remote: input.remote,
    tell: lines,
    trusts: keysOfReleases.trusts,
    onFault: ({ release, key, message }) =>
      lines({ level: 'error', event: 'artifact_fault', fields: { release, artifact_key: key, message } }),
  });
  const { store } = artifacts;
  const { deployment, securityContact } = config;
  const routes = (input.routes ?? contractRoutes).filter(
    ({ answer }) => answer?.kind !== 'security' || securityContact !== null,
  );
  const { proofKeyFile: path } = config.payments;
  const proofKey = path === null ? null : openProofKey({ path, baseUrl: deployment.baseUrl });
  const discovery = discoveryDocuments({
    deployment,
    routes,
    releaseKeys: keysOfReleases.current,
    renderKey: renderKeyWatch(visualDirectory(config)),
    proofKey: proofKey?.published ?? null,
    samples: committedSamples,
  });
  const match = routeMatcher(routes);
  const limiter = rateLimiter({ limits: config.rateLimits, nowMs });
  const challenges = deploymentChallenges({
    deployment,
    config: config.payments.mpp,
    monotonicMs: () => performance.now(),
  });
  const payments = (input.payments ?? noPayments)({ limiter, planOf: planOfTarget(match), challenges, ulid });
  const grants = (input.grants ?? noGrants)({ ulid });
  const checkout = (input.checkout ?? noCheckout)({ ulid, grants });
  const gate = gateOf(input, { keys, payments, grants, routes, proofKey, ulid });
  const deps: Omit<ServeDeps, 'tools'> = {
    deployment,
    planOf: requestPlanner({
      match,
      plans: byteCache(planCacheBytes),
      // the challenge in the header, in the body with its offers, and as text
      keptCharacters: 4 * maxChallengeCharacters,
    }),
    gate,
    challenges: {
      ...config.payments,
      mpp: challenges,
      offers: proofKey === null ? null : offerSigner(proofKey),
    },
    limiter,
    freeTurn: freeTurns({ monotonicMs: () => performance.now(), defer: setImmediate }),
    probes: probePaths(routes),
    store,
    locate: servableLocator(byteCache(servableCacheBytes)),
    codingOf: codingNegotiator(paidCodings),
    free: {
      discovery,
      documents: byteCache(documentCacheBytes),
      startedMs: nowMs(),
      routes,
      deployment,
      security: { contact: securityContact ?? '' },
      live: new Map([...grants.routes, ...checkout.routes]),
      ready: () =>
        readyBody({
          store,
          ledger: () => ledgerCheck(input.ledger),
          rails: { x402: railCheck(config, payments), mpp: mppCheck(config, payments) },
          discovery: discovery(nowMs()).hashes,
          nowMs: nowMs(),
        }),
    },
    nowMs,
    ulid,
    reportDefect: ({ requestId, error }) => log.error({ request_id: requestId, err: error }, 'defect'),
  };
  const visual = visualThread({ start: renderingWorker(visualDirectory(config)), time, log: lines });
  const tools = toolsOf(config, { ...deps, visual });
  return { deps: { ...deps, tools }, artifacts, keys, payments, grants, checkout, visual };
}

/** The gate of every rail; with a proof key its receipts are signed. */
function gateOf(
  { config, ledger, access }: ServerInput,
  parts: Pick<ComposedServer, 'keys' | 'payments' | 'grants'> & {
    routes: readonly Route[];
    proofKey: ProofKey | null;
    ulid: () => string;
  },
): Gate {
  const { deployment } = config;
  const { keys, payments, grants, routes, proofKey, ulid } = parts;
  const bare = createGate({
    ledger,
    checkKey: keys.check,
    checkGrant: grants.check,
    freePaths: freePaths(routes),
    deployment,
    rails: [...payments.rails, ...unsettledRails(deployment), ...grants.rails],
    v1: config.payments.v1Network !== null,
    ulid,
  });
  const gate =
    proofKey === null ? bare : signedReceipts(bare, { key: proofKey, baseUrl: deployment.baseUrl });
  return access?.({ gate, ulid }) ?? gate;
}

/** Where renders lie, with the key that signs them (I4.VIS.12a). */
function visualDirectory({ dataRoot }: Config): string {
  return join(dataRoot, 'visual');
}

function toolsOf(
  { listen, tools }: Config,
  deps: Omit<ServeDeps, 'tools'> & { readonly visual: VisualThread },
): ToolEndpoint {
  return toolEndpoint({
    ...deps,
    readArguments: argumentReader(byteCache(argumentCacheBytes)),
    catalogueAt: toolCatalogues({
      routes: deps.free.routes,
      disabled: tools.disabled,
      rails: toolRails(deps.deployment),
      howToUse: howToUseTools(deps.deployment),
    }),
    inBandAuto: tools.inBandAuto,
    checkHost: hostRule({
      ...tools,
      loopback: listen.loopback,
      baseHost: new URL(deps.deployment.baseUrl).host,
    }),
  });
}

/** Paths of the free routes; none of them has a parameter under `/v1`. */
export function freePaths(routes: readonly Route[]): ReadonlySet<string> {
  return new Set(routes.filter(({ family }) => family === 'free').map(({ path }) => path));
}

/** Paths that are polled to see whether the server lives; they have a limit of their own (I8.3). */
function probePaths(routes: readonly Route[]): ReadonlySet<string> {
  const probes = routes.filter(({ answer }) => answer?.kind === 'health' || answer?.kind === 'ready');
  return new Set(probes.map(({ path }) => path));
}

type Check = Ready['checks']['ledger'];

function railCheck(config: Config, payments: ComposedPayments): Check {
  if (config.challengeOnly) return { status: 'disabled', detail: 'challenge only' };
  if (config.deployment.x402.payTo === null) return { status: 'disabled', detail: null };
  return payments.health();
}

function mppCheck(config: Config, payments: ComposedPayments): Check {
  if (config.challengeOnly && config.deployment.mpp !== null)
    return { status: 'disabled', detail: 'challenge only' };
  return payments.mppHealth();
}

async function ledgerCheck(ledger: UnchargedLedger): Promise<Check> {
  const health = await ledger.health();
  return { status: health.status, detail: health.reason };
}
