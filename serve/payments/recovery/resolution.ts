import { type ChainBlock, type ChainReader, paysClaim } from '../../evm/chainReader.ts';
import { hexOfBytes } from '../../evm/ethereumBytes.ts';
import type { Ledger, LedgerLog, LedgerTime } from '../../ledger/port/ledger.ts';
import type { ClaimedPayment, Provider } from '../../ledger/port/payment.ts';
import { errorName } from '../../log/log.ts';
import type { GatewayReader, GatewayTransfer } from '../provider/gatewayClient.ts';

/** What the chain or the gateway says of an open claim (P8.41). `leave`: nothing definite, check again later. */
export type Resolution =
  | { readonly kind: 'settled'; readonly transaction: string; readonly blockNumber: number }
  | { readonly kind: 'queued'; readonly transferId: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'leave' };

/** Checks one open claim; reads only, never submits again (I3.7). */
export type Resolver = (found: ClaimedPayment) => Promise<Resolution>;

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

/** Clocks of chain and client differ; a transaction is given up only after this (P4.15). */
const mppSlackSeconds = 30n;

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
  return BigInt(timestamp) > payment.validBefore + mppSlackSeconds
    ? { kind: 'failed', reason: 'expired_unused' }
    : { kind: 'leave' };
}

const gatewaySearchBackMs = 60_000;
/** How far a transfer may seem older than its submission: two clocks made the two times (P8.52). */
const gatewayClockSlackMs = 5000;

/**
 * Searches for a submission whose answer was lost (P3.9): by nonce where the gateway shows one, else by amount and
 * time. A transfer that has a receipt already is no candidate. One candidate is ours, several decide nothing, none is
 * a refusal once the authorization has expired.
 */
export async function resolveGateway(
  { payment, receipt }: ClaimedPayment,
  {
    gateway,
    nowMs,
    receiptOf,
    alert,
  }: {
    readonly gateway: GatewayReader;
    readonly nowMs: number;
    /** The receipt a transfer belongs to. */
    receiptOf(transferId: string): Promise<{ readonly receiptId: string } | null>;
    alert(event: string): void;
  },
): Promise<Resolution> {
  const markMs = receipt.handoffMs ?? payment.createdMs;
  const found = await gateway.search({
    from: payment.payer,
    to: payment.payTo,
    network: payment.network,
    sinceMs: markMs - gatewaySearchBackMs,
  });
  if (found === null) return { kind: 'leave' };
  const nonce = hexOfBytes(payment.nonce);
  const candidates: GatewayTransfer[] = [];
  for (const one of found) {
    const fits = isOurs(one, { payment, nonce, markMs });
    if (fits && (await receiptOf(one.id)) === null) candidates.push(one);
  }
  const [only, ...others] = candidates;
  if (others.length > 0) {
    alert('gateway_ambiguous');
    return { kind: 'leave' };
  }
  if (only !== undefined) return { kind: 'queued', transferId: only.id };
  const validBeforeMs = payment.validBefore * 1000n;
  return BigInt(nowMs) > validBeforeMs ? { kind: 'failed', reason: 'expired_unused' } : { kind: 'leave' };
}

function isOurs(
  transfer: GatewayTransfer,
  {
    payment,
    nonce,
    markMs,
  }: {
    readonly payment: ClaimedPayment['payment'];
    readonly nonce: string;
    readonly markMs: number;
  },
): boolean {
  if (transfer.fromAddress !== payment.payer || transfer.toAddress !== payment.payTo) return false;
  if (transfer.nonce !== null) return transfer.nonce === nonce;
  const createdMs = Date.parse(transfer.createdAt);
  return transfer.amount === String(payment.amountMicro) && createdMs >= markMs - gatewayClockSlackMs;
}

const finalityCheckMs = 60_000;
const validCheckMs = 10_000;

/** What the worker needs to follow settled transfers. */
export type Confirming = {
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
