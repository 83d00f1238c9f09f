import type { Command } from 'commander';
import { dataLayout } from '../dataLayout.ts';
import { type CommandShell, shellCommand } from './commandShell.ts';

/** `issuer explain`. */
export function mountExplainCommand(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, {
    name: 'explain',
    description: 'walk from an issuer’s ratio back to the filed facts behind it',
  })
    .argument('<issuer>', 'ticker, former ticker or CIK')
    .option('--period <day>', 'balance-sheet date (default: that of the newest slice)')
    .option(
      '--source-date <day>',
      'as the slice of that day or the last before it said (default: the newest)',
    )
    .option('--facilities', 'the loans that coins secure instead: amount, coins, trigger, call price, facts')
    .option(
      '--capital',
      'the capital structure instead: notes and loans, dues, claims, shares, cash, coins, facts',
    )
    .addHelpText(
      'after',
      '\nThe tree goes from the ratio to debt and coins, to each concept that counts, to the fact with its accession ' +
        'number. Below each total stands every step of its ladder and why it was taken or not.\n\nExamples:\n' +
        '  issuer explain MSTR\n  issuer explain FLD --period 2025-09-30 --json\n' +
        '  issuer explain KULR --facilities\n  issuer explain MSTR --capital\n' +
        '  issuer query "select * from debt_resolution where ticker = \'MSTR\'"',
    )
    .action(
      async (
        label: string,
        {
          data,
          period,
          sourceDate,
          facilities,
          capital,
        }: { data: string; period?: string; sourceDate?: string; facilities?: boolean; capital?: boolean },
      ) => {
        const { explainIssuer } = await import('../explain/explainIssuer.ts');
        const text = await explainIssuer({
          databasePath: dataLayout(data).database,
          label,
          period: period ?? null,
          sourceDate: sourceDate ?? null,
          of: capital === true ? 'capital' : facilities === true ? 'facilities' : 'ratio',
          format: shell.json ? 'json' : 'text',
        });
        if (shell.json) shell.printData(text);
        else shell.print(text);
      },
    );
}
