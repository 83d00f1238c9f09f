import { z } from 'zod';
import type { Deployment } from '../../../data/contract/emit/deployment.ts';
import type { Ready } from '../../../data/contract/emit/operations.ts';
import { type ChainReader, ChainUnavailable } from '../../evm/chainReader.ts';
import type { LedgerLog, LedgerTime } from '../../ledger/port/ledger.ts';
import type { Provider } from '../../ledger/port/payment.ts';
import type { Breaker } from '../../outbound/breaker.ts';
import type { JsonClient } from '../../outbound/postJson.ts';
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

const askMs = 5000;

const supported = z.looseObject({
  kinds: z.array(
    z.looseObject({
      x402Version: z.number(),
      scheme: z.string(),
      network: z.string(),
      extra: z.looseObject({ verifyingContract: z.string().optional() }).nullish(),
    }),
  ),
});
type Kind = z.infer<typeof supported>['kinds'][number];

/**
 * Whether a facilitator or the gateway settles exact payments of version 2 on our network, by its own `/supported`
 * (P2.36). One that has no such page says nothing.
 */
export async function askSupported({
  client,
  path,
  network,
  verifyingContract,
}: {
  client: Pick<JsonClient, 'call'>;
  path: string;
  network: string;
  /** The gateway's wallet, where it matters. */
  verifyingContract: string | null;
}): Promise<Terms> {
  const result = await client.call({ method: 'GET', path, body: null, timeoutMs: askMs });
  if (result.kind !== 'answer' || result.status >= 500)
    return { state: 'away', detail: 'it does not answer' };
  const parsed = supported.safeParse(result.json);
  if (result.status !== 200 || !parsed.success)
    return { state: 'unsaid', detail: 'it does not say what it settles' };
  const kinds = parsed.data.kinds.filter((kind) => settles(kind, network));
  if (kinds.length === 0)
    return { state: 'refused', detail: `it does not settle exact payments on ${network}` };
  const foreign = kinds.every((kind) => isOtherContract(kind, verifyingContract));
  return foreign
    ? { state: 'refused', detail: `its wallet contract on ${network} is another than II_PAY_GATEWAY_WALLET` }
    : { state: 'agreed', detail: null };
}

/** Whether a node is of the chain that payments are made on. */
export async function askChain({
  chain,
  chainId,
}: {
  chain: Pick<ChainReader, 'chainId'>;
  chainId: number;
}): Promise<Terms> {
  try {
    const found = await chain.chainId();
    return found === chainId
      ? { state: 'agreed', detail: null }
      : { state: 'refused', detail: `its node is of chain ${found}, not of ${chainId}` };
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    return { state: 'away', detail: 'its node does not answer' };
  }
}

// a facilitator may name all chains of a kind at once
function settles({ x402Version, scheme, network }: Kind, wanted: string): boolean {
  return x402Version === 2 && scheme === 'exact' && (network === wanted || network === 'eip155:*');
}

function isOtherContract({ extra }: Kind, wanted: string | null): boolean {
  const told = extra?.verifyingContract;
  return wanted !== null && told !== undefined && told.toLowerCase() !== wanted.toLowerCase();
}
