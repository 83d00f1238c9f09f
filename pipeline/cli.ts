#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { type CanonicalValue, canonicalJson } from '../contract/canonicalJson.ts';
import { exitCodes } from '../contract/errorCodes.ts';
import { IssuerError } from '../contract/issuerError.ts';
import { auditPromoted } from './audit/auditPromoted.ts';
import { backtestJson } from './backtest/backtestJson.ts';
import { backtestText } from './backtest/backtestText.ts';
import { runBacktest } from './backtest/runBacktest.ts';
import { type Log, realFiles, type StoreEffects, systemClock } from './effects.ts';
import { explainIssuer } from './explain/explainIssuer.ts';
import { runBackfill } from './history/backfillCommand.ts';
import { backfilledJson, backfilledText, outcomeJson, outcomeText } from './history/backfillText.ts';
import { asIssuerError } from './nightly/asIssuerError.ts';
import { bashCompletion } from './nightly/bashCompletion.ts';
import { codeVersion, programRoot, programVersion } from './nightly/codeVersion.ts';
import { type DataLayout, dataLayout } from './nightly/dataLayout.ts';
import { examine } from './nightly/doctor.ts';
import { runNightly } from './nightly/nightlyCommand.ts';
import { withNightlyLock } from './nightly/nightlyLock.ts';
import { summarizeNight, summaryText } from './nightly/nightSummary.ts';
import { jsonLog, terminalLog } from './nightly/runLog.ts';
import { quietPipes } from './quietPipes.ts';
import { listReleases, promoteByHand } from './release/releaseCommands.ts';
import { readCurrent } from './release/releaseStore.ts';
import { rollbackRelease } from './release/rollbackRelease.ts';
import { openSigningKey } from './release/signingKey.ts';
import { verifyRelease } from './release/verifyRelease.ts';
import { type QueryFormat, runQuery } from './warehouse/runQuery.ts';

const interrupt = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    // asked twice: leave at once, every file is whole at every moment
    if (interrupt.signal.aborted) process.exit(exitCodes.interrupted);
    interrupt.abort();
    process.stderr.write('\nStopping at the next safe point; once more to stop now.\n');
  });
}
quietPipes([process.stdout, process.stderr]);

const defaultData = process.env['II_DATA'] ?? './data';
let json = false;
process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  json = args.includes('--json');
  try {
    const program = await issuerProgram();
    await program.parseAsync(args, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    return fail(error instanceof CommanderError ? usageError(error) : asIssuerError(error));
  }
}

async function issuerProgram(): Promise<Command> {
  const program = new Command('issuer')
    .description(
      'Solvency intelligence for public companies that hold crypto.\n\n' +
        'Every night: SEC archives → DuckDB warehouse → calculators → one signed, immutable release.\n' +
        'Every figure walks back to an accession number, a concept, a period and a unit.',
    )
    .version(await programVersion())
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .addHelpText(
      'after',
      '\nStart here:\n  issuer nightly --source fixtures       real filed figures, no network, under a minute\n' +
        '  issuer query "select * from stress"    the same figures in SQL\n  issuer doctor                          is this machine ready?\n\n' +
        'Exit codes: 0 done · 1 internal · 2 usage · 3 input missing · 4 source refused · 5 validation failed,\n' +
        'nothing published · 6 published with degraded coverage · 75 locked, try later · 130 interrupted.',
    );
  addNightly(program);
  addBackfill(program);
  addQuery(program);
  addExplain(program);
  addBacktest(program);
  addReleases(program);
  addDoctor(program);
  program
    .command('completion')
    .description('print a bash completion script: eval "$(issuer completion)"')
    .action(() => print(bashCompletion(program)));
  return program;
}

