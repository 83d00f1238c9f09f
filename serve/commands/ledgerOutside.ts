import { IssuerError } from '../../contract/issuerError.ts';
import type { Config } from '../config.ts';
import { rateLimiter } from '../http/rateLimit.ts';
import { chainCheck } from '../ledger/chainCheck.ts';
import type { Ledger, LedgerLog, LedgerTime } from '../ledger/ledger.ts';
import { composePayments } from '../payments/composePayments.ts';
import { chainReader } from '../payments/evm/chainReader.ts';
import { transfersTo } from '../payments/evm/transfersTo.ts';
import { jsonClient } from '../payments/provider/postJson.ts';
import type { ChainCheck } from './ledgerCommands.ts';

type World = { readonly config: Config; readonly time: LedgerTime; readonly log: LedgerLog };

/** One pass of the reconcile worker, as an operator asks for it (I5.51). */
export async function reconcileOnce(
  o: World & { ledger: Ledger; owner: string; ulid: () => string },
): Promise<Readonly<Record<string, number>>> {
  const nowMs = () => o.time.nowMs();
  const payments = composePayments(
    { ...o, monotonicMs: () => performance.now() },
    {
      limiter: rateLimiter({ limits: o.config.rateLimits, nowMs }),
      // no request is answered here
      planOf: () => null,
      challenges: null,
      ulid: o.ulid,
    },
  );
  try {
    if (payments.reconciler === null) {
      const swept = await o.ledger.sweep();
      return { looked: 0, moved: 0, left: 0, holds_released: swept.holdsReleased };
    }
    return { ...(await payments.reconciler.pass()) };
  } finally {
    await payments.stop();
  }
}

/**
 * Compares the transfers of the last days with the receipts (P8.55).
 *
 * @throws IssuerError `configuration` without a node or a receiving address.
 */
export async function checkChain(
  o: World & { ledger: Ledger; fromMs: number; toMs: number },
): Promise<ChainCheck> {
  const { rpcUrl } = o.config.payments;
  const { asset, payTo } = o.config.deployment.x402;
  if (rpcUrl === null || payTo === null) {
    throw new IssuerError({
      code: 'configuration',
      message: 'A check with the chain needs II_PAY_RPC_URL and II_PAY_TO.',
      hint: 'Set both, or leave --chain out.',
    });
  }
  const nowMs = () => o.time.nowMs();
  const client = jsonClient({ baseUrl: rpcUrl, bearer: null, nowMs });
  try {
    const transfers = await transfersTo({
      client,
      chain: chainReader({ client, nowMs }),
      asset: asset.toLowerCase(),
      payTo: payTo.toLowerCase(),
      sinceSeconds: Math.floor(o.fromMs / 1000),
    });
    const { ledger, fromMs, toMs } = o;
    return { transfers: transfers.length, problems: await chainCheck({ ledger, transfers, fromMs, toMs }) };
  } catch (cause) {
    if (cause instanceof IssuerError) throw cause;
    throw new IssuerError({
      code: 'source_refused',
      message: 'The chain could not be read.',
      hint: 'Check II_PAY_RPC_URL, then repeat the check.',
      cause,
    });
  } finally {
    await client.close();
  }
}
