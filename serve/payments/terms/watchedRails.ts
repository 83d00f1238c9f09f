import type { Deployment } from '../../../data/contract/emit/deployment.ts';
import type { Ready } from '../../../data/contract/emit/operations.ts';
import type { ChainReader } from '../../evm/chainReader.ts';
import type { LedgerLog, LedgerTime } from '../../ledger/port/ledger.ts';
import type { Provider } from '../../ledger/port/payment.ts';
import type { Breaker } from '../../outbound/breaker.ts';
import type { JsonClient } from '../../outbound/postJson.ts';
import { askChain, askSupported } from './askTerms.ts';
import { type Terms, type TermsWatch, termsWatch, unaskedTerms } from './termsWatch.ts';

/** What stands behind each rail of one server; null where nothing does. */
export type RailEnds = {
  readonly facilitator: Pick<JsonClient, 'call'> | null;
  readonly gateway: Pick<JsonClient, 'call'> | null;
  /** The x402 chain, where the server settles by itself. */
  readonly chain: Pick<ChainReader, 'chainId'> | null;
  readonly mppChain: Pick<ChainReader, 'chainId'> | null;
};

/** The watches of a server's rails, by provider. */
export type WatchedRails = {
  current(provider: Provider): Terms;
  /** The same breaker, closed to calls while its provider refuses our terms. */
  guarded(provider: Provider, breaker: Breaker): Breaker;
  /** What `/ready` says of a provider whose calls are let through; null when nothing is wrong. */
  fault(provider: Provider): Ready['checks']['ledger'] | null;
  start(): () => void;
};

/** Watches what settles the rails of a deployment (P2.53). */
export function watchedRails(deps: {
  deployment: Deployment;
  ends: RailEnds;
  time: LedgerTime;
  log: LedgerLog;
  random(): number;
}): WatchedRails {
  const { ends, deployment } = deps;
  const { network } = deployment.x402;
  const watches = new Map<Provider, TermsWatch>();
  const watch = (provider: Provider, ask: () => Promise<Terms>): void => {
    watches.set(provider, termsWatch({ ...deps, provider, ask }));
  };
  const { facilitator, gateway, chain, mppChain } = ends;
  if (facilitator !== null)
    watch('x402_exact', () =>
      askSupported({ client: facilitator, path: '/supported', network, verifyingContract: null }),
    );
  else if (chain !== null) watch('x402_exact', () => askChain({ chain, chainId: chainIdOf(network) }));
  if (gateway !== null)
    watch('gateway_batched', () =>
      askSupported({
        client: gateway,
        path: '/v1/x402/supported',
        network,
        verifyingContract: deployment.x402.gateway?.verifyingContract ?? null,
      }),
    );
  const { mpp } = deployment;
  if (mpp !== null && mppChain !== null)
    watch('mpp', () => askChain({ chain: mppChain, chainId: chainIdOf(mpp.network) }));
  const current = (provider: Provider): Terms => watches.get(provider)?.current() ?? unaskedTerms;
  return {
    current,
    guarded: (provider, breaker) => ({
      ...breaker,
      allows: () => watches.get(provider)?.allows() !== false && breaker.allows(),
    }),
    fault(provider) {
      const { state, detail } = current(provider);
      const wrong = state === 'refused' || state === 'away';
      return wrong ? { status: 'failing', detail: `${provider}: ${detail}` } : null;
    },
    start() {
      const stops = [...watches.values()].map((one) => one.start());
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

function chainIdOf(network: string): number {
  return Number(network.slice('eip155:'.length));
}
