import type { Ledger, LedgerLog } from '../../ledger/port/ledger.ts';
import type { Provider } from '../../ledger/port/payment.ts';
import type { ReceiptRow, SettlementMode } from '../../ledger/port/receipt.ts';
import type { ClaimOutcome, PaymentMetrics } from './paymentMetrics.ts';

type OpenClaim = {
  readonly provider: Provider;
  readonly mode: SettlementMode;
  readonly claimKey: Uint8Array;
  readonly sinceMs: number;
};

type Reached = Pick<ReceiptRow, 'receiptId' | 'chargeStatus' | 'settlementMode'>;

/** Claims whose outcome is waited for; the oldest is forgotten first, its outcome is then counted without a time. */
const remembered = 10_000;

/**
 * The ledger, counting what passes through it: claims, outcomes and charges of every rail, by any caller
 * (P9.14). `commits` times the statements that move money, where each is its own commit (PostgreSQL).
 * `monotonicMs` is a clock that does not step.
 */
export function watchLedger(
  ledger: Ledger,
  { metrics, commits, monotonicMs }: { metrics: PaymentMetrics; commits: boolean; monotonicMs(): number },
): Ledger {
  const open = new Map<string, OpenClaim>();

  async function committed<T>(write: () => Promise<T>): Promise<T> {
    if (!commits) return write();
    const sinceMs = monotonicMs();
    const result = await write();
    metrics.commit({ operations: 1, commitMs: monotonicMs() - sinceMs });
    return result;
  }

  function remember(receiptId: string, claim: OpenClaim): void {
    open.set(receiptId, claim);
    for (const oldest of open.keys()) {
      if (open.size <= remembered) break;
      open.delete(oldest);
    }
  }

  function charged(receipt: Reached): void {
    metrics.charge(receipt.settlementMode, receipt.chargeStatus);
  }

  function end(receipt: Reached): void {
    charged(receipt);
    const { chargeStatus } = receipt;
    const claim = open.get(receipt.receiptId);
    const provider = claim?.provider ?? providers[receipt.settlementMode];
    const outcome = outcomes[chargeStatus];
    if (provider === undefined || outcome === undefined) return;
    metrics.outcome(provider, outcome);
    if (claim === undefined) return;
    open.delete(receipt.receiptId);
    metrics.settled(provider, (monotonicMs() - claim.sinceMs) / 1000);
  }

  /** Outcomes the settlement process wrote are counted when this process reads the row. */
  function seen(receipt: ReceiptRow | undefined): void {
    if (receipt === undefined || !open.has(receipt.receiptId)) return;
    if (outcomes[receipt.chargeStatus] !== undefined) end(receipt);
  }

  function openOf(claimKey: Uint8Array): OpenClaim | undefined {
    for (const claim of open.values()) if (Buffer.compare(claim.claimKey, claimKey) === 0) return claim;
    return undefined;
  }

  return {
    ...ledger,
    async claim(input) {
      const sinceMs = monotonicMs();
      let result: ClaimOutcome = 'failed';
      try {
        const claimed = await committed(() => ledger.claim(input));
        result = claimed.won ? 'won' : (claimed.conflict ?? 'taken');
        if (claimed.won) {
          const { receiptId, settlementMode: mode } = input.receipt;
          remember(receiptId, { provider: input.provider, mode, claimKey: input.claimKey, sinceMs });
          metrics.charge(mode, claimed.receipt.chargeStatus);
        }
        return claimed;
      } finally {
        metrics.claim(input.provider, result);
      }
    },
    async transition(step) {
      const moved = await committed(() => ledger.transition(step));
      if (!moved) return moved;
      const { receiptId, to: chargeStatus } = step;
      // a batch that completes, a refund: the money's outcome was counted before
      const count = step.from === 'authorized' || step.from === 'submitted' ? end : charged;
      const reached = (receipt: Reached): void => {
        const provider = providers[receipt.settlementMode];
        if (provider !== undefined && workers.has(step.actor)) metrics.recovered(provider, chargeStatus);
        count(receipt);
      };
      const claim = open.get(receiptId);
      if (claim !== undefined) reached({ receiptId, chargeStatus, settlementMode: claim.mode });
      // moved by the worker, long after its claim or that of another process: its rail is in the row
      else
        void ledger.findReceipt(receiptId).then(
          (row) => row && reached({ ...row, chargeStatus }),
          () => {},
        );
      return moved;
    },
    async noteUnknown(unknown) {
      const noted = await ledger.noteUnknown(unknown);
      const claim = noted ? openOf(unknown.claimKey) : undefined;
      if (claim !== undefined) metrics.outcome(claim.provider, 'unknown');
      return noted;
    },
    async findReceipt(receiptId) {
      const found = await ledger.findReceipt(receiptId);
      seen(found ?? undefined);
      return found;
    },
    async findClaim(claimKey) {
      const found = await ledger.findClaim(claimKey);
      seen(found?.receipt);
      return found;
    },
    noteNotCharged(receipt) {
      const row = ledger.noteNotCharged(receipt);
      metrics.charge(row.settlementMode, row.chargeStatus);
      return row;
    },
    async insertNotCharged(receipt, idem) {
      const stored = await committed(() => ledger.insertNotCharged(receipt, idem));
      if (stored !== 'idem_conflict' && !('replayOf' in stored))
        metrics.charge(receipt.settlementMode, 'not_charged');
      return stored;
    },
    async hold(hold) {
      const held = await committed(() => ledger.hold(hold));
      if (held.kind === 'held') metrics.charge('grant_covered', 'held');
      else if (held.kind === 'refused') metrics.charge('grant_covered', 'refused');
      return held;
    },
    async endHold(debitId, to) {
      const ended = await ledger.endHold(debitId, to);
      if (ended) metrics.charge('grant_covered', to);
      return ended;
    },
  };
}

/** Actors of the worker (P8.25). */
const workers: ReadonlySet<string> = new Set(['recovery', 'reconciler']);

const providers: Partial<Readonly<Record<SettlementMode, Provider>>> = {
  x402_direct: 'x402_exact',
  gateway_batched: 'gateway_batched',
  mpp: 'mpp',
};

const outcomes: Partial<Readonly<Record<ReceiptRow['chargeStatus'], 'settled' | 'refused'>>> = {
  settled: 'settled',
  queued_for_batch: 'settled',
  failed: 'refused',
};

/** The log, counting every warning and error by name, so that the metrics show them as well. */
export function watchLog(log: LedgerLog, alert: (event: string) => void): LedgerLog {
  return (line) => {
    if (line.level !== 'info') alert(line.event);
    log(line);
  };
}
