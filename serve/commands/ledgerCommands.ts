import type { Command } from 'commander';
import { usageError } from '../../data/contract/errors/issuerError.ts';
import { isCivilDate } from '../../data/contract/values/primitives.ts';
import { csvHeader, csvLine, instantText, jsonLine } from '../ledger/books/exportColumns.ts';
import type { RestoredCopy } from '../ledger/ledgerMark.ts';
import type { Ledger } from '../ledger/port/ledger.ts';
import { type CopyEffects, mountCopies } from './ledgerCopies.ts';
import { mountCorrections } from './ledgerCorrections.ts';
import { mountReport } from './ledgerReport.ts';
import { noReceipt } from './noReceipt.ts';
import { operatorName } from './operatorName.ts';
import { printLine } from './printLine.ts';
import { withLedger } from './withLedger.ts';

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

/** What the `ledger` commands need of the world; `openLedger` returns a ledger that is open. */
export type LedgerCommandEffects = CopyEffects & {
  readonly openLedger: () => Promise<Ledger>;
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

/**
 * Mounts the `ledger` commands (I5.51) on a program. Each prints one JSON object, lists one a line; changes need
 * `--as` and are journalled.
 *
 * The actions throw IssuerError `usage` for bad arguments and `input_missing` for what is not in the ledger.
 */
export function mountLedgerCommands(program: Command, effects: LedgerCommandEffects): void {
  const ledger = program.command('ledger').description('receipts, books, refunds and the watch list');
  ledger
    .command('show')
    .description('print a receipt with its journal and its payment')
    .argument('<receipt-id>')
    .action((receiptId: string) => show(receiptId, effects));
  ledger
    .command('export')
    .description('write the receipts of some days, then the report of the books to standard error')
    .requiredOption('--from <date>', 'first day, UTC')
    .requiredOption('--to <date>', 'last day, UTC, included')
    .option('--format <format>', 'csv or jsonl', 'csv')
    .action((options: { from: string; to: string; format: string }) => exportDays(options, effects));
  ledger
    .command('check')
    .description('prove that the books balance; 5 when they do not')
    .option('--chain', 'compare with the transfers on chain as well')
    .option(
      '--since <date>',
      'first day of that (default: two days back; of a restored copy since it was made)',
    )
    .option('--accept', 'take a restored copy for the ledger although it has forgotten what --chain lists')
    .option('--as <operator>', 'who accepts it')
    .action((options: CheckOptions) => check(options, effects));
  for (const [name, about] of [
    ['recover', 'end what crashes and lost answers left open, once'],
    ['reconcile-batches', 'ask the gateway about queued transfers, once'],
  ] as const) {
    ledger
      .command(name)
      .description(about)
      .action(async () => printLine(effects, await withLedger(effects, effects.reconcile)));
  }
  mountReport(ledger, effects);
  mountCorrections(ledger, effects);
  mountCopies(ledger, effects);
}

async function show(receiptId: string, effects: LedgerCommandEffects): Promise<void> {
  const found = await withLedger(effects, async (ledger) => {
    const receipt = await ledger.findReceipt(receiptId);
    if (receipt === null) throw noReceipt(receiptId);
    const claim = receipt.claimKey === null ? null : await ledger.findClaim(receipt.claimKey);
    return { receipt, payment: claim?.payment ?? null, journal: await ledger.journal(receiptId) };
  });
  const { receipt, payment } = found;
  printLine(effects, {
    receipt_id: receipt.receiptId,
    reconciliation_key: receipt.reconciliationKey,
    route_uri: receipt.routeUri,
    settlement_mode: receipt.settlementMode,
    charge_status: receipt.chargeStatus,
    quoted_micro_usd: receipt.quotedMicro,
    charged_micro_usd: receipt.chargedMicro,
    refunded_micro_usd: receipt.refundedMicro,
    payer_identity: receipt.payerIdentity,
    settlement_tx_hash: receipt.settlementTxHash,
    gateway_transfer_id: receipt.gatewayTransferId,
    failure_reason: receipt.failureReason,
    delivery_status: receipt.delivery,
    replay_count: receipt.replayCount,
    created_at_utc: instantText(receipt.createdMs),
    updated_at_utc: instantText(receipt.updatedMs),
    settled_at_utc: instantText(receipt.settledMs),
    quality_flags: receipt.qualityFlags,
    payment:
      payment === null
        ? null
        : {
            provider: payment.provider,
            network: payment.network,
            phase: payment.phase,
            finality: payment.finality,
            checks: payment.checks,
            refusal: payment.refusal,
            next_check_at_utc: instantText(payment.nextCheckMs),
          },
    journal: found.journal.map((step) => ({
      from: step.from,
      to: step.to,
      actor: step.actor,
      reason: step.reason,
      external_reference: step.externalRef,
      at_utc: instantText(step.atMs),
    })),
  });
}

async function exportDays(
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

type CheckOptions = {
  readonly chain?: boolean;
  readonly since?: string;
  readonly accept?: boolean;
  readonly as?: string;
};

async function check(options: CheckOptions, effects: LedgerCommandEffects): Promise<void> {
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
