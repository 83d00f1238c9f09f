import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { Config } from '../config/config.ts';
import { ChainUnavailable, chainReader } from '../evm/chainReader.ts';
import { type TransferTo, transfersTo } from '../evm/transfersTo.ts';
import { rateLimiter } from '../http/rateLimit.ts';
import { type ChainProvider, chainCheck } from '../ledger/books/chainCheck.ts';
import type { BookProblem } from '../ledger/port/books.ts';
import type { Ledger, LedgerLog, LedgerTime } from '../ledger/port/ledger.ts';
import { jsonClient } from '../outbound/postJson.ts';
import { composePayments } from '../payments/composePayments.ts';
import { mppTerms } from '../payments/mpp/mppChallenge.ts';
import type { ChainCheck } from './readLedger.ts';

type World = { readonly config: Config; readonly time: LedgerTime; readonly log: LedgerLog };

/** One pass of the reconcile worker, as an operator asks for it (I5.51). */
export async function reconcileOnce(
  input: World & { ledger: Ledger; owner: string; ulid: () => string },
): Promise<Readonly<Record<string, number>>> {
  const nowMs = () => input.time.nowMs();
  const payments = composePayments(
    { ...input, monotonicMs: () => performance.now() },
    {
      limiter: rateLimiter({ limits: input.config.rateLimits, nowMs }),
      // no request is answered here
      planOf: () => null,
      challenges: null,
      ulid: input.ulid,
    },
  );
  try {
    if (payments.reconciler === null) {
      const swept = await input.ledger.sweep();
      return { looked: 0, moved: 0, left: 0, holds_released: swept.holdsReleased };
    }
    return { ...(await payments.reconciler.pass()) };
  } finally {
    await payments.stop();
  }
}

/**
 * Compares the transfers of the last days with the receipts, on the chain of each rail that is settled by transfers
 * (P8.55). Batched payments have no transfer of their own and are left to the gateway.
 *
 * @throws IssuerError `configuration` when a rail has no node, `source_refused` when one cannot be read.
 */
export async function checkChain(
  input: World & { ledger: Ledger; fromMs: number; toMs: number },
): Promise<ChainCheck> {
  const chains: ChainCheck['chains'][number][] = [];
  const problems: BookProblem[] = [];
  for (const rail of settledOnChain(input.config)) {
    const transfers = await transfersOf(rail, input);
    const { ledger, fromMs, toMs } = input;
    problems.push(...(await chainCheck({ ledger, provider: rail.provider, transfers, fromMs, toMs })));
    chains.push({ rail: rail.name, network: rail.network, transfers: transfers.length });
  }
  return { chains, problems };
}

type OnChain = {
  readonly name: 'x402' | 'mpp';
  readonly provider: ChainProvider;
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  readonly rpcUrl: string;
};

function settledOnChain({ payments, deployment }: Config): OnChain[] {
  const { x402, mpp } = deployment;
  const rails: OnChain[] = [];
  if (payments.challengeOnly) return rails;
  if (x402.payTo !== null && payments.exact !== 'off') {
    const rpcUrl = payments.rpcUrl ?? missing('II_PAY_RPC_URL');
    const { network, asset, payTo } = x402;
    rails.push({ name: 'x402', provider: 'x402_exact', network, asset, payTo, rpcUrl });
  }
  if (mpp !== null) {
    const rpcUrl = payments.mpp.rpcUrl ?? missing('II_PAY_MPP_RPC_URL');
    const { network, currency: asset, recipient: payTo } = mppTerms(deployment, mpp);
    rails.push({ name: 'mpp', provider: 'mpp', network, asset, payTo, rpcUrl });
  }
  return rails;
}

function missing(variable: string): never {
  throw new IssuerError({
    code: 'configuration',
    message: `A check with the chain needs ${variable}.`,
    hint: 'Set it, or leave --chain out.',
    details: { variable },
  });
}

async function transfersOf(
  rail: OnChain,
  { time, fromMs }: Pick<World, 'time'> & { readonly fromMs: number },
): Promise<readonly TransferTo[]> {
  const nowMs = () => time.nowMs();
  const client = jsonClient({ baseUrl: rail.rpcUrl, bearer: null, nowMs });
  try {
    return await transfersTo({
      client,
      chain: chainReader({ client, nowMs }),
      asset: rail.asset.toLowerCase(),
      payTo: rail.payTo.toLowerCase(),
      sinceSeconds: Math.floor(fromMs / 1000),
    });
  } catch (cause) {
    if (!(cause instanceof ChainUnavailable)) throw cause;
    throw new IssuerError({
      code: 'source_refused',
      message: `The chain ${rail.network} could not be read back to ${new Date(fromMs).toISOString()}.`,
      hint: 'Check the node of this rail, or compare fewer days with --since; then repeat the check.',
      cause,
    });
  } finally {
    await client.close();
  }
}
