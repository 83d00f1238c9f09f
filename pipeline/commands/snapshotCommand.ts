import { join } from 'node:path';
import type { Command } from 'commander';
import { fitColumns } from '../../contract/commandLine/fitColumns.ts';
import { IssuerError } from '../../contract/errors/issuerError.ts';
import { type SnapshotResult, takeSnapshot } from '../fetch/market/takeSnapshot.ts';
import { readRegistry } from '../modelCard/readRegistry.ts';
import { dataLayout } from '../nightly/dataLayout.ts';
import { withNightlyLock } from '../nightly/nightlyLock.ts';
import { type CommandShell, shellCommand } from './commandShell.ts';

/** `issuer snapshot`. */
export function mountSnapshotCommand(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, {
    name: 'snapshot',
    description: 'ask the venues once what they say of every perpetual contract; run every 15 minutes',
  })
    .option('--quiet', 'for cron: print nothing on exit code 0', false)
    .addHelpText(
      'after',
      '\nMark, index, funding, open interest and the last price of each contract of data/registry/products.json at ' +
        'Coinbase International, Binance and Bybit. The next night with --source edgar reads them. What one venue ' +
        'refuses costs its own contracts alone.\n\nExit codes: 0 every contract · 6 some · 4 none · 75 another ' +
        'snapshot is running.\n\nExamples:\n  issuer snapshot\n  */15 * * * * issuer snapshot --quiet',
    )
    .action(async ({ data, quiet }: { data: string; quiet: boolean }) => {
      const effects = shell.storeEffects();
      const { raw } = dataLayout(data);
      const directory = join(raw, 'market');
      const { products } = await readRegistry();
      const contracts = products.flatMap((product) => product.contracts);
      const lock = { path: join(directory, 'snapshot.lock'), effects };
      const results = await withNightlyLock(lock, () =>
        takeSnapshot({ directory, contracts, effects, signal: shell.signal }),
      );
      print(results, { shell, quiet });
      const failed = results.filter(({ status }) => status === 'failed');
      if (failed.length > 0) throw incomplete(results, failed);
    });
}

function print(
  results: readonly SnapshotResult[],
  { shell, quiet }: { shell: CommandShell; quiet: boolean },
): void {
  if (quiet && results.every(({ status }) => status === 'observed')) return;
  for (const result of results) {
    if (shell.json) {
      shell.printJson(result);
      continue;
    }
    const { venue, symbol, status, flags, reason } = result;
    const more = reason ?? flags.join(', ');
    shell.print(
      fitColumns(`${venue.padEnd(14)} ${symbol.padEnd(12)} ${status}${more === '' ? '' : ` ${more}`}\n`),
    );
  }
}

function incomplete(results: readonly SnapshotResult[], failed: readonly SnapshotResult[]): IssuerError {
  const none = failed.length === results.length;
  return new IssuerError({
    code: none ? 'source_refused' : 'degraded',
    message: `${failed.length} of ${results.length} contracts were not observed.`,
    hint: 'What was observed is kept; the next snapshot asks again.',
    details: { failed: failed.map(({ venue, symbol, reason }) => ({ venue, symbol, reason })) },
  });
}
