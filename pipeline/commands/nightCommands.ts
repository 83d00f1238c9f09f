import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { BackfilledDate } from '../backfill/backfill.ts';
import { dataLayout } from '../dataLayout.ts';
import type { Log, StoreEffects } from '../effects.ts';
import { isNotServedHere } from '../fetch/http/refusal.ts';
import type { HistoryResult } from '../fetch/market/fetchHistory.ts';
import type { SnapshotResult } from '../fetch/market/takeSnapshot.ts';
import { programRoot } from '../programRoot.ts';
import { type CommandShell, changeReleases, shellCommand, show } from './commandShell.ts';

/** `issuer nightly`. */
export function mountNightlyCommand(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, 'nightly')
    .option(
      '--source <source>',
      'fixtures, edgar, or a directory with edgar/, prices/, universe.csv …',
      'edgar',
    )
    .option(
      '--date <day>',
      'source date of the slice, YYYY-MM-DD (default: today in UTC for edgar, else nights.csv)',
    )
    .option(
      '--as-of <instant>',
      'the plan’s instant, YYYY-MM-DDTHH:MM:SSZ; the same one gives the same bytes',
    )
    .option('--from <step>', 'start at fetch, ingest, compute or publish')
    .option('--only <step>', 'run one step')
    .option('--force', 'run steps whose inputs are unchanged, too', false)
    .option('--dry-run', 'say what would be done and change nothing', false)
    .option('--quiet', 'for cron: print nothing on exit code 0, else warnings and summary to stderr', false)
    .action(async (flags: NightlyFlags) => {
      const night = (effects: StoreEffects, restored: readonly string[]) =>
        runAndAudit(flags, { shell, effects, restored });
      const layout = dataLayout(flags.data);
      await (flags.dryRun ? night(shell.storeEffects(), []) : changeReleases(shell, { layout }, night));
    });
}

async function runAndAudit(
  { source, data, date, asOf, from, only, force, dryRun }: NightlyFlags,
  { shell, effects, restored }: { shell: CommandShell; effects: StoreEffects; restored: readonly string[] },
): Promise<void> {
  const { auditPromoted } = await import('../audit/auditPromoted.ts');
  const { configuredRenderer } = await import('../briefs/configuredRenderer.ts');
  const { standIns } = await import('../fetch/http/baseAddress.ts');
  const { codeVersion } = await import('../nightly/codeVersion.ts');
  const { noteFinding, runNightly } = await import('../nightly/runNightly.ts');
  const { summarizeNight, summaryText } = await import('../nightly/summary/nightSummary.ts');
  const { keepFigures } = await import('../review/reviewFigures.ts');
  const outcomes = await runNightly(
    {
      source,
      data,
      date: date ?? null,
      asOf: asOf ?? null,
      from: from ?? null,
      only: only ?? null,
      force,
      dryRun,
      contact: shell.environment['II_EDGAR_CONTACT'],
      priceKey: shell.environment['II_COINGECKO_KEY'] ?? null,
      ...standIns(shell.environment),
      renderer: configuredRenderer(shell.environment, effects.clock),
      code: await codeVersion(),
      restored,
      signal: shell.signal,
    },
    effects,
  );
  const last = outcomes.at(-1);
  if (last === undefined) return;
  if (!dryRun && last.release !== null) await keepFigures(dataLayout(data), effects);
  const degraded =
    dryRun || last.release === null
      ? null
      : await auditPromoted({
          programRoot,
          data: dataLayout(data).root,
          environment: shell.environment,
          signal: shell.signal,
          log: effects.log,
        });
  const summary = await summarizeNight(last, dataLayout(data));
  const releases = outcomes.map((outcome) => outcome.release);
  const text = summaryText(summary, { data: data === './data' ? null : data });
  show(shell, { ...summary, releases }, text);
  if (degraded !== null) {
    await noteFinding({ paths: dataLayout(data).artifacts, finding: degraded.message, effects });
    // what the inputs lack is the cause, and what the audit misses follows from it
    if (last.findings.length === 0) throw degraded;
  }
  if (last.findings.length > 0 && !dryRun) throw degradedNight(last.findings);
}

function degradedNight(findings: readonly string[]): IssuerError {
  return new IssuerError({
    code: 'degraded',
    message: `The night has less than it should: ${findings.slice(0, 3).join('; ')}${findings.length > 3 ? '; …' : ''}.`,
    hint: 'Mend what is named and run the night again; --force takes the inputs as they are.',
    details: { degraded: findings },
  });
}

