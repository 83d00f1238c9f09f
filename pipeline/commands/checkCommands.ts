import { join } from 'node:path';
import type { Command } from 'commander';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { type DataLayout, dataLayout } from '../dataLayout.ts';
import type { CheckedVersion } from '../modelCard/recordVersions.ts';
import { programRoot } from '../programRoot.ts';
import { type CommandShell, shellCommand, show } from './commandShell.ts';

/** `issuer doctor`. */
export function mountDoctorCommand(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, 'doctor')
    .option('--figures', 'list the figures of the current release to look at first, and why', false)
    .action(async ({ data, figures }: { data: string; figures: boolean }) => {
      if (figures) await showFigures(data, shell);
      else await showChecks(data, shell);
    });
}

async function showFigures(data: string, shell: CommandShell): Promise<void> {
  const { figuresText } = await import('../review/figuresText.ts');
  const { reviewFigures } = await import('../review/reviewFigures.ts');
  const figures = await reviewFigures(dataLayout(data));
  const flag = data === './data' ? '' : ` --data ${data}`;
  show(shell, figures, figuresText(figures, { flag }));
}

async function showChecks(data: string, shell: CommandShell): Promise<void> {
  const { examine } = await import('../nightly/doctor.ts');
  const checks = await examine({
    layout: dataLayout(data),
    environment: shell.environment,
    nodeVersion: shell.nodeVersion,
  });
  for (const check of checks) {
    const sign = { ok: '✓', note: '·', failing: '✗' }[check.status];
    const next = check.next === null ? '' : `            ${check.next}\n`;
    show(shell, check, `${sign} ${check.name.padEnd(9)} ${check.detail}\n${next}`);
  }
  const failing = checks.filter((check) => check.status === 'failing');
  if (failing.length === 0) return;
  throw new IssuerError({
    code: 'configuration',
    message: `This machine is not ready: ${failing.map((check) => check.name).join(', ')}.`,
    hint: 'Do what stands below each line marked ✗, then run `issuer doctor` again.',
  });
}

/** `issuer backtest`. */
export function mountBacktestCommand(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, 'backtest').action(async ({ data }: { data: string }) => {
    const { backtestDocument } = await import('../backtest/backtestDocument.ts');
    const { backtestJson } = await import('../backtest/backtestJson.ts');
    const { runBacktest } = await import('../backtest/runBacktest.ts');
    const report = await runBacktest({ databasePath: dataLayout(data).database });
    if (shell.json) shell.printJson(backtestJson(report));
    else shell.print(backtestDocument(report));
  });
}

/** `issuer record`. */
export function mountRecordCommand(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, 'record').action(async ({ data }: { data: string }) => {
    const { readRecord, recordDocument } = await import('../record/recordDocument.ts');
    const record = await readRecord(dataLayout(data).database);
    if (shell.json) shell.printJson(record);
    else shell.print(recordDocument(record));
  });
}

/** `issuer current-reports`. */
export function mountCurrentReportsCommand(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, 'current-reports')
    .option('--shadow', 'read and report alone', false)
    .option('--from <date>', 'fetch the current reports filed from that day on (needs II_EDGAR_CONTACT)')
    .option('--source <dir>', 'directory with edgar/current-reports; else what nights fetched from SEC')
    .action(async ({ data, source, shadow, from }: CurrentReportsFlags) => {
      const layout = dataLayout(data);
      if (from !== undefined && !shadow) return fetchPast(shell, { layout, from });
      if (!shadow || from !== undefined) {
        throw new IssuerError({
          code: 'usage',
          message: 'issuer current-reports either reads without publishing or fetches the past.',
          hint: 'Add --shadow, or --from with a day; a night publishes what reports state (`issuer nightly`).',
        });
      }
      const { readShadow, shadowText } = await import('../shadow/readShadow.ts');
      const found = await readShadow({
        source: source ?? join(layout.raw, 'edgar-source'),
        database: layout.database,
      });
      if (shell.json) return shell.printJson(found);
      shell.print(shadowText(found));
    });
}

type CurrentReportsFlags = {
  readonly data: string;
  readonly shadow: boolean;
  readonly source?: string;
  readonly from?: string;
};

async function fetchPast(
  shell: CommandShell,
  { layout, from }: { readonly layout: DataLayout; readonly from: string },
): Promise<void> {
  const { isCivilDate } = await import('../../data/contract/values/primitives.ts');
  if (!isCivilDate(from)) {
    throw new IssuerError({
      code: 'usage',
      message: `--from is a day, not ${from.slice(0, 40)}.`,
      hint: 'Write it as YYYY-MM-DD.',
    });
  }
  const { standIns } = await import('../fetch/http/baseAddress.ts');
  const { fetchPastReports } = await import('../nightly/edgarNights.ts');
  const { edgarUrl } = standIns(shell.environment);
  const found = await fetchPastReports({
    ...{ layout, from, contact: shell.environment['II_EDGAR_CONTACT'], signal: shell.signal },
    effects: shell.storeEffects(),
    ...(edgarUrl === undefined ? {} : { edgarUrl }),
  });
  if (shell.json) return shell.printJson(found);
  const { fetched, chosen, requests, bytes } = found;
  shell.print(
    `${fetched} of ${chosen} current reports are new (${bytes} bytes in ${requests} requests); the next night reads them\n`,
  );
}

/** `issuer registry check|record`. */
export function mountRegistryCommands(program: Command, shell: CommandShell): void {
  const registry = program.command('registry').description('versions of parameters, concepts and words');
  shellCommand(registry, shell, 'check').action(async () => {
    const { checkVersions } = await import('../modelCard/recordVersions.ts');
    const versions = await checkVersions(programRoot);
    printVersions(versions, shell);
    refuseChanged(versions);
    const fresh = versions.filter(({ status }) => status === 'new');
    if (fresh.length === 0) return;
    throw refusedVersions(
      `No hash is recorded of ${namedVersions(fresh)}.`,
      'Record it with `issuer registry record`.',
    );
  });
  shellCommand(registry, shell, 'record').action(async () => {
    const { checkVersions, recordVersions } = await import('../modelCard/recordVersions.ts');
    const versions = await checkVersions(programRoot);
    printVersions(versions, shell);
    refuseChanged(versions);
    await recordVersions({ root: programRoot, versions, files: shell.storeEffects().files });
  });
}

function printVersions(versions: readonly CheckedVersion[], shell: CommandShell): void {
  for (const version of versions) {
    const { part, version: name, status, hash } = version;
    if (shell.json) shell.printJson(version);
    else
      shell.print(`${name.padEnd(16)} ${part.padEnd(17)} ${status.padEnd(8)} sha256 ${hash.slice(0, 12)}\n`);
  }
}

function refuseChanged(versions: readonly CheckedVersion[]): void {
  const changed = versions.filter(({ status }) => status === 'changed');
  if (changed.length === 0) return;
  const files = [...new Set(changed.map(({ file }) => file))].join(' and ');
  throw refusedVersions(
    `${namedVersions(changed)} in ${files} is not what was recorded under that version.`,
    'Restore the values, or give them a new version there and run `issuer registry record`.',
  );
}

function namedVersions(versions: readonly CheckedVersion[]): string {
  return versions.map(({ part, version }) => `${version} (${part})`).join(', ');
}

function refusedVersions(message: string, hint: string): IssuerError {
  return new IssuerError({ code: 'validation_failed', message, hint });
}
