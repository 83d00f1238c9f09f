import { graceSweep } from '../../ledger/graceSweep.ts';
import type { ReceiptRow } from '../../ledger/port/ledger.ts';
import type { ClaimedPayment, Provider, Transition } from '../../ledger/port/payment.ts';
import { errorName } from '../../log/log.ts';
import type { GatewayReader, GatewayTransfer } from '../provider/gatewayClient.ts';
import {
  type Confirming,
  placeCheckMs,
  type Resolution,
  type Resolver,
  transferConfirmation,
} from './resolution.ts';

/** What one pass of the worker did. */
type ReconcileReport = {
  readonly looked: number;
  readonly moved: number;
  readonly left: number;
};

/** Ends what calls and crashes left open; any server may run it (P8.40–P8.42). */
export type Reconciler = {
  /** One pass over everything that is due. */
  pass(): Promise<ReconcileReport>;
  /** Rechecks one open claim now; null without a definite answer (I5.25). */
  recheck(found: ClaimedPayment): Promise<ReceiptRow | null>;
  /** Passes at once and then every 30 s, until stopped. */
  start(): () => void;
};

const everyMs = 30_000;
const leaseMs = 30_000;
const batch = 50;
/** Waits between checks of an open claim (P8.42). */
const openBackOffMs = [5000, 15_000, 45_000, 120_000, 600_000];
const unresolvedMs = 3_600_000;

/** Builds the worker over the resolvers of the rails that are configured. */
export function reconciler(
  deps: Confirming & {
    resolvers: { readonly [P in Provider]?: Resolver };
    gateway: GatewayAccount | null;
  },
): Reconciler {
  const { ledger, time } = deps;
  const queued = queuedTransfers({ ...deps, account: deps.gateway });
  const confirm = transferConfirmation(deps);

  async function resolve(found: ClaimedPayment): Promise<Resolution> {
    const { payment, receipt } = found;
    // nothing was ever sent (I3.7)
    if (receipt.chargeStatus === 'authorized' && payment.phase === 'claimed')
      return { kind: 'failed', reason: 'abandoned_before_submission' };
    const resolver = deps.resolvers[payment.provider];
    if (resolver === undefined) {
      deps.log({ level: 'warn', event: 'reconcile_impossible', fields: { receipt_id: receipt.receiptId } });
      return { kind: 'leave' };
    }
    try {
      return await resolver(found);
    } catch (error) {
      deps.log({ level: 'warn', event: 'reconcile_failed', fields: { why: errorName(error) } });
      return { kind: 'leave' };
    }
  }

  async function apply(found: ClaimedPayment, resolution: Exclude<Resolution, { kind: 'leave' }>) {
    const step = recoveryStep(found, resolution, time.nowMs());
    return step !== null && (await ledger.transition(step));
  }

  async function recoverOne(found: ClaimedPayment): Promise<boolean> {
    const { payment, receipt } = found;
    const resolution = await resolve(found);
    if (resolution.kind !== 'leave') return apply(found, resolution);
    const nowMs = time.nowMs();
    // once: at the first check after the hour, however late that is (P8.42)
    if (nowMs - payment.createdMs > unresolvedMs && payment.updatedMs - payment.createdMs <= unresolvedMs)
      deps.log({ level: 'error', event: 'payment_unresolved', fields: { receipt_id: receipt.receiptId } });
    await ledger.noteCheck({
      claimKey: payment.claimKey,
      owner: deps.owner,
      nextCheckMs: nowMs + backOff(openBackOffMs, payment.checks),
      atMs: nowMs,
    });
    return false;
  }

  async function reconcileOne(found: ClaimedPayment): Promise<boolean> {
    if (found.receipt.chargeStatus === 'queued_for_batch') return queued.look(found);
    return confirm(found);
  }

  async function sweepKind(kind: 'recovery' | 'reconcile'): Promise<ReconcileReport> {
    const due = await ledger.takeDue({ kind, owner: deps.owner, leaseMs, limit: batch });
    let moved = 0;
    for (const found of due) {
      if (await checkOne(kind, found)) moved += 1;
    }
    return { looked: due.length, moved, left: due.length - moved };
  }

  // one row that cannot be written must not keep the others from being checked
  async function checkOne(kind: 'recovery' | 'reconcile', found: ClaimedPayment): Promise<boolean> {
    try {
      return await (kind === 'recovery' ? recoverOne(found) : reconcileOne(found));
    } catch (error) {
      const fields = { receipt_id: found.receipt.receiptId, why: errorName(error) };
      deps.log({ level: 'error', event: 'reconcile_failed', fields });
      return false;
    }
  }

  async function passWith(sweep: () => Promise<unknown>): Promise<ReconcileReport> {
    const recovery = await sweepKind('recovery');
    const listed = await queued.lookAtAll();
    const reconcile = await sweepKind('reconcile');
    await sweep();
    return {
      looked: recovery.looked + listed + reconcile.looked,
      moved: recovery.moved + listed + reconcile.moved,
      left: recovery.left + reconcile.left,
    };
  }

  return {
    pass: () => passWith(() => ledger.sweep()),
    async recheck(found) {
      const resolution = await resolve(found);
      if (resolution.kind === 'leave') return null;
      await apply(found, resolution);
      return ledger.findReceipt(found.receipt.receiptId);
    },
    start() {
      const sweep = graceSweep(ledger);
      let stopped = false;
      let cancel = (): void => {};
      const run = async (): Promise<void> => {
        try {
          await passWith(sweep);
        } catch (error) {
          deps.log({ level: 'error', event: 'reconcile_failed', fields: { why: errorName(error) } });
        }
        if (!stopped) cancel = time.after(everyMs, () => void run());
      };
      void run();
      return () => {
        stopped = true;
        cancel();
      };
    },
  };
}

