import { type ChainBlock, type ChainReader, paysClaim } from '../../evm/chainReader.ts';
import type { Ledger, LedgerLog, LedgerTime } from '../../ledger/port/ledger.ts';
import type { ClaimedPayment, Provider } from '../../ledger/port/payment.ts';
import { errorName } from '../../log/errorName.ts';
import { type Resolution, resolveExact } from './resolution.ts';

const finalityCheckMs = 60_000;
const validCheckMs = 10_000;

/** What the worker needs to follow settled transfers. */
type Confirming = {
  readonly ledger: Ledger;
  /** The chain each provider's transfers are mined on. */
  readonly chains: { readonly [P in Provider]?: ChainReader };
  readonly owner: string;
  readonly time: LedgerTime;
  readonly log: LedgerLog;
};

type Check = Parameters<Ledger['noteCheck']>[0];

/** A transfer that is not where its receipt says, and what the chain says of it. */
type Missing = ClaimedPayment & {
  readonly mined: boolean;
  readonly safe: ChainBlock;
  readonly chain: ChainReader;
  readonly note: Omit<Check, 'nextCheckMs'>;
  readonly later: Check;
};

/** Checks a settled transfer until it is safe in the chain; true when it is (P2.41, P8.54). */
export function transferConfirmation(deps: Confirming): (found: ClaimedPayment) => Promise<boolean> {
  const { ledger, time, log } = deps;
  return async (found) => {
    const { payment, receipt } = found;
    const atMs = time.nowMs();
    const note = { claimKey: payment.claimKey, owner: deps.owner, atMs };
    const hash = receipt.settlementTxHash;
    const chain = deps.chains[payment.provider];
    if (chain === undefined || hash === null) {
      await ledger.noteCheck({ ...note, nextCheckMs: null });
      return false;
    }
    const later = { ...note, nextCheckMs: placeCheckMs(payment, atMs) };
    try {
      // in this order: a block that was safe before the transaction was seen in it never leaves the chain, one that
      // became safe since may be another
      const safe = await chain.block('safe');
      const mined = await chain.transaction(hash);
      if (mined !== null && paysClaim(mined, payment)) {
        const { blockNumber } = mined;
        const isSafe = blockNumber <= safe.number;
        await ledger.noteCheck(
          isSafe
            ? { ...note, nextCheckMs: null, finality: 'safe', blockNumber }
            : { ...later, finality: 'included', blockNumber },
        );
        return isSafe;
      }
      await searchMissing({ ...found, mined: mined !== null, safe, chain, note, later }, deps);
    } catch (error) {
      log({ level: 'warn', event: 'reconcile_failed', fields: { why: errorName(error) } });
      await ledger.noteCheck(later);
    }
    return false;
  };
}

/** The transaction a provider named does not pay us, or has left the chain; another may have moved the money. */
async function searchMissing(missing: Missing, deps: Confirming): Promise<void> {
  const { payment, receipt, mined, safe, chain, note, later } = missing;
  const { ledger, log } = deps;
  const wasSeen = payment.blockNumber !== null;
  const isExpired = BigInt(safe.timestamp) > payment.validBefore;
  const exact = payment.provider === 'x402_exact' ? await resolveExact(missing, chain) : null;
  if (exact?.kind === 'settled') {
    const { blockNumber } = exact;
    const isSafe = blockNumber <= safe.number;
    const place = { finality: isSafe ? 'safe' : 'included', blockNumber } as const;
    await ledger.noteCheck({ ...(isSafe ? { ...note, nextCheckMs: null } : later), ...place });
    return;
  }
  if (!wasSeen && (mined || isExpired)) {
    log({ level: 'error', event: 'provider_lied', fields: { receipt_id: receipt.receiptId } });
    await ledger.noteCheck({ ...note, nextCheckMs: null });
    return;
  }
  if (wasSeen && exact !== null) return noteReorganized(missing, exact, deps);
  if (wasSeen && isExpired) return noteLost(missing, deps);
  await ledger.noteCheck(later);
}

/** A transfer that was in the chain is in it no more: it can come back, or is lost (P8.54). */
async function noteReorganized(missing: Missing, found: Resolution, deps: Confirming): Promise<void> {
  if (found.kind !== 'leave') return noteLost(missing, deps);
  const { payment, receipt, later } = missing;
  // with a facilitator there is no job, and nothing to do but wait
  const again = await deps.ledger.jobs.sendAgain({ claimKey: payment.claimKey, atMs: deps.time.nowMs() });
  const fields = { receipt_id: receipt.receiptId, again };
  deps.log({ level: 'warn', event: 'settlement_left_chain', fields });
  await deps.ledger.noteCheck(later);
}

async function noteLost({ receipt, note }: Missing, { ledger, log }: Confirming): Promise<void> {
  log({ level: 'error', event: 'settlement_reorged', fields: { receipt_id: receipt.receiptId } });
  await ledger.noteCheck({ ...note, nextCheckMs: null, finality: 'reorged' });
}

/** When the block of a transfer is checked: one to be sent again, while it still can be (P8.54). */
export function placeCheckMs({ validBefore }: ClaimedPayment['payment'], atMs: number): number {
  return atMs + (BigInt(atMs) < validBefore * 1000n ? validCheckMs : finalityCheckMs);
}
