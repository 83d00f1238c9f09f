import type { Command } from 'commander';
import { IssuerError } from '../../contract/errors/issuerError.ts';
import { dataLayout } from '../nightly/dataLayout.ts';
import { examine } from '../nightly/doctor.ts';
import { type CommandShell, shellCommand } from './commandShell.ts';

/** `issuer doctor`. */
export function mountDoctorCommand(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, {
    name: 'doctor',
    description: 'check this machine and its data, and say what to do',
  }).action(async ({ data }: { data: string }) => {
    const checks = await examine({
      layout: dataLayout(data),
      contact: shell.environment['II_EDGAR_CONTACT'],
      nodeVersion: shell.nodeVersion,
    });
    for (const check of checks) {
      if (shell.json) {
        shell.printJson(check);
        continue;
      }
      const sign = { ok: '✓', note: '·', failing: '✗' }[check.status];
      shell.print(`${sign} ${check.name.padEnd(9)} ${check.detail}\n`);
      if (check.next !== null) shell.print(`            ${check.next}\n`);
    }
    const failing = checks.filter((check) => check.status === 'failing');
    if (failing.length === 0) return;
    throw new IssuerError({
      code: 'configuration',
      message: `This machine is not ready: ${failing.map((check) => check.name).join(', ')}.`,
      hint: 'Do what stands below each line marked ✗, then run `issuer doctor` again.',
    });
  });
}
