import { usageError } from '../../data/contract/errors/issuerError.ts';
import { isCivilDate } from '../../data/contract/values/primitives.ts';
import { csvHeader, csvLine, jsonLine } from '../ledger/books/export.ts';
import type { Ledger, RestoredCopy } from '../ledger/port/ledger.ts';
import { paymentTable } from '../ledger/port/payment.ts';
import { journalTable, receiptTable } from '../ledger/port/receipt.ts';
import { inOrder, instantText, rowShown } from '../ledger/rows/columns.ts';
import type { CopyEffects } from './ledgerCopies.ts';
import { noReceipt, type OperatorEffects, operatorName, printLine, withLedger } from './operatorCommand.ts';

/** What a cross-check with the chain found (P8.55). */
export type ChainCheck = {
  /** Of each chain that was read. */
  readonly chains: readonly {
    readonly rail: 'x402' | 'mpp';
    readonly network: string;
    readonly transfers: number;
  }[];
  readonly problems: readonly { rule: string; subject: string; detail: string }[];
};

/** What the `ledger` commands need of the world. */
export type LedgerCommandEffects = CopyEffects &
  OperatorEffects & {
    /** token behind a gateway transfer */
    readonly gatewayAsset: () => string;
    /** Compares transfers on chain with receipts since an instant; throws when no node is configured. */
    readonly chainCheck: (deps: { ledger: Ledger; fromMs: number; toMs: number }) => Promise<ChainCheck>;
    /** One pass of the reconcile worker (P8.41). */
    readonly reconcile: (ledger: Ledger) => Promise<Readonly<Record<string, number>>>;
    readonly writeError: (text: string) => void;
  };

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const chainWindowDays = 2;

/** `ledger recover`, `ledger reconcile-batches`. */
export async function reconcile(effects: LedgerCommandEffects): Promise<void> {
  printLine(effects, await withLedger(effects, effects.reconcile));
}

/** `ledger show`. */
export async function show(receiptId: string, effects: LedgerCommandEffects): Promise<void> {
  const found = await withLedger(effects, async (ledger) => {
    const receipt = await ledger.findReceipt(receiptId);
    if (receipt === null) throw noReceipt(receiptId);
    const claim = receipt.claimKey === null ? null : await ledger.findClaim(receipt.claimKey);
    return { receipt, payment: claim?.payment ?? null, journal: await ledger.journal(receiptId) };
  });
  const { receipt, payment, journal } = found;
  printLine(effects, {
    ...inOrder(rowShown(receiptTable)(receipt), receiptNames),
    payment: payment === null ? null : inOrder(rowShown(paymentTable)(payment), paymentNames),
    journal: journal.map(rowShown(journalTable)),
  });
}

const receiptNames = `receipt_id reconciliation_key route_uri settlement_mode charge_status quoted_micro_usd
  charged_micro_usd refunded_micro_usd payer_identity settlement_tx_hash gateway_transfer_id failure_reason
  delivery_status replay_count created_at_utc updated_at_utc settled_at_utc quality_flags`;
const paymentNames = 'provider network phase finality checks refusal next_check_at_utc';

/** `ledger export`. */
export async function exportDays(
  options: { from: string; to: string; format: string },
  effects: LedgerCommandEffects,
): Promise<void> {
  const fromMs = dayStart(options.from, '--from');
  const toMs = dayStart(options.to, '--to') + dayMs;
  if (toMs <= fromMs) throw usageError('--to lies before --from.', 'Give the last day of the export.');
  if (options.format !== 'csv' && options.format !== 'jsonl') {
    throw usageError('--format is neither csv nor jsonl.', 'Write --format csv or --format jsonl.');
  }
  const line = options.format === 'csv' ? csvLine : jsonLine;
  const context = { gatewayAsset: effects.gatewayAsset() };
  await withLedger(effects, async (ledger) => {
    if (options.format === 'csv') effects.write(csvHeader);
    let rows = 0;
    for await (const row of ledger.export({ fromMs, toMs })) {
      effects.write(line(row, context));
      rows += 1;
    }
    const report = await ledger.check();
    effects.writeError(`${JSON.stringify({ rows, ok: report.problems.length === 0, ...shown(report) })}\n`);
    if (report.problems.length > 0) effects.validationFailed();
  });
}

export type CheckOptions = {
  readonly chain?: boolean;
  readonly since?: string;
  readonly accept?: boolean;
  readonly as?: string;
};

/** `ledger check`. */
export async function check(options: CheckOptions, effects: LedgerCommandEffects): Promise<void> {
  const { chain: withChain = false, accept = false } = options;
  if (!withChain && (accept || options.since !== undefined))
    throw usageError('--since and --accept go with --chain.', 'Add --chain, or leave them out.');
  if (accept && options.as === undefined)
    throw usageError('--accept needs --as.', 'Write for example --accept --as ada.');
  const as = options.as === undefined ? null : operatorName(options.as);
  const asked = options.since === undefined ? null : dayStart(options.since, '--since');
  await withLedger(effects, async (ledger) => {
    const report = await ledger.check();
    const restored = await ledger.restored();
    const toMs = effects.time.nowMs();
    const fromMs = asked ?? comparedSince(restored, toMs);
    const chain = withChain ? await effects.chainCheck({ ledger, fromMs, toMs }) : null;
    const problems = [...report.problems, ...(chain?.problems ?? [])];
    // a restored copy may lack payments; the chain has now been searched for them (S38)
    const accepted = restored !== null && chain !== null && (problems.length === 0 || accept);
    if (accepted) await ledger.acceptRestored(as);
    printLine(effects, {
      ok: problems.length === 0,
      ...shown(report),
      ...(chain === null ? {} : { compared_since_utc: instantText(fromMs), chains: chain.chains }),
      ...(restored === null ? {} : { restored_copy: accepted ? 'accepted' : 'takes_no_payments' }),
      problems,
    });
    if (problems.length > 0) effects.validationFailed();
  });
}

/** Two days are compared, and of a restored copy everything it may have forgotten. */
function comparedSince(restored: RestoredCopy | null, nowMs: number): number {
  const recent = nowMs - chainWindowDays * dayMs;
  const { sinceMs } = restored ?? { sinceMs: null };
  return sinceMs === null ? recent : Math.min(recent, sinceMs - hourMs);
}

function shown(report: Awaited<ReturnType<Ledger['check']>>) {
  const { receipts, payments, grants, debits, events, chargedMicro, problems } = report;
  return { receipts, payments, grants, debits, events, charged_micro_usd: chargedMicro, problems };
}

function dayStart(text: string, option: string): number {
  if (isCivilDate(text)) return Date.parse(`${text}T00:00:00Z`);
  throw usageError(`${option} is not a day.`, `Write for example ${option} 2026-02-07.`);
}
