import type { ChainReader } from '../../evm/chainReader.ts';
import { hexOfBytes } from '../../evm/hex.ts';
import { paysClaim } from '../../evm/paysClaim.ts';
import type { ClaimedPayment } from '../../ledger/port/payment.ts';
import type { Resolution } from './resolution.ts';

/** How far before the claim its own transfer may lie: clocks of chain and server differ (P8.52). */
const clockSlackSeconds = 5;
const searchBackSeconds = 60;
/** How far back an earlier use of the authorization is searched when there is none since the claim. */
const searchOthersSeconds = 86_400;

/**
 * The chain check of an exact payment (P8.52): the nonce's state at the newest block, the transaction that used it,
 * and, while it is unused, whether it can still be used.
 *
 * @throws ChainUnavailable
 */
export async function resolveExact({ payment }: ClaimedPayment, chain: ChainReader): Promise<Resolution> {
  const authorization = {
    asset: payment.domainContract,
    payer: payment.payer,
    nonce: hexOfBytes(payment.nonce),
  };
  // read first: unused after the safe chain has passed the expiry is final, unused before is not
  const safe = await chain.block('safe');
  const expired = BigInt(safe.timestamp) > payment.validBefore;
  if (!(await chain.authorizationUsed(authorization)))
    return expired ? { kind: 'failed', reason: 'expired_unused' } : { kind: 'leave' };
  const claimSeconds = Math.floor(payment.createdMs / 1000);
  const useSince = (sinceSeconds: number) => chain.findAuthorizationUse({ ...authorization, sinceSeconds });
  const use =
    (await useSince(claimSeconds - searchBackSeconds)) ??
    (await useSince(claimSeconds - searchOthersSeconds));
  if (use === null) {
    // a node may know the state before it finds the event: while that can be so, nothing is concluded
    return expired ? { kind: 'failed', reason: 'authorization_used_before' } : { kind: 'leave' };
  }
  if (use.event === 'canceled') return { kind: 'failed', reason: 'authorization_canceled' };
  const mined = await chain.transaction(use.transaction);
  if (mined === null) return { kind: 'leave' };
  if (!paysClaim(mined, payment)) return { kind: 'failed', reason: 'authorization_canceled' };
  const block = await chain.block(mined.blockNumber);
  if (block.timestamp < claimSeconds - clockSlackSeconds)
    return { kind: 'failed', reason: 'authorization_used_before' };
  return { kind: 'settled', transaction: use.transaction, blockNumber: mined.blockNumber };
}
