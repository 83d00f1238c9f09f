import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { fitColumns } from '../../data/contract/commandLine/terminal.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { dataLayout } from '../dataLayout.ts';
import type { HistoryResult } from '../fetch/market/fetchHistory.ts';
import type { SnapshotResult } from '../fetch/market/takeSnapshot.ts';
import { type CommandShell, shellCommand } from './commandShell.ts';

/** `issuer snapshot`. */
export function mountSnapshotCommand(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, {
    name: 'snapshot',
    description: 'ask the venues once what they say of every perpetual contract; run every 15 minutes',
  })
    .option('--history', 'fetch what a venue says of the past instead, to fill what snapshots missed', false)
    .option('--days <number>', 'with --history: how far back a series without a row begins', daysOf, 30)
    .option('--quiet', 'for cron: print nothing on exit code 0', false)
    .addHelpText(
      'after',
      '\nMark, index, funding, open interest and the last price of each contract of data/registry/products.json at ' +
        'Coinbase International, Binance and Bybit. The next night with --source edgar reads them. What one venue ' +
        'refuses costs its own contracts alone.\n\nWith --history: funding, marks, indexes, open interest and trade ' +
        'candles of the past, by quarter hour, at Binance (open interest of the last 30 days alone) and Bybit. Each ' +
        'series goes on after its newest stored row; where a ' +
        'snapshot speaks of the same time, the snapshot counts.\n\nExit codes: 0 every contract (with --history every series) ' +
        '· 6 some · 4 none · 75 another of its kind is running.\n\nExamples:\n  issuer snapshot\n' +
        '  issuer snapshot --history --days 90\n  */15 * * * * issuer snapshot --quiet',
    )
    .action(async ({ data, quiet, history, days }: Options) => {
      const { standIns } = await import('../fetch/http/baseAddress.ts');
      const { readRegistry } = await import('../modelCard/readRegistry.ts');
      const { withNightlyLock } = await import('../nightly/nightlyLock.ts');
      const effects = shell.storeEffects();
      const { raw } = dataLayout(data);
      const directory = join(raw, 'market');
      const { products, parameters } = await readRegistry();
      const contracts = products.flatMap((product) => product.contracts);
      const { venueUrl } = standIns(shell.environment);
      const origins =
        venueUrl === undefined ? {} : Object.fromEntries(contracts.map(({ venue }) => [venue, venueUrl]));
      const network = { network: { origins } };
      if (history) {
        const { fetchHistory } = await import('../fetch/market/fetchHistory.ts');
        const lock = { path: join(directory, 'history.lock'), effects };
        const series = await withNightlyLock(lock, () =>
          fetchHistory({ directory, contracts, days, effects, signal: shell.signal, ...network }),
        );
        printHistory(series, { shell, quiet });
        const broken = series.filter(({ status }) => status === 'failed');
        if (broken.length > 0)
          throw incomplete({ what: 'series were not fetched', all: series, failed: broken });
        return;
      }
      const { takeSnapshot } = await import('../fetch/market/takeSnapshot.ts');
      const lock = { path: join(directory, 'snapshot.lock'), effects };
      const results = await withNightlyLock(lock, () =>
        takeSnapshot({
          directory,
          contracts,
          bounds: parameters.closeBounds,
          effects,
          signal: shell.signal,
          ...network,
        }),
      );
      print(results, { shell, quiet });
      const failed = results.filter(({ status }) => status === 'failed');
      if (failed.length > 0) throw incomplete({ what: 'contracts were not observed', all: results, failed });
    });
}

type Options = {
  readonly data: string;
  readonly quiet: boolean;
  readonly history: boolean;
  readonly days: number;
};

const mostDays = 400;

function daysOf(text: string): number {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > mostDays) {
    throw new InvalidArgumentError(`Give a whole number of days from 1 to ${mostDays}.`);
  }
  return days;
}

function printHistory(
  results: readonly HistoryResult[],
  { shell, quiet }: { shell: CommandShell; quiet: boolean },
): void {
  if (quiet && results.every(({ status }) => status === 'fetched')) return;
  for (const result of results) {
    if (shell.json) {
      shell.printJson(result);
      continue;
    }
    const { venue, symbol, series, status, rows, flags, reason } = result;
    const more = [`${rows} new rows`, ...flags, ...(reason === null ? [] : [reason])].join(', ');
    const line = `${venue.padEnd(14)} ${symbol.padEnd(12)} ${series.padEnd(9)} ${status} ${more}\n`;
    shell.print(fitColumns(line));
  }
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

type Asked = Pick<SnapshotResult, 'venue' | 'symbol' | 'reason'> & { readonly series?: string };

function incomplete({
  what,
  all,
  failed,
}: {
  readonly what: string;
  readonly all: readonly Asked[];
  readonly failed: readonly Asked[];
}): IssuerError {
  return new IssuerError({
    code: failed.length === all.length ? 'source_refused' : 'degraded',
    message: `${failed.length} of ${all.length} ${what}.`,
    hint: 'What came is kept; the next run asks again.',
    details: {
      failed: failed.map(({ venue, symbol, series, reason }) => ({
        venue,
        symbol,
        ...(series === undefined ? {} : { series }),
        reason,
      })),
    },
  });
}
