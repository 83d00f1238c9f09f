import type { Ledger, LedgerLog, LedgerTime } from '../../ledger/port/ledger.ts';
import type { ClaimedPayment, Transition } from '../../ledger/port/payment.ts';
import type { GatewayReader, GatewayTransfer } from '../provider/gatewayClient.ts';

/** Waits between checks of one queued transfer (P3.10). */
export const queuedBackOffMs = [30_000, 120_000, 600_000, 1_800_000] as const;
/** The list of everybody's transfers is asked for this often, and reaches this far back (P3.10). */
const listEveryMs = 300_000;
const listBackMs = 86_400_000;

/** A gateway and to whom its transfers go. */
export type GatewayAccount = {
  readonly reader: GatewayReader;
  /** lower case */
  readonly payTo: string;
  /** CAIP-2 */
  readonly network: string;
};

/** Outcomes of queued transfers (T7, T8). */
export type QueuedTransfers = {
  /** Asks for the transfer of one leased claim; true when its receipt moved. */
  look(found: ClaimedPayment): Promise<boolean>;
  /** Asks for the newest transfers of everybody, at most every five minutes; how many receipts moved. */
  lookAtAll(): Promise<number>;
};

/** Follows queued transfers; `account` null: this deployment has no gateway any more, and they wait. */
export function queuedTransfers({
  ledger,
  account,
  owner,
  time,
  log,
}: {
  ledger: Ledger;
  account: GatewayAccount | null;
  owner: string;
  time: LedgerTime;
  log: LedgerLog;
}): QueuedTransfers {
  let listedMs = Number.NEGATIVE_INFINITY;

  async function move(found: ClaimedPayment, step: Transition): Promise<boolean> {
    const moved = await ledger.transition(step);
    if (moved && step.to === 'failed') await watch(found, step.reason, step.atMs);
    return moved;
  }

  /** A payer whose queued transfer failed gets no batched credit until an operator clears the entry (I3.9). */
  async function watch({ payment, receipt }: ClaimedPayment, reason: string, addedMs: number): Promise<void> {
    const entry = { payer: payment.payer, provider: payment.provider, receiptId: receipt.receiptId };
    await ledger.watchlist.add({ ...entry, reason, addedMs });
    log({ level: 'warn', event: 'gateway_transfer_failed', fields: { receipt_id: receipt.receiptId } });
  }

  /** Whose transfer it is, while it is queued; a list entry that differs from the claim is not believed. */
  async function claimOf(transfer: GatewayTransfer): Promise<ClaimedPayment | null> {
    const claimKey = (await ledger.findTransfer(transfer.id))?.claimKey ?? null;
    const found = claimKey === null ? null : await ledger.findClaim(claimKey);
    if (found === null || found.receipt.chargeStatus !== 'queued_for_batch') return null;
    const { payer, payTo, amountMicro } = found.payment;
    const same =
      transfer.fromAddress === payer &&
      transfer.toAddress === payTo &&
      transfer.amount === String(amountMicro);
    return same ? found : null;
  }

  return {
    async look(found) {
      const { receipt, payment } = found;
      const id = receipt.gatewayTransferId;
      const transfer = id === null || account === null ? null : await account.reader.transfer(id);
      const atMs = time.nowMs();
      const step = transfer === null ? null : queuedStep(found, transfer, atMs);
      if (step === 'unknown_word')
        log({ level: 'error', event: 'gateway_status_unknown', fields: { receipt_id: receipt.receiptId } });
      else if (step !== null && step !== 'waits' && (await move(found, step))) return true;
      const wait = queuedBackOffMs[Math.min(payment.checks + 1, queuedBackOffMs.length - 1)] ?? 0;
      await ledger.noteCheck({
        claimKey: payment.claimKey,
        owner,
        nextCheckMs: atMs + wait,
        batchId: step === 'waits' ? (transfer?.batchId ?? null) : null,
        atMs,
      });
      return false;
    },
    async lookAtAll() {
      const atMs = time.nowMs();
      if (account === null || atMs - listedMs < listEveryMs) return 0;
      listedMs = atMs;
      const { payTo: to, network } = account;
      const newest = await account.reader.recent({ to, network, sinceMs: atMs - listBackMs });
      let moved = 0;
      for (const transfer of newest ?? []) {
        // most are still on their way: nothing of the ledger is asked for them
        if (transfer.status !== 'completed' && transfer.status !== 'failed') continue;
        const found = await claimOf(transfer);
        const step = found === null ? null : queuedStep(found, transfer, atMs);
        if (found !== null && typeof step === 'object' && step !== null && (await move(found, step)))
          moved += 1;
      }
      return moved;
    },
  };
}

/** T7 and T8 by the gateway's word (P3.8). */
function queuedStep(
  { receipt }: ClaimedPayment,
  transfer: GatewayTransfer,
  atMs: number,
): Transition | 'waits' | 'unknown_word' {
  const common = {
    receiptId: receipt.receiptId,
    from: 'queued_for_batch',
    actor: 'reconciler',
    atMs,
  } as const;
  const batchId = transfer.batchId === null ? {} : { batchId: transfer.batchId };
  switch (transfer.status) {
    case 'received':
    case 'batched':
    case 'confirmed':
      return 'waits';
    case 'completed':
      return {
        ...common,
        to: 'settled',
        reason: 'completed',
        externalRef: transfer.id,
        set: { ...batchId, nextCheckMs: null },
      };
    case 'failed':
      return {
        ...common,
        to: 'failed',
        reason: 'gateway_failed',
        externalRef: transfer.id,
        set: { ...batchId, failureReason: 'gateway_failed', nextCheckMs: null },
      };
    default:
      return 'unknown_word';
  }
}
