import type { Ledger, LedgerLog, LedgerTime, ReceiptRow } from '../../ledger/port/ledger.ts';
import type { PaymentRow, Provider, Transition } from '../../ledger/port/payment.ts';
import { replayWindowMs } from '../../ledger/rows/receipt.ts';
import { errorName } from '../../log/log.ts';
import { type SettleOutcome, saysNonceUsed } from './settleOutcome.ts';

/** What answers say about one payment; known before and after the claim. */
export type PaymentFacts = Pick<
  PaymentRow,
  'claimKey' | 'provider' | 'network' | 'payer' | 'nonce' | 'amountMicro'
>;

/** A claim on its way to an outcome. */
type OpenClaim = { readonly payment: PaymentFacts; readonly receipt: ReceiptRow };

/** Moves the money of a claim; `recorded`: another process wrote what came of it into the ledger. */
export type SettleCall = () => Promise<SettleOutcome | { readonly kind: 'recorded' }>;

/** Calls that run longer than the requests that started them (P2.38). */
export type Settlements = {
  /**
   * Runs the settle call of a claim to its end, even when its request has left, and writes the outcome. Resolves with
   * the receipt as the ledger then holds it.
   */
  start(claim: OpenClaim, call: SettleCall): Promise<ReceiptRow>;
  /** The result of a call of this process that still runs; null when none does. */
  running(claimKey: Uint8Array): Promise<ReceiptRow> | null;
  /** Resolves when no call runs any more. */
  idle(): Promise<void>;
};

const ownerMs = 30_000;
const renewMs = 10_000;
/** First recheck of an unknown outcome (P8.42), of a queued transfer, and of an unconfirmed one (P2.41). */
const unknownCheckMs = 5000;
const queuedCheckMs = 30_000;
const confirmCheckMs = 60_000;
/** How long an outcome stays in memory while the ledger cannot take it (X50). */
const recordRetries = 60;

/** How long a claim belongs to the process that made it (P8.40). */
export const claimOwnerMs = ownerMs;

/** Keeps the running settle calls of one process. */
export function settlements({
  ledger,
  owner,
  time,
  log,
  chainConfirms,
  resolveNow,
}: {
  ledger: Pick<Ledger, 'transition' | 'noteUnknown' | 'findReceipt' | 'renew'>;
  owner: string;
  time: LedgerTime;
  log: LedgerLog;
  /** Whether settled transfers of a provider can be confirmed on the chain (P2.41). */
  chainConfirms(provider: Provider): boolean;
  /** Called when a provider says that the nonce was used: the chain decides at once (P2.40, P8.52). */
  resolveNow?: (claim: OpenClaim) => Promise<ReceiptRow | null>;
}): Settlements {
  const calls = new Map<string, { readonly claimKey: Uint8Array; readonly result: Promise<ReceiptRow> }>();
  let cancelRenewal: (() => void) | null = null;

  function renewLater(): void {
    cancelRenewal ??= time.after(renewMs, () => {
      cancelRenewal = null;
      if (calls.size === 0) return;
      const claimKeys = [...calls.values()].map((one) => one.claimKey);
      ledger.renew({ claimKeys, owner, ownerUntilMs: time.nowMs() + ownerMs });
      renewLater();
    });
  }

  /** Repeats a write the ledger cannot take at the moment, so that no outcome of money is lost (X48, X50). */
  async function kept<T>(outcome: string, act: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await act();
      } catch (error) {
        log({ level: 'error', event: 'outcome_not_written', fields: { attempt, outcome } });
        if (attempt >= recordRetries) throw error;
        await new Promise<void>((resolve) => time.after(1000, resolve));
      }
    }
  }

  /** The receipt as another process wrote it. */
  async function written({ receipt }: OpenClaim): Promise<ReceiptRow> {
    return (await ledger.findReceipt(receipt.receiptId)) ?? receipt;
  }

  async function write(claim: OpenClaim, outcome: SettleOutcome): Promise<ReceiptRow> {
    const atMs = time.nowMs();
    if (outcome.kind === 'unknown') {
      await ledger.noteUnknown({
        claimKey: claim.payment.claimKey,
        txHash: outcome.transaction,
        refusal: outcome.reason,
        nextCheckMs: atMs + unknownCheckMs,
        atMs,
      });
      return claim.receipt;
    }
    const step = transitionOf(claim, outcome, atMs, chainConfirms(claim.payment.provider));
    if (await ledger.transition(step)) return moved(claim.receipt, step);
    // another process was faster: its outcome counts (P8.27)
    return written(claim);
  }

  async function run(claim: OpenClaim, call: SettleCall): Promise<ReceiptRow> {
    const outcome = await outcomeOf(call);
    const { provider } = claim.payment;
    if (outcome.kind === 'recorded') return kept(outcome.kind, () => written(claim));
    if (outcome.kind === 'unknown') {
      log({
        level: outcome.reason === 'provider_inconsistent' ? 'error' : 'warn',
        event: outcome.reason === 'provider_inconsistent' ? 'provider_inconsistent' : 'settlement_unknown',
        fields: { provider, reason: outcome.reason, receipt_id: claim.receipt.receiptId },
      });
    }
    const receipt = await kept(outcome.kind, () => write(claim, outcome));
    return saysNonceUsed(outcome) ? ((await resolvedNow(claim)) ?? receipt) : receipt;
  }

  /** A call that breaks off by our own fault says nothing about the money either (P0.4). */
  async function outcomeOf(call: SettleCall): ReturnType<SettleCall> {
    try {
      return await call();
    } catch (error) {
      const why = errorName(error);
      log({ level: 'error', event: 'settle_call_failed', fields: { why } });
      return { kind: 'unknown', reason: 'call_failed', transaction: null };
    }
  }

  // a failed recheck is the worker's to repeat (P8.41)
  async function resolvedNow(claim: OpenClaim): Promise<ReceiptRow | null> {
    try {
      return (await resolveNow?.(claim)) ?? null;
    } catch {
      return null;
    }
  }

  return {
    start(claim, call) {
      const key = hexOf(claim.payment.claimKey);
      const result = run(claim, call).finally(() => calls.delete(key));
      calls.set(key, { claimKey: claim.payment.claimKey, result });
      renewLater();
      return result;
    },
    running: (claimKey) => calls.get(hexOf(claimKey))?.result ?? null,
    async idle() {
      while (calls.size > 0) {
        await Promise.allSettled([...calls.values()].map((one) => one.result));
      }
      cancelRenewal?.();
    },
  };
}