function addNightly(program: Command): void {
  command(program, 'nightly', 'read the night’s inputs, compute the slice and publish its release')
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
    .addHelpText(
      'after',
      '\nA step whose inputs are unchanged is skipped and says why; after a crash the same command goes on where it\n' +
        'stopped. A night that fails leaves the promoted release untouched.\n\nExamples:\n' +
        '  issuer nightly --source fixtures\n  issuer nightly --source ./drop --date 2025-11-19 --data /srv/issuer\n' +
        '  II_EDGAR_CONTACT="Jane Roe jane@fund.com" issuer nightly',
    )
    .action(async (o: NightlyFlags) => {
      const effects = storeEffects();
      const outcomes = await runNightly(
        {
          source: o.source,
          data: o.data,
          date: o.date ?? null,
          asOf: o.asOf ?? null,
          from: o.from ?? null,
          only: o.only ?? null,
          force: o.force,
          dryRun: o.dryRun,
          contact: process.env['II_EDGAR_CONTACT'],
          priceKey: process.env['II_COINGECKO_KEY'] ?? null,
          code: await codeVersion(),
          signal: interrupt.signal,
        },
        effects,
      );
      const last = outcomes.at(-1);
      if (last === undefined) return;
      const degraded =
        o.dryRun || last.release === null
          ? null
          : await auditPromoted({
              programRoot,
              data: dataLayout(o.data).root,
              source: o.source,
              environment: process.env,
              signal: interrupt.signal,
              log: effects.log,
            });
      const summary = await summarizeNight(last, dataLayout(o.data));
      const releases = outcomes.map((outcome) => outcome.release);
      if (json) printJson({ ...summary, releases });
      else print(summaryText(summary, { data: o.data === './data' ? null : o.data }));
      if (degraded !== null) throw degraded;
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

function addBackfill(program: Command): void {
  command(program, 'backfill', 'publish past dates from the warehouse, each from what was known on it')
    .requiredOption('--from <day>', 'the first date, YYYY-MM-DD')
    .requiredOption('--to <day>', 'the last date; before the date of the current release')
    .option('--every <dates>', 'day, month-end, or dates separated by commas', 'day')
    .option('--as-of <instant>', 'published as computed_at_utc; the same one gives the same bytes')
    .option('--force', 'publish dates whose inputs are unchanged, too', false)
    .addHelpText(
      'after',
      '\nA date uses facts filed and filings accepted by then and closes up to then, nothing newer. Its release holds row\n' +
        'stores only and never becomes current; at the end the current release is built again, so that its histories\n' +
        'hold the new dates. Run again, it goes on where it stopped.\n\nExample:\n' +
        '  issuer backfill --from 2020-01-01 --to 2025-12-30 --every month-end',
    )
    .action(
      async (o: { data: string; from: string; to: string; every: string; asOf?: string; force: boolean }) => {
        const effects = storeEffects();
        const quiet: Log = (event) => {
          if (event.level !== 'info') effects.log(event);
        };
        const outcome = await runBackfill(
          {
            ...{ data: o.data, from: o.from, to: o.to, every: o.every, force: o.force },
            asOf: o.asOf ?? null,
            code: await codeVersion(),
            signal: interrupt.signal,
            onDate: (done) => (json ? printJson(backfilledJson(done)) : print(backfilledText(done))),
          },
          { ...effects, log: quiet },
        );
        if (json) printJson(outcomeJson(outcome));
        else print(outcomeText(outcome));
      },
    );
}

function addQuery(program: Command): void {
  command(program, 'query', 'ask the warehouse in SQL, read-only')
    .argument(
      '<sql>',
      'one SELECT over facts, facts_as_of(day), stress, debt_resolution, instance_facts, arcs, …',
    )
    .addOption(
      new Option('--format <format>', 'how rows are printed')
        .choices(['table', 'csv', 'json', 'parquet'])
        .default('table'),
    )
    .option('--output <file>', 'write there instead of printing; needed for parquet')
    .option('--time-limit <seconds>', 'give up after that long', '60')
    .addHelpText(
      'after',
      '\nEvery column carries a comment: issuer query "describe stress". Queries run against the last complete build,\n' +
        'also while a night is being built.\n\nExample:\n' +
        '  issuer query "select ticker, stress_50pct, risk_tier from stress order by 2 desc limit 10"',
    )
    .action(
      async (sql: string, o: { data: string; format: QueryFormat; output?: string; timeLimit: string }) => {
        const seconds = Number(o.timeLimit);
        if (!(seconds > 0 && seconds <= 86_400)) {
          throw new IssuerError({
            code: 'usage',
            message: `--time-limit ${o.timeLimit.slice(0, 40)} is not a number of seconds.`,
            hint: 'Give a number between 0 and 86400.',
          });
        }
        await runQuery({
          databasePath: dataLayout(o.data).database,
          sql,
          format: json && o.format === 'table' ? 'json' : o.format,
          timeLimitMs: seconds * 1000,
          write: (text) => void process.stdout.write(text),
          ...(o.output === undefined ? {} : { output: o.output }),
        });
      },
    );
}

function addExplain(program: Command): void {
  command(program, 'explain', 'walk from an issuer’s ratio back to the filed facts behind it')
    .argument('<issuer>', 'ticker, former ticker or CIK')
    .option('--period <day>', 'balance-sheet date (default: that of the newest slice)')
    .option(
      '--source-date <day>',
      'as the slice of that day or the last before it said (default: the newest)',
    )
    .addHelpText(
      'after',
      '\nThe tree goes from the ratio to debt and coins, to each concept that counts, to the fact with its accession\n' +
        'number. Below each total stands every step of its ladder and why it was taken or not.\n\nExamples:\n' +
        '  issuer explain MSTR\n  issuer explain FLD --period 2025-09-30 --json\n' +
        '  issuer query "select * from debt_resolution where ticker = \'MSTR\'"',
    )
    .action(async (label: string, o: { data: string; period?: string; sourceDate?: string }) => {
      const text = await explainIssuer({
        databasePath: dataLayout(o.data).database,
        label,
        period: o.period ?? null,
        sourceDate: o.sourceDate ?? null,
        format: json ? 'json' : 'text',
      });
      print(text);
    });
}

function addBacktest(program: Command): void {
  command(program, 'backtest', 'compare tiers as they were known with events that came later')
    .addHelpText(
      'after',
      '\nEvents and their sources are data/registry/events.csv; where the warehouse has no row of an issuer and period,\n' +
        'the reference cases of data/registry/reference-cases.csv stand in, marked. Nothing is written.\n\nExamples:\n' +
        '  issuer backtest\n  issuer backtest --json | jq .assessments',
    )
    .action(async (o: { data: string }) => {
      const report = await runBacktest({ databasePath: dataLayout(o.data).database });
      if (json) printJson(backtestJson(report));
      else print(backtestText(report));
    });
}

function addReleases(program: Command): void {
  const release = program.command('release').description('list, verify and move between published releases');
  command(release, 'list', 'show every build and which one answers').action(async (o: { data: string }) => {
    const rows = await listReleases(dataLayout(o.data).artifacts);
    if (json) for (const row of rows) printJson(row);
    else if (rows.length === 0) print('No release yet. Run `issuer nightly --source fixtures`.\n');
    for (const row of json ? [] : rows) {
      const state = row.current ? 'current' : row.promoted ? 'promoted' : 'superseded';
      print(
        `${row.release.padEnd(14)} ${state.padEnd(11)} ${row.slice_status.padEnd(9)} ${row.kind.padEnd(11)} ` +
          `${String(row.artifacts).padStart(5)} artifacts  as of ${row.generated_at}\n`,
      );
    }
  });
  command(release, 'verify', 'read every byte of a release again: signature, hashes, codings, row offsets')
    .argument('[release]', 'for example 2025-11-19.1 (default: the current one)')
    .action(async (name: string | undefined, o: { data: string }) => {
      const layout = dataLayout(o.data);
      const wanted = name ?? (await currentOrFail(layout));
      const directory = join(layout.artifacts.releases, wanted);
      if (!existsSync(directory)) throw unknownRelease(wanted);
      const publicKey = await ownPublicKey(layout);
      const { manifest, bytes } = await verifyRelease({ directory, name: wanted, publicKey });
      const { key_id } = manifest.signature;
      if (json)
        printJson({ release: wanted, verified: true, artifacts: manifest.artifact_count, bytes, key_id });
      else
        print(
          `${wanted} verifies: ${manifest.artifact_count} artifacts, ${bytes} bytes, signed by ${key_id}.\n`,
        );
    });
  command(release, 'promote', 'make a build the one that answers for its date')
    .argument('<release>')
    .action(async (name: string, o: { data: string }) => {
      const layout = dataLayout(o.data);
      if (!existsSync(join(layout.artifacts.releases, name))) throw unknownRelease(name);
      const effects = storeEffects();
      const done = await withNightlyLock({ path: layout.lock, effects }, async () =>
        promoteByHand({
          paths: layout.artifacts,
          name,
          publicKey: await ownPublicKey(layout),
          files: effects.files,
        }),
      );
      if (json) printJson(done);
      else print(`${name} answers for its date; current is ${done.current}.\n`);
    });
  command(release, 'rollback', 'publish an older slice again as a new build and make it current')
    .argument('[to]', 'a release or a source date (default: the slice before the current one)')
    .action(async (to: string | undefined, o: { data: string }) => {
      const layout = dataLayout(o.data);
      const effects = storeEffects();
      const done = await withNightlyLock({ path: layout.lock, effects }, async () => {
        const key = await openSigningKey({ path: layout.signingKey, files: effects.files });
        return rollbackRelease({ paths: layout.artifacts, to: to ?? null, key, files: effects.files });
      });
      if (json) printJson({ release: done.release, from: done.from, source: done.source });
      else print(`${done.release} is current: the content of ${done.source}, in place of ${done.from}.\n`);
    });
}

function addDoctor(program: Command): void {
  command(program, 'doctor', 'check this machine and its data, and say what to do').action(
    async (o: { data: string }) => {
      const checks = await examine({
        layout: dataLayout(o.data),
        contact: process.env['II_EDGAR_CONTACT'],
        nodeVersion: process.versions.node,
      });
      for (const check of checks) {
        if (json) {
          printJson(check);
          continue;
        }
        const sign = { ok: '✓', note: '·', failing: '✗' }[check.status];
        print(`${sign} ${check.name.padEnd(9)} ${check.detail}\n`);
        if (check.next !== null) print(`            ${check.next}\n`);
      }
      const failing = checks.filter((check) => check.status === 'failing');
      if (failing.length === 0) return;
      throw new IssuerError({
        code: 'configuration',
        message: `This machine is not ready: ${failing.map((check) => check.name).join(', ')}.`,
        hint: 'Do what stands below each line marked ✗, then run `issuer doctor` again.',
      });
    },
  );
}

function command(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .option('--data <dir>', 'run-time root: raw, warehouse, artifacts, keys (or II_DATA)', defaultData)
    .option('--json', 'JSON lines instead of text', false)
    .allowExcessArguments(false);
}

function storeEffects(): StoreEffects {
  const clock = systemClock();
  const out = json ? process.stdout : process.stderr;
  const log: Log =
    !json && process.stderr.isTTY
      ? terminalLog({ clock, out, colour: process.env['NO_COLOR'] === undefined })
      : jsonLog({ clock, out });
  return { clock, log, files: realFiles() };
}

async function currentOrFail(layout: DataLayout): Promise<string> {
  const current = await readCurrent(layout.artifacts);
  if (current !== null) return current;
  throw new IssuerError({
    code: 'input_missing',
    message: 'No release has been published yet.',
    hint: 'Run `issuer nightly --source fixtures`.',
  });
}

function unknownRelease(name: string): IssuerError {
  return new IssuerError({
    code: 'input_missing',
    message: `There is no release ${name.slice(0, 64)}.`,
    hint: 'See which ones there are with `issuer release list`.',
  });
}

async function ownPublicKey(layout: DataLayout): Promise<string | null> {
  if (!existsSync(layout.signingKey)) return null;
  return (await openSigningKey({ path: layout.signingKey, files: realFiles() })).publicKey;
}

function usageError(error: CommanderError): IssuerError {
  // commander's last line is its suggestion
  const [message = '', ...more] = error.message.replace(/^error: /, '').split('\n');
  const suggestion = more.join(' ').replace(/[()]/g, '').trim();
  return new IssuerError({
    code: 'usage',
    message: `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, '')}.`,
    hint: suggestion === '' ? 'See `issuer --help`, or `--help` after a command.' : suggestion,
  });
}

function fail(error: IssuerError): number {
  const { exitCode, code, message, hint, details } = error.toCli();
  if (json) {
    process.stdout.write(
      `${canonicalJson({ level: 'error', code, exit_code: exitCode, message, hint, details } as CanonicalValue)}\n`,
    );
  } else {
    process.stderr.write(`\n✗ ${message}\n  ${hint}${hint === '' ? '' : '\n'}`);
  }
  return exitCode;
}

function print(text: string): void {
  process.stdout.write(text);
}

function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