/** The transition a resolution stands for (T4, T5, T6, T9); null when the state does not have one. */
function recoveryStep(
  { payment, receipt }: ClaimedPayment,
  resolution: Exclude<Resolution, { kind: 'leave' }>,
  atMs: number,
): Transition | null {
  const common = {
    receiptId: receipt.receiptId,
    from: receipt.chargeStatus,
    actor: 'recovery',
    atMs,
  } as const;
  switch (resolution.kind) {
    case 'settled':
      return {
        ...common,
        to: 'settled',
        reason: 'recovered',
        externalRef: resolution.transaction,
        set: {
          settlementTxHash: resolution.transaction,
          addFlag: 'recovered',
          finality: 'included',
          blockNumber: resolution.blockNumber,
          nextCheckMs: placeCheckMs(payment, atMs),
        },
      };
    case 'queued':
      return {
        ...common,
        to: 'queued_for_batch',
        reason: 'recovered',
        externalRef: resolution.transferId,
        set: {
          gatewayTransferId: resolution.transferId,
          addFlag: 'recovered',
          nextCheckMs: atMs + backOff(queuedBackOffMs, payment.checks),
        },
      };
    case 'failed':
      return {
        ...common,
        to: 'failed',
        reason: resolution.reason,
        set: { failureReason: resolution.reason, nextCheckMs: null },
      };
  }
}

function backOff(waits: readonly number[], checks: number): number {
  return waits[Math.min(checks, waits.length - 1)] ?? 600_000;
}

/** Waits between checks of one queued transfer (P3.10). */
const queuedBackOffMs = [30_000, 120_000, 600_000, 1_800_000] as const;
/** The list of everybody's transfers is asked for this often, and reaches this far back (P3.10). */
const listEveryMs = 300_000;
const listBackMs = 86_400_000;

/** A gateway and to whom its transfers go. */
type GatewayAccount = {
  readonly reader: GatewayReader;
  /** lower case */
  readonly payTo: string;
  /** CAIP-2 */
  readonly network: string;
};

/** Outcomes of queued transfers (T7, T8). */
type QueuedTransfers = {
  /** Asks for the transfer of one leased claim; true when its receipt moved. */
  look(found: ClaimedPayment): Promise<boolean>;
  /** Asks for the newest transfers of everybody, at most every five minutes; how many receipts moved. */
  lookAtAll(): Promise<number>;
};

/** Follows queued transfers; `account` null: this deployment has no gateway any more, and they wait. */
function queuedTransfers({
  ledger,
  account,
  owner,
  time,
  log,
}: Omit<Confirming, 'chains'> & { account: GatewayAccount | null }): QueuedTransfers {
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
