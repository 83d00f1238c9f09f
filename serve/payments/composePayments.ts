import { defaultMppMethod } from '../../data/contract/emit/deployment.ts';
import type { Ready } from '../../data/contract/emit/operations.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { Rail } from '../access/accessDecision.ts';
import type { Config } from '../config/config.ts';
import { priceDecimals } from '../config/knownNetworks.ts';
import { type ChainReader, ChainUnavailable, chainReader } from '../evm/chainReader.ts';
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

/** Wires the x402 rail of one configuration; nothing is reached before a payment comes. */
export function composePayments(
  deps: {
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
  },
  shared: PaymentShared,
): ComposedPayments {
  const { config, ledger, time, log } = deps;
  const { payments, deployment } = config;
  const { payTo } = deployment.x402;
  if (payments.challengeOnly || (payTo === null && deployment.mpp === null)) return noPayments();
  const backend = payTo === null ? null : loadSignatureBackend();
  const clients: JsonClient[] = [];
  const nowMs = (): number => time.nowMs();
  const pause = (ms: number): Promise<void> => new Promise((resolve) => time.after(ms, resolve));
  const reach = (baseUrl: string, bearer: string | null = null): JsonClient => {
    const client = (deps.connect ?? jsonClient)({ baseUrl, bearer, nowMs });
    clients.push(client);
    return client;
  };
  const chain: ChainReader | null =
    payments.rpcUrl === null ? null : chainReader({ client: reach(payments.rpcUrl), nowMs });
  const mppChain: ChainReader | null =
    payments.mpp.rpcUrl === null ? null : chainReader({ client: reach(payments.mpp.rpcUrl), nowMs });
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
  const exactBreaker = terms.guarded('x402_exact', breaker({ nowMs: deps.monotonicMs }));
  const gatewayBreaker = terms.guarded('gateway_batched', breaker({ nowMs: deps.monotonicMs }));
  const hints = deps.hints ?? noHints;
  const calls = { settleCallMs: payments.settleCallMs, nowMs, pause };

  function exactProvider(): SettlementProvider | null {
    if (payments.exact === 'self')
      return selfProvider({
        ledger,
        hints,
        breaker: exactBreaker,
        settleCallMs: payments.settleCallMs,
        time,
      });
    if (facilitatorClient === null) return null;
    const provider = facilitatorProvider({
      facilitator: facilitator({ client: facilitatorClient, ...calls }),
      breaker: exactBreaker,
      verifies: payments.verifySeparately,
    });
    return payments.confirmReceipt && chain !== null
      ? confirmingProvider(provider, { chain, nowMs, pause })
      : provider;
  }

  const gateway: GatewayReader | null = gatewayClient === null ? null : gatewayReader(gatewayClient);
  const worker = reconciler({
    ledger,
    resolvers: resolversOf({ ledger, chain, mppChain, gateway, nowMs, log }),
    gateway:
      gateway === null || payTo === null
        ? null
        : { reader: gateway, payTo: payTo.toLowerCase(), network: deployment.x402.network },
    chains: {
      ...(chain === null ? {} : { x402_exact: chain }),
      ...(mppChain === null ? {} : { mpp: mppChain }),
    },
    owner: deps.owner,
    time,
    log,
  });
  const running = settlements({
    ledger,
    owner: deps.owner,
    time,
    log,
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
      ...shared,
      ...claims,
      ledger,
      checks,
      providers: {
        x402_exact: payments.exact === 'off' ? null : exactProvider(),
        gateway_batched:
          gatewayClient === null
            ? null
            : gatewayProvider({ client: gatewayClient, breaker: gatewayBreaker, ...calls }),
      },
      chain,
      settlements: running,
      policy: payments,
      time,
      owner: deps.owner,
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
  const skew = clockSkew({ clients, log });
  let stopWorker = (): void => {};
  let stopTerms = (): void => {};
  const line = (provider: Provider, { state }: Breaker): BreakerLine => ({
    provider,
    state: state(),
    terms: terms.current(provider),
  });
  return {
    rails,
    signatures: backend?.name ?? null,
    reconciler: worker,
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

/**
 * Compares the configured network with that of the node, and name, version and decimals of the token with what the
 * token says: a wrong one makes every signature fail, or every price another (P2.4). A node that does not answer stops
 * nothing.
 *
 * @throws IssuerError `configuration`
 */
export async function checkTokenDomain(
  x402: {
    readonly network: string;
    readonly asset: string;
    readonly assetName: string;
    readonly assetVersion: string;
  },
  { chain, log }: { readonly chain: ChainReader; readonly log: LedgerLog },
): Promise<void> {
  try {
    const network = `eip155:${await chain.chainId()}`;
    if (network !== x402.network) throw nodeOfAnotherChain(network);
    const { name, version, decimals } = await chain.tokenFacts(x402.asset);
    if (name !== x402.assetName) throw differs('II_PAY_ASSET_NAME', name);
    if (version !== x402.assetVersion) throw differs('II_PAY_ASSET_VERSION', version);
    if (String(decimals) !== priceDecimals) throw differs('II_PAY_ASSET_DECIMALS', String(decimals));
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    log({ level: 'warn', event: 'token_not_checked' });
  }
}

function nodeOfAnotherChain(network: string): IssuerError {
  return new IssuerError({
    code: 'configuration',
    message: 'II_PAY_RPC_URL is not a node of II_PAY_NETWORK.',
    hint: `The node says ${network}.`,
    details: { variable: 'II_PAY_RPC_URL' },
  });
}

function differs(variable: string, onChain: string): IssuerError {
  return new IssuerError({
    code: 'configuration',
    message: `${variable} is not what the token says.`,
    hint: `The token says ${JSON.stringify(onChain)}.`,
    details: { variable },
  });
}
