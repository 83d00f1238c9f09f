import type { Command } from 'commander';
import { fitColumns } from '../../data/contract/commandLine/terminal.ts';
import { usageError } from '../../data/contract/errors/issuerError.ts';
import { type CopyEffects, mountCopies } from './ledgerCopies.ts';
import { mountCorrections } from './ledgerCorrections.ts';
import { type OperatorEffects, withLedger } from './operatorCommand.ts';
import type { CheckOptions, LedgerCommandEffects } from './readLedger.ts';

/**
 * Mounts the `ledger` commands (I5.51) on a program; the first that runs loads its work. Each prints one JSON object, lists
 * one a line; changes need `--as` and are journalled.
 *
 * The actions throw IssuerError `usage` for bad arguments and `input_missing` for what is not in the ledger.
 */
export function mountLedgerCommands(program: Command, load: () => Promise<LedgerCommandEffects>): void {
  const work = () => import('./readLedger.ts');
  const ledger = program.command('ledger').description('receipts, books, refunds and the watch list');
  ledger
    .command('show')
    .description('print a receipt with its journal and its payment')
    .argument('<receipt-id>')
    .action(async (receiptId: string) => (await work()).show(receiptId, await load()));
  ledger
    .command('export')
    .description('write the receipts of some days, then the report of the books to standard error')
    .requiredOption('--from <date>', 'first day, UTC')
    .requiredOption('--to <date>', 'last day, UTC, included')
    .option('--format <format>', 'csv or jsonl', 'csv')
    .action(async (options: { from: string; to: string; format: string }) =>
      (await work()).exportDays(options, await load()),
    );
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
    .action(async (options: CheckOptions) => (await work()).check(options, await load()));
  for (const [name, about] of [
    ['recover', 'end what crashes and lost answers left open, once'],
    ['reconcile-batches', 'ask the gateway about queued transfers, once'],
  ] as const) {
    ledger
      .command(name)
      .description(about)
      .action(async () => (await work()).reconcile(await load()));
  }
  mountReport(ledger, load);
  mountCorrections(ledger, load);
  mountCopies(ledger, load);
}

type ReportEffects = OperatorEffects & Pick<CopyEffects, 'validationFailed'>;

const dayMs = 86_400_000;

/** Mounts `ledger report`, the daily report of the operator (P8.41), made for cron: exit code 5 when there are alerts. */
export function mountReport(ledger: Command, load: () => Promise<ReportEffects>): void {
  ledger
    .command('report')
    .description('the operator report of a day as text, for cron and mail; 5 when something needs you')
    .option('--day <date>', 'the day, UTC (default: yesterday)')
    .option('--json', 'one JSON object in whole micro-USD')
    .action(async (options: { day?: string; json?: boolean }) => report(options, await load()));
}

async function report(options: { day?: string; json?: boolean }, effects: ReportEffects): Promise<void> {
  const { isCivilDate } = await import('../../data/contract/values/primitives.ts');
  const { dayJson, dayReport } = await import('../operations/report/dayJson.ts');
  const { dayText } = await import('../operations/report/dayText.ts');
  const nowMs = effects.time.nowMs();
  const day = options.day ?? new Date(nowMs - dayMs).toISOString().slice(0, 10);
  if (!isCivilDate(day)) throw usageError('--day is not a day.', 'Write for example --day 2026-02-07.');
  const fromMs = Date.parse(`${day}T00:00:00Z`);
  if (fromMs > nowMs) throw usageError('--day lies in the future.', 'Name today or a day before it.');
  await withLedger(effects, async (ledger) => {
    const books = await ledger.day({ fromMs, toMs: fromMs + dayMs, nowMs });
    const made = dayReport({ day, madeMs: nowMs, books });
    effects.write(options.json === true ? `${JSON.stringify(dayJson(made))}\n` : fitColumns(dayText(made)));
    if (made.needs.length > 0) effects.validationFailed();
  });
}
