import type { Command } from 'commander';
import { inspectLedgerAt } from '../ledger/inspectLedgerAt.ts';
import { shownAddress } from '../ledger/port/ledgerAddress.ts';
import { noLedger } from '../ledger/sqlite/schema/databaseError.ts';
import { schemaVersion } from '../ledger/sqlite/schema/schemaVersion.ts';
import { upgradeLedger } from '../ledger/sqlite/upgrade/upgradeLedger.ts';
import type { CopyEffects } from './ledgerCopies.ts';
import { printLine } from './printLine.ts';

/** Mounts `ledger upgrade` (P8.13). */
export function mountUpgrade(ledger: Command, effects: CopyEffects): void {
  ledger
    .command('upgrade')
    .description(
      'rebuild an embedded ledger of an older schema version, with a backup first; stop server and settlement process; 5 when books break',
    )
    .option('--backup <file>', 'where the backup goes (default: beside the ledger)')
    .action((options: { backup?: string }) => upgrade(options.backup ?? null, effects));
}

async function upgrade(backup: string | null, effects: CopyEffects): Promise<void> {
  const address = effects.address();
  if (address.kind === 'postgres') {
    // its tables have had one form; what joined them comes with the start of a server whose role owns them
    if ((await inspectLedgerAt(address)) === 'not_created') throw noLedger(shownAddress(address));
    printLine(effects, { ok: true, ledger: shownAddress(address), upgraded: false, reason: 'is_current' });
    return;
  }
  const { path } = address;
  const done = await upgradeLedger({ path, backup, nowMs: effects.time.nowMs() });
  const where = { ledger: path, schema_version: schemaVersion };
  if (!done.upgraded) {
    printLine(effects, { ok: true, ...where, upgraded: false, reason: 'is_current' });
    return;
  }
  const { receipts, payments, problems } = done.books;
  const ok = problems.length === 0;
  printLine(effects, {
    ok,
    ...where,
    upgraded: true,
    from_version: done.from,
    backup: done.backup,
    newest_event: done.newestEvent,
    receipts,
    payments,
    problems,
  });
  if (!ok) effects.validationFailed();
}
