import type { Command } from 'commander';
import { usageError } from '../../data/contract/errors/issuerError.ts';
import type { LedgerAddress } from '../ledger/port/ledgerAddress.ts';
import type { LedgerCopy } from '../ledger/sqlite/copy/ledgerCopies.ts';
import { type OperatorEffects, operatorName } from './operatorCommand.ts';

/** What the copying commands need of the world. */
export type CopyEffects = Omit<OperatorEffects, 'openLedger'> & {
  /** Where the ledger lies; it is not opened for writing. */
  readonly address: () => LedgerAddress;
  /** Makes the command end with exit code 5. */
  readonly validationFailed: () => void;
};

/** Mounts `ledger backup` and `ledger restore` (P8.12), and `ledger service-role` (P8.19). */
export function mountCopies(ledger: Command, load: () => Promise<CopyEffects>): void {
  ledger
    .command('backup')
    .description(
      'copy the ledger to a new file while the server runs, and prove the copy; 5 when books break',
    )
    .argument('<file>')
    .action(async (to: string) => {
      const effects = await load();
      const { backupLedger } = await import('../ledger/sqlite/copy/ledgerCopies.ts');
      const path = embedded(effects.address(), 'Copy it with pg_dump --format=custom.');
      report(await backupLedger({ path, to, nowMs: effects.time.nowMs() }), { file: to }, effects);
    });
  ledger
    .command('restore')
    .description('put a backup in the place of the ledger; stop server and settlement process first')
    .argument('<file>')
    .option('--force', 'restore a backup older than the ledger is known to be')
    .requiredOption('--as <operator>', 'who restores it')
    .action(async (from: string, input: { force?: boolean; as: string }) => {
      const as = operatorName(input.as);
      const effects = await load();
      const { restoreLedger } = await import('../ledger/sqlite/copy/ledgerCopies.ts');
      const path = embedded(effects.address(), 'Restore a dump with pg_restore into an empty database.');
      const nowMs = effects.time.nowMs();
      const { replaced, ...copy } = await restoreLedger({
        path,
        from,
        as,
        nowMs,
        force: input.force === true,
      });
      const next = 'issuer-serve ledger check --chain, before the server takes payments again';
      report(copy, { ledger: path, replaced, next }, effects);
    });
  ledger
    .command('service-role')
    .description(
      'as the owner of a PostgreSQL ledger: make its tables and give a role the rights of the server',
    )
    .argument('<role>')
    .action(async (role: string) => giveRights(role, await load()));
}

async function giveRights(role: string, effects: CopyEffects): Promise<void> {
  const address = effects.address();
  if (address.kind === 'sqlite') {
    throw usageError(
      'The embedded ledger is a file; it has no roles.',
      'The user of the server alone may read its directory.',
    );
  }
  const { grantServiceRole } = await import('../ledger/postgres/schema/serviceRole.ts');
  const schema = await grantServiceRole({ connection: address.connection, role });
  effects.write(`${JSON.stringify({ ok: true, service_role: role, schema })}\n`);
}

function report(copy: LedgerCopy, where: Readonly<Record<string, unknown>>, effects: CopyEffects): void {
  const { bytes, newestEvent, books } = copy;
  const ok = books.problems.length === 0;
  const { receipts, payments, problems } = books;
  const line = { ok, ...where, bytes, newest_event: newestEvent, receipts, payments, problems };
  effects.write(`${JSON.stringify(line)}\n`);
  if (!ok) effects.validationFailed();
}

function embedded(address: LedgerAddress, instead: string): string {
  if (address.kind === 'sqlite') return address.path;
  throw usageError(
    'The ledger is a PostgreSQL database; this command copies the embedded ledger only.',
    `${instead} For point-in-time recovery let the server archive its write-ahead log.`,
  );
}
