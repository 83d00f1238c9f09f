import { defaultMppMethod } from '../../data/contract/emit/deployment.ts';
import type { Ready } from '../../data/contract/emit/operations.ts';
import type { Rail } from '../access/accessDecision.ts';
import type { Config } from '../config/config.ts';
import { type ChainReader, chainReader } from '../evm/chainReader.ts';
import { loadSignatureBackend, type SignatureBackend } from '../evm/recoverSigner.ts';
import type { Ledger, LedgerLog, LedgerTime } from '../ledger/port/ledger.ts';
import type { Provider } from '../ledger/port/payment.ts';
import { type Breaker, breaker } from '../outbound/breaker.ts';
import { clockSkew, type JsonClient, jsonClient } from '../outbound/postJson.ts';
import { paymentProofs } from './claims/claimAnswers.ts';
import { undeliveredClaims } from './claims/sameAgain.ts';
import { composeMpp, type PaymentShared } from './composeMpp.ts';
import type { mppThread } from './mpp/mppThread.ts';
import { confirmingProvider, facilitator, facilitatorProvider } from './provider/facilitator.ts';
import { type GatewayReader, gatewayProvider, gatewayReader } from './provider/gatewayClient.ts';
import { selfProvider } from './provider/selfProvider.ts';
import { checkTokenDomain } from './railStates.ts';
import { type Reconciler, reconciler } from './recovery/reconcile.ts';
import { type Resolver, resolveExact, resolveGateway, resolveMpp } from './recovery/resolution.ts';
import { noHints, type SettlementHints } from './settle/settlementHints.ts';
import { settlements } from './settle/settlements.ts';
import type { Terms } from './terms/termsWatch.ts';
import { watchedRails } from './terms/watchedRails.ts';
import type { SettlementProvider } from './x402/settlementProvider.ts';
import { type LocalChecks, localChecks } from './x402/x402Checks.ts';
import { x402Rail } from './x402/x402Rail.ts';

/** The rails of one server, and what runs beside its requests. */
export type ComposedPayments = {
  /** In order of precedence (P1.11). */
  readonly rails: readonly Rail[];
  readonly signatures: SignatureBackend['name'] | null;
  readonly reconciler: Reconciler | null;
  /** Breakers of the providers that settle here (P2.44). */
  breakers(): readonly BreakerLine[];
  health(): Ready['checks']['ledger'];
  /** The same of the MPP rail. */
  mppHealth(): Ready['checks']['ledger'];
  /** What has to be right before the first payment. @throws IssuerError `configuration` */
  prepare(): Promise<void>;
  /** Starts the worker (P8.41). */
  start(): void;
  /** Asks the providers whether they settle what is offered, now and then now and again (P2.53). */
  watchTerms(): void;
  /** Ends it, lets running settle calls end, and closes connections. */
  stop(): Promise<void>;
};

/** A provider, whether it is called, and what it says of our terms. */
export type BreakerLine = {
  readonly provider: Provider;
  readonly state: ReturnType<Breaker['state']>;
  readonly terms: Terms;
};

/** A server that settles nothing. */
export function noPayments(): ComposedPayments {
  return {
    rails: [],
    signatures: null,
    reconciler: null,
    breakers: () => [],
    health: () => ({ status: 'failing', detail: 'payments are not settled here' }),
    mppHealth: () => ({ status: 'disabled', detail: null }),
    prepare: async () => {},
    start: () => {},
    watchTerms: () => {},
    stop: async () => {},
  };
}

type ComposeDeps = {
  readonly config: Config;
  readonly ledger: Ledger;
  readonly time: LedgerTime;
  readonly log: LedgerLog;
  /** Name of this server in claims (P8.40). */
  readonly owner: string;
  /** A clock that does not step, for the breakers (S37). */
  monotonicMs(): number;
  /** How a third party is reached; HTTP unless a simulation has its own. */
  readonly connect?: typeof jsonClient;
  /** How the MPP library runs; a thread unless a simulation has its own. */
  readonly runLibrary?: typeof mppThread;
  /** Notifications to and from the settlement process (P9.11); without them both sides poll. */
  readonly hints?: SettlementHints;
};

