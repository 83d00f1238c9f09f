import type { Command } from 'commander';
import { fitColumns } from '../../data/contract/commandLine/terminal.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { dataLayout } from '../dataLayout.ts';
import type { StoreEffects } from '../effects.ts';
import { programRoot } from '../programRoot.ts';
import { type CommandShell, shellCommand } from './commandShell.ts';

/** `issuer nightly`. */
export function mountNightlyCommand(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, {
    name: 'nightly',
    description: 'read the night’s inputs, compute the slice and publish its release',
  })
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
    .addHelpText(
      'after',
      '\nA step whose inputs are unchanged is skipped and says why; after a crash the same command goes on where it ' +
        'stopped. A night that fails leaves the promoted release untouched.\n\nExamples:\n' +
        '  issuer nightly --source fixtures\n  issuer nightly --source ./drop --date 2025-11-19 --data /srv/issuer\n' +
        '  II_EDGAR_CONTACT="Jane Roe jane@fund.com" issuer nightly',
    )
    .action(async (flags: NightlyFlags) => {
      const { withPublishing } = await import('../stores/withPublishing.ts');
      const effects = shell.storeEffects();
      const publishing = {
        layout: dataLayout(flags.data),
        environment: shell.environment,
        effects,
        signal: shell.signal,
      };
      const night = (restored: readonly string[]) => runAndAudit(flags, { shell, effects, restored });
      await (flags.dryRun ? night([]) : withPublishing(publishing, night));
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
  const { noteFinding } = await import('../nightly/lastRun.ts');
  const { runNightly } = await import('../nightly/runNightly.ts');
  const { summarizeNight, summaryText } = await import('../nightly/summary/nightSummary.ts');
  const { keepFigures } = await import('../review/keepFigures.ts');
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
  if (shell.json) shell.printJson({ ...summary, releases });
  else shell.print(fitColumns(summaryText(summary, { data: data === './data' ? null : data })));
  if (degraded !== null) {
    await noteFinding({ paths: dataLayout(data).artifacts, finding: degraded.message, effects });
    throw degraded;
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
