import type { BookProblem, ExportRow } from '../port/books.ts';
import type { Ledger } from '../port/ledger.ts';

/** One transfer of the asset to our address, as the chain logged it. */
export type ChainTransfer = {
  /** lower case */
  readonly txHash: string;
  readonly from: string;
  readonly value: bigint;
};

const beforeMs = 86_400_000;
const paid = new Set(['settled', 'refunded', 'disputed']);

/** Whose payments are compared: an authorization's transfer names its payer, an MPP transaction is one payment. */
export type ChainProvider = 'x402_exact' | 'mpp';

/**
 * Compares transfers on chain with the receipts of direct payments (P8.55): a transfer without receipt, a receipt
 * of the window without transfer, different amounts.
 */
export async function chainCheck({
  ledger,
  provider,
  transfers,
  fromMs,
  toMs,
}: {
  ledger: Pick<Ledger, 'export'>;
  provider: ChainProvider;
  transfers: readonly ChainTransfer[];
  fromMs: number;
  toMs: number;
}): Promise<BookProblem[]> {
  const keyOf = keys[provider];
  const open = new Map<string, ExportRow>();
  // a payment settles after its receipt was made, by hours when recovery found it
  for await (const row of ledger.export({ fromMs: fromMs - beforeMs, toMs: toMs + 1 })) {
    if (row.provider === provider && paid.has(row.chargeStatus))
      open.set(keyOf(row.settlementTxHash ?? '', payerOf(row)), row);
  }
  const problems: BookProblem[] = [];
  for (const transfer of transfers) {
    const key = keyOf(transfer.txHash, transfer.from);
    const row = open.get(key);
    if (row === undefined) {
      const detail = `${transfer.from} ${transfer.value}`;
      problems.push({ rule: 'transfer_has_receipt', subject: transfer.txHash, detail });
      continue;
    }
    open.delete(key);
    if (transfer.value !== BigInt(row.quotedMicro)) {
      const detail = `${transfer.value} on chain, ${row.quotedMicro} in the ledger`;
      problems.push({ rule: 'transfer_equals_charge', subject: row.receiptId, detail });
    }
  }
  for (const row of open.values()) {
    const settledMs = row.settledMs ?? 0;
    if (settledMs < fromMs || settledMs > toMs) continue;
    problems.push({
      rule: 'receipt_has_transfer',
      subject: row.receiptId,
      detail: row.settlementTxHash ?? '',
    });
  }
  return problems;
}

// several payers may share a transaction of x402; the sender of an MPP transaction need not be named in its receipt
const keys: Readonly<Record<ChainProvider, (txHash: string, payer: string) => string>> = {
  x402_exact: (txHash, payer) => `${txHash.toLowerCase()} ${payer.toLowerCase()}`,
  mpp: (txHash) => txHash.toLowerCase(),
};

function payerOf(row: ExportRow): string {
  return row.payerIdentity?.split(':').at(-1) ?? '';
}