/** Wires the x402 rail of one configuration; nothing is reached before a payment comes. */
export function composePayments(deps: ComposeDeps, shared: PaymentShared): ComposedPayments {
  const { config, ledger, log } = deps;
  const { payments, deployment } = config;
  const { payTo } = deployment.x402;
  if (payments.challengeOnly || (payTo === null && deployment.mpp === null)) return noPayments();
  const backend = payTo === null ? null : loadSignatureBackend();
  const parties = thirdParties(deps);
  const { clients, chain, mppChain, gatewayClient, terms } = parties;
  const hints = deps.hints ?? noHints;
  const gateway: GatewayReader | null = gatewayClient === null ? null : gatewayReader(gatewayClient);
  const worker = reconciler({
    ...deps,
    resolvers: resolversOf({ ledger, chain, mppChain, gateway, nowMs: parties.calls.nowMs, log }),
    gateway:
      gateway === null || payTo === null
        ? null
        : { reader: gateway, payTo: payTo.toLowerCase(), network: deployment.x402.network },
    chains: {
      ...(chain === null ? {} : { x402_exact: chain }),
      ...(mppChain === null ? {} : { mpp: mppChain }),
    },
  });
  const running = settlements({
    ...deps,
    chainConfirms: (provider) => (provider === 'mpp' ? mppChain : chain) !== null,
    resolveNow: async ({ payment }) => {
      const found = await ledger.findClaim(payment.claimKey);
      return found === null ? null : worker.recheck(found);
    },
  });
  const claims = {
    proofOf: paymentProofs({
      mppMethod: deployment.mpp?.method ?? defaultMppMethod,
      v1Network: payments.v1Network,
    }),
    undeliveredHere: undeliveredClaims(),
  };
  // nothing is submitted in shadow mode, and that mode has no column for this rail (I5.19, I5.46)
  const mpp = payments.shadow
    ? null
    : composeMpp(
        {
          ...deps,
          ...payments,
          ...claims,
          config: payments.mpp,
          chain: mppChain,
          deployment,
          settlements: running,
          recheck: worker.recheck,
          breaker: terms.guarded('mpp', breaker({ nowMs: deps.monotonicMs })),
        },
        shared,
      );
  const x402 = (checks: LocalChecks): Rail =>
    x402Rail({
      ...deps,
      ...shared,
      ...claims,
      checks,
      providers: x402Providers(deps, { parties, hints }),
      chain,
      settlements: running,
      policy: payments,
      recheck: worker.recheck,
    });
  const rails = [
    ...(payTo === null || backend === null
      ? []
      : [
          x402(
            localChecks({ deployment, payTo, v1Network: payments.v1Network, backend, planOf: shared.planOf }),
          ),
        ]),
    ...(mpp === null ? [] : [mpp.rail]),
  ];
  let stopWorker = (): void => {};
  let stopTerms = (): void => {};
  return {
    rails,
    signatures: backend?.name ?? null,
    reconciler: worker,
    ...railHealth(payments, { parties, mpp, skew: clockSkew({ clients, log }) }),
    async prepare() {
      if (chain !== null) await checkTokenDomain(deployment.x402, { chain, log });
    },
    start() {
      stopWorker = worker.start();
      mpp?.library.warm();
    },
    watchTerms() {
      stopTerms = terms.start();
    },
    async stop() {
      stopWorker();
      stopTerms();
      await running.idle();
      await hints.close();
      await mpp?.library.close();
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}

type ThirdParties = ReturnType<typeof thirdParties>;

/** Who is called for a payment; null where the configuration names none. */
function thirdParties({
  config: { payments, deployment },
  connect = jsonClient,
  time,
  log,
  monotonicMs,
}: ComposeDeps) {
  const clients: JsonClient[] = [];
  const nowMs = (): number => time.nowMs();
  const pause = (ms: number): Promise<void> => new Promise((resolve) => time.after(ms, resolve));
  const reach = (baseUrl: string, bearer: string | null = null): JsonClient => {
    const client = connect({ baseUrl, bearer, nowMs });
    clients.push(client);
    return client;
  };
  const chainAt = (url: string | null): ChainReader | null =>
    url === null ? null : chainReader({ client: reach(url), nowMs });
  const chain = chainAt(payments.rpcUrl);
  const mppChain = chainAt(payments.mpp.rpcUrl);
  const facilitatorClient =
    payments.exact === 'facilitator' && payments.facilitatorUrl !== null
      ? reach(payments.facilitatorUrl, payments.facilitatorAuth)
      : null;
  const gatewayClient =
    payments.gatewayUrl === null || deployment.x402.gateway === null ? null : reach(payments.gatewayUrl);
  const terms = watchedRails({
    deployment,
    ends: {
      facilitator: facilitatorClient,
      gateway: gatewayClient,
      chain: payments.exact === 'self' ? chain : null,
      mppChain,
    },
    time,
    log,
    random: Math.random,
  });
  return {
    clients,
    chain,
    mppChain,
    facilitatorClient,
    gatewayClient,
    terms,
    exactBreaker: terms.guarded('x402_exact', breaker({ nowMs: monotonicMs })),
    gatewayBreaker: terms.guarded('gateway_batched', breaker({ nowMs: monotonicMs })),
    calls: { settleCallMs: payments.settleCallMs, nowMs, pause },
  };
}

/** Who settles x402 payments; null where nothing is settled. */
function x402Providers(
  { config: { payments }, ledger, time }: ComposeDeps,
  { parties, hints }: { readonly parties: ThirdParties; readonly hints: SettlementHints },
): { x402_exact: SettlementProvider | null; gateway_batched: SettlementProvider | null } {
  const { chain, facilitatorClient, gatewayClient, exactBreaker, gatewayBreaker, calls } = parties;

  function exact(): SettlementProvider | null {
    if (payments.exact === 'off') return null;
    const { settleCallMs } = payments;
    if (payments.exact === 'self')
      return selfProvider({ ledger, hints, breaker: exactBreaker, settleCallMs, time });
    if (facilitatorClient === null) return null;
    const provider = facilitatorProvider({
      facilitator: facilitator({ client: facilitatorClient, ...calls }),
      breaker: exactBreaker,
      verifies: payments.verifySeparately,
    });
    return payments.confirmReceipt && chain !== null
      ? confirmingProvider(provider, { chain, nowMs: calls.nowMs, pause: calls.pause })
      : provider;
  }

  return {
    x402_exact: exact(),
    gateway_batched:
      gatewayClient === null
        ? null
        : gatewayProvider({ client: gatewayClient, breaker: gatewayBreaker, ...calls }),
  };
}

/** Whether the rails settle now. */
function railHealth(
  payments: Config['payments'],
  {
    parties: { exactBreaker, gatewayBreaker, gatewayClient, terms },
    mpp,
    skew,
  }: {
    readonly parties: ThirdParties;
    readonly mpp: { readonly breaker: Breaker } | null;
    readonly skew: ReturnType<typeof clockSkew>;
  },
): Pick<ComposedPayments, 'breakers' | 'health' | 'mppHealth'> {
  const line = (provider: Provider, { state }: Breaker): BreakerLine => ({
    provider,
    state: state(),
    terms: terms.current(provider),
  });
  return {
    breakers: () => [
      ...(payments.exact === 'off' ? [] : [line('x402_exact', exactBreaker)]),
      ...(gatewayClient === null ? [] : [line('gateway_batched', gatewayBreaker)]),
      ...(mpp === null ? [] : [line('mpp', mpp.breaker)]),
    ],
    health() {
      if (exactBreaker.state() === 'open')
        return { status: 'failing', detail: 'the settlement provider does not answer' };
      // exact payments still settle while the gateway does not
      const detail = skew() ?? terms.fault('gateway_batched')?.detail ?? null;
      return terms.fault('x402_exact') ?? { status: 'ok', detail };
    },
    mppHealth() {
      if (mpp === null) return { status: 'disabled', detail: null };
      return mpp.breaker.state() === 'open'
        ? { status: 'failing', detail: 'the payment network does not answer' }
        : (terms.fault('mpp') ?? { status: 'ok', detail: null });
    },
  };
}

function resolversOf({
  ledger,
  chain,
  mppChain,
  gateway,
  nowMs,
  log,
}: {
  ledger: Pick<Ledger, 'findTransfer'>;
  chain: ChainReader | null;
  mppChain: ChainReader | null;
  gateway: GatewayReader | null;
  nowMs(): number;
  log: LedgerLog;
}): { [P in Provider]?: Resolver } {
  const alert = (event: string): void => log({ level: 'error', event });
  return {
    ...(chain === null ? {} : { x402_exact: (found) => resolveExact(found, chain) }),
    ...(mppChain === null ? {} : { mpp: (found) => resolveMpp(found, mppChain) }),
    ...(gateway === null
      ? {}
      : {
          gateway_batched: (found) =>
            resolveGateway(found, {
              gateway,
              nowMs: nowMs(),
              receiptOf: ledger.findTransfer,
              alert,
            }),
        }),
  };
}
