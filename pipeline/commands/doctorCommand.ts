import type { Command } from 'commander';
import { fitColumns } from '../../data/contract/commandLine/terminal.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { dataLayout } from '../dataLayout.ts';
import { type CommandShell, shellCommand } from './commandShell.ts';

/** `issuer doctor`. */
export function mountDoctorCommand(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, {
    name: 'doctor',
    description: 'check this machine and its data, and say what to do',
  })
    .option('--figures', 'list the figures of the current release to look at first, and why', false)
    .addHelpText(
      'after',
      '\nWith --figures nothing is computed again: rival totals, residuals, implied interest, breaks of method and jumps ' +
        'come from the rows and trails of the last build, those that could give another tier first.\n\nExamples:\n' +
        '  issuer doctor\n  issuer doctor --figures\n  issuer doctor --figures --json | jq .doubts[0]',
    )
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
  if (shell.json) shell.printJson(figures);
  else shell.print(fitColumns(figuresText(figures, { flag })));
}

async function showChecks(data: string, shell: CommandShell): Promise<void> {
  const { examine } = await import('../nightly/doctor.ts');
  const checks = await examine({
    layout: dataLayout(data),
    environment: shell.environment,
    nodeVersion: shell.nodeVersion,
  });
  for (const check of checks) {
    if (shell.json) {
      shell.printJson(check);
      continue;
    }
    const sign = { ok: '✓', note: '·', failing: '✗' }[check.status];
    shell.print(fitColumns(`${sign} ${check.name.padEnd(9)} ${check.detail}\n`));
    if (check.next !== null) shell.print(fitColumns(`            ${check.next}\n`));
  }
  const failing = checks.filter((check) => check.status === 'failing');
  if (failing.length === 0) return;
  throw new IssuerError({
    code: 'configuration',
    message: `This machine is not ready: ${failing.map((check) => check.name).join(', ')}.`,
    hint: 'Do what stands below each line marked ✗, then run `issuer doctor` again.',
  });
}