type NightlyFlags = {
  source: string;
  data: string;
  date?: string;
  asOf?: string;
  from?: string;
  only?: string;
  force: boolean;
  dryRun: boolean;
};

/** `issuer backfill`. */
export function mountBackfillCommand(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, 'backfill')
    .requiredOption('--from <day>', 'the first date, YYYY-MM-DD')
    .requiredOption('--to <day>', 'the last date; before the date of the current release')
    .option('--every <dates>', 'day, month-end, or dates separated by commas', 'day')
    .option('--as-of <instant>', 'published as computed_at_utc; the same one gives the same bytes')
    .option('--force', 'publish dates whose inputs are unchanged, too', false)
    .action(async (asked: BackfillFlags) => {
      const { backfilledJson, backfilledText, outcomeJson, outcomeText, runBackfill } = await import(
        '../backfill/runBackfill.ts'
      );
      const { codeVersion } = await import('../nightly/codeVersion.ts');
      const options = {
        ...asked,
        asOf: asked.asOf ?? null,
        code: await codeVersion(),
        signal: shell.signal,
        onDate: (done: BackfilledDate) =>
          shell.json ? shell.printJson(backfilledJson(done)) : shell.print(backfilledText(done)),
      };
      const outcome = await changeReleases(shell, { layout: dataLayout(asked.data) }, (effects) => {
        const quiet: Log = (event) => {
          if (event.level !== 'info') effects.log(event);
        };
        return runBackfill(options, { ...effects, log: quiet });
      });
      if (shell.json) shell.printJson(outcomeJson(outcome));
      else shell.print(outcomeText(outcome));
    });
}

type BackfillFlags = {
  data: string;
  from: string;
  to: string;
  every: string;
  asOf?: string;
  force: boolean;
};

/** `issuer snapshot`. */
export function mountSnapshotCommand(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, 'snapshot')
    .option('--history', 'fetch what a venue says of the past instead, to fill what snapshots missed', false)
    .option('--days <number>', 'with --history: how far back a series without a row begins', daysOf, 30)
    .option('--quiet', 'for cron: print nothing on exit code 0', false)
    .action(async ({ data, quiet, history, days }: SnapshotFlags) => {
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
      printSnapshot(results, { shell, quiet });
      const failed = results.filter(({ status }) => status === 'failed');
      if (failed.length > 0) throw incomplete({ what: 'contracts were not observed', all: results, failed });
    });
}

type SnapshotFlags = {
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
    const { venue, symbol, series, status, rows, flags, reason } = result;
    const more = [`${rows} new rows`, ...flags, ...(reason === null ? [] : [reason])].join(', ');
    const line = `${venue.padEnd(14)} ${symbol.padEnd(12)} ${series.padEnd(9)} ${status} ${more}\n`;
    show(shell, result, line);
  }
}

function printSnapshot(
  results: readonly SnapshotResult[],
  { shell, quiet }: { shell: CommandShell; quiet: boolean },
): void {
  if (quiet && results.every(({ status }) => status === 'observed')) return;
  for (const result of results) {
    const { venue, symbol, status, flags, reason } = result;
    const more = reason ?? flags.join(', ');
    const line = `${venue.padEnd(14)} ${symbol.padEnd(12)} ${status}${more === '' ? '' : ` ${more}`}\n`;
    show(shell, result, line);
  }
}

type Asked = Pick<SnapshotResult, 'venue' | 'symbol' | 'reason'> & { readonly series?: string };

/** Why, of each venue the first reason. */
function reasonsOf(failed: readonly Asked[]): string {
  return [...Map.groupBy(failed, ({ venue }) => venue)]
    .map(([venue, [first]]) => `${venue}: ${String(first?.reason).replace(/\.$/, '')}`)
    .join('; ');
}

const hintAbroad =
  'What came is kept, and there is nothing to set: a product is read from the next venue that answers, and nights go on ' +
  'without the market part where none does. What `issuer snapshot` writes elsewhere, raw/market/perps, may be brought here.';

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
    message: `${failed.length} of ${all.length} ${what}: ${reasonsOf(failed)}.`,
    hint: failed.some(({ reason }) => isNotServedHere(reason))
      ? hintAbroad
      : 'What came is kept; the next run asks again.',
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
