import { join } from 'node:path';
import type { Command } from 'commander';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { dataLayout } from '../dataLayout.ts';
import { type CommandShell, shellCommand } from './commandShell.ts';

/** `issuer current-reports`. */
export function mountCurrentReportsCommand(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, {
    name: 'current-reports',
    description: 'what the current reports at hand state by these rules and words, without publishing it',
  })
    .option('--shadow', 'read and report alone', false)
    .option('--source <dir>', 'directory with edgar/current-reports; else what nights fetched from SEC')
    .addHelpText(
      'after',
      '\nNothing is written. Counts documents read, statements by form, kind and confidence, refusals by reason and exhibits ' +
        'that are not read by issuer, and names every statement that appears, vanishes or moves against the last night: what ' +
        'to look at before a changed word or rule goes into a release.\n\nExamples:\n' +
        '  issuer current-reports --shadow\n  issuer current-reports --shadow --source /srv/reports --json | jq .refused',
    )
    .action(async ({ data, source, shadow }: { data: string; source?: string; shadow: boolean }) => {
      if (!shadow) {
        throw new IssuerError({
          code: 'usage',
          message: 'issuer current-reports reads without publishing alone.',
          hint: 'Add --shadow; a night publishes what reports state (`issuer nightly`).',
        });
      }
      const { readShadow } = await import('../shadow/readShadow.ts');
      const layout = dataLayout(data);
      const found = await readShadow({
        source: source ?? join(layout.raw, 'edgar-source'),
        database: layout.database,
      });
      if (shell.json) return shell.printJson(found);
      const { shadowText } = await import('../shadow/shadowText.ts');
      shell.print(shadowText(found));
    });
}
