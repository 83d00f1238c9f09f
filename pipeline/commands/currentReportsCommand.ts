import { join } from 'node:path';
import type { Command } from 'commander';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { type DataLayout, dataLayout } from '../dataLayout.ts';
import { type CommandShell, shellCommand } from './commandShell.ts';

/** `issuer current-reports`. */
export function mountCurrentReportsCommand(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, {
    name: 'current-reports',
    description: 'what current reports state, without publishing it; those of the past fetched from SEC',
  })
    .option('--shadow', 'read and report alone', false)
    .option('--from <date>', 'fetch the current reports filed from that day on (needs II_EDGAR_CONTACT)')
    .option('--source <dir>', 'directory with edgar/current-reports; else what nights fetched from SEC')
    .addHelpText(
      'after',
      '\nWith --shadow nothing is written. Counts documents read, statements by form, kind and confidence, refusals by reason and exhibits ' +
        'that are not read by issuer, and names every statement that appears, vanishes or moves against the last night: what ' +
        'to look at before a changed word or rule goes into a release.\n\nExamples:\n' +
        '  issuer current-reports --from 2024-01-01\n  issuer current-reports --shadow\n  issuer current-reports --shadow --source /srv/reports --json | jq .refused',
    )
    .action(async ({ data, source, shadow, from }: Options) => {
      const layout = dataLayout(data);
      if (from !== undefined && !shadow) return fetchPast(shell, { layout, from });
      if (!shadow || from !== undefined) {
        throw new IssuerError({
          code: 'usage',
          message: 'issuer current-reports either reads without publishing or fetches the past.',
          hint: 'Add --shadow, or --from with a day; a night publishes what reports state (`issuer nightly`).',
        });
      }
      const { readShadow } = await import('../shadow/readShadow.ts');
      const found = await readShadow({
        source: source ?? join(layout.raw, 'edgar-source'),
        database: layout.database,
      });
      if (shell.json) return shell.printJson(found);
      const { shadowText } = await import('../shadow/shadowText.ts');
      shell.print(shadowText(found));
    });
}

type Options = {
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
  const { fetchPastReports } = await import('../nightly/fetchPastReports.ts');
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