function transitionOf(
  claim: OpenClaim,
  outcome: Exclude<SettleOutcome, { kind: 'unknown' }>,
  atMs: number,
  chainConfirms: boolean,
): Transition {
  const { receiptId, chargeStatus: from } = claim.receipt;
  const common = { receiptId, from, actor: 'handler', atMs } as const;
  if (outcome.kind === 'refused') {
    const set = { failureReason: outcome.reason, nextCheckMs: null };
    return { ...common, to: 'failed', reason: outcome.reason, set };
  }
  const { transaction } = outcome;
  if (claim.payment.provider === 'gateway_batched') {
    const set = { gatewayTransferId: transaction, nextCheckMs: atMs + queuedCheckMs };
    return { ...common, to: 'queued_for_batch', reason: 'accepted', externalRef: transaction, set };
  }
  const check = chainConfirms
    ? { finality: 'included', nextCheckMs: atMs + confirmCheckMs }
    : { nextCheckMs: null };
  return {
    ...common,
    to: 'settled',
    reason: 'settled',
    externalRef: transaction,
    set: { settlementTxHash: transaction, ...(check as Transition['set']) },
  };
}

// the row the transition left, without reading it back: the compare-and-set fixes every column
function moved(receipt: ReceiptRow, step: Transition): ReceiptRow {
  const charged = step.to === 'settled' || step.to === 'queued_for_batch';
  return {
    ...receipt,
    chargeStatus: step.to,
    chargedMicro: charged ? receipt.quotedMicro : 0,
    settlementTxHash: step.set.settlementTxHash ?? receipt.settlementTxHash,
    gatewayTransferId: step.set.gatewayTransferId ?? receipt.gatewayTransferId,
    failureReason: step.set.failureReason ?? receipt.failureReason,
    settledMs: step.to === 'settled' ? step.atMs : receipt.settledMs,
    replayUntilMs: charged ? step.atMs + replayWindowMs : receipt.replayUntilMs,
    updatedMs: step.atMs,
  };
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

/** Waits for a promise for at most `ms`; after that the promise runs on and its failure is not reported. */
export function within<T>(promise: Promise<T>, ms: number, time: LedgerTime): Promise<T | 'late'> {
  return new Promise((resolve, reject) => {
    const cancel = time.after(ms, () => resolve('late'));
    promise.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (error: unknown) => {
        cancel();
        reject(error);
      },
    );
  });
}
