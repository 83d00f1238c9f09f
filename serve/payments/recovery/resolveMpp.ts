import type { ChainReader } from '../../evm/chainReader.ts';
import { paysClaim } from '../../evm/paysClaim.ts';
import type { ClaimedPayment } from '../../ledger/port/payment.ts';
import type { Resolution } from './resolution.ts';

/** Clocks of chain and client differ; a transaction is given up only after this (P4.15). */
const slackSeconds = 30n;

/**
 * The chain check of an MPP payment by its recorded transaction hash (P4.15, I3.7): mined and paying us, mined and
 * reverted, or past the end the transaction itself has.
 *
 * @throws ChainUnavailable
 */
export async function resolveMpp({ payment }: ClaimedPayment, chain: ChainReader): Promise<Resolution> {
  if (payment.txHash === null) return { kind: 'leave' };
  // asked first: what is not in the chain after its end has passed cannot come into it any more
  const { timestamp } = await chain.block('latest');
  const mined = await chain.transaction(payment.txHash);
  if (mined !== null) {
    if (!mined.succeeded) return { kind: 'failed', reason: 'reverted' };
    return paysClaim(mined, payment)
      ? { kind: 'settled', transaction: payment.txHash, blockNumber: mined.blockNumber }
      : { kind: 'failed', reason: 'transfer_missing' };
  }
  return BigInt(timestamp) > payment.validBefore + slackSeconds
    ? { kind: 'failed', reason: 'expired_unused' }
    : { kind: 'leave' };
}
