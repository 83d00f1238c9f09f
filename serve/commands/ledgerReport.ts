import type { Command } from 'commander';
import { fitColumns } from '../../data/contract/commandLine/terminal.ts';
import { usageError } from '../../data/contract/errors/issuerError.ts';
import type { Ledger, LedgerTime } from '../ledger/port/ledger.ts';
import { withLedger } from './withLedger.ts';

/** What the report needs of the world; `openLedger` returns a ledger that is open. */
export type ReportEffects = {
  readonly openLedger: () => Promise<Ledger>;
  readonly time: LedgerTime;
  readonly write: (text: string) => void;
  /** Makes the command end with exit code 5. */
  readonly validationFailed: () => void;
};

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
