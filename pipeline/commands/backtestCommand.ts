import type { Command } from 'commander';
import { dataLayout } from '../dataLayout.ts';
import { type CommandShell, shellCommand } from './commandShell.ts';

/** `issuer backtest`. */
export function mountBacktestCommand(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, {
    name: 'backtest',
    description: 'compare tiers as they were known with events that came later',
  })
    .addHelpText(
      'after',
      '\nEvents and their sources are data/registry/events.csv; where the warehouse has no row of an issuer and period, ' +
        'the reference cases of data/registry/reference-cases.csv stand in, marked. Prints a document; nothing is written.\n\nExamples:\n' +
        '  issuer backtest > BACKTEST.md\n  issuer backtest --json | jq .assessments',
    )
    .action(async ({ data }: { data: string }) => {
      const { backtestDocument } = await import('../backtest/backtestDocument.ts');
      const { backtestJson } = await import('../backtest/backtestJson.ts');
      const { runBacktest } = await import('../backtest/runBacktest.ts');
      const report = await runBacktest({ databasePath: dataLayout(data).database });
      if (shell.json) shell.printJson(backtestJson(report));
      else shell.print(backtestDocument(report));
    });
}
