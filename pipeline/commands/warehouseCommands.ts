import { type Command, Option } from 'commander';
import { IssuerError } from '../../contract/errors/issuerError.ts';
import { backtestDocument } from '../backtest/backtestDocument.ts';
import { backtestJson } from '../backtest/backtestJson.ts';
import { runBacktest } from '../backtest/runBacktest.ts';
import { explainIssuer } from '../explain/explainIssuer.ts';
import { dataLayout } from '../nightly/dataLayout.ts';
import { type QueryFormat, runQuery } from '../query/runQuery.ts';
import { type CommandShell, shellCommand } from './commandShell.ts';

/** `issuer query`, `issuer explain` and `issuer backtest`: what reads the warehouse. */
export function mountWarehouseCommands(program: Command, shell: CommandShell): void {
  addQuery(program, shell);
  addExplain(program, shell);
  addBacktest(program, shell);
}

function addQuery(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, { name: 'query', description: 'ask the warehouse in SQL, read-only' })
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
      async (
        sql: string,
        {
          data,
          format,
          output,
          timeLimit,
        }: { data: string; format: QueryFormat; output?: string; timeLimit: string },
      ) => {
        const seconds = Number(timeLimit);
        if (!(seconds > 0 && seconds <= 86_400)) {
          throw new IssuerError({
            code: 'usage',
            message: `--time-limit ${timeLimit.slice(0, 40)} is not a number of seconds.`,
            hint: 'Give a number between 0 and 86400.',
          });
        }
        await runQuery({
          databasePath: dataLayout(data).database,
          sql,
          format: shell.json && format === 'table' ? 'json' : format,
          timeLimitMs: seconds * 1000,
          write: shell.print,
          ...(output === undefined ? {} : { output }),
        });
      },
    );
}

function addExplain(program: Command, shell: CommandShell): void {
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
    .addHelpText(
      'after',
      '\nThe tree goes from the ratio to debt and coins, to each concept that counts, to the fact with its accession\n' +
        'number. Below each total stands every step of its ladder and why it was taken or not.\n\nExamples:\n' +
        '  issuer explain MSTR\n  issuer explain FLD --period 2025-09-30 --json\n' +
        '  issuer query "select * from debt_resolution where ticker = \'MSTR\'"',
    )
    .action(
      async (
        label: string,
        { data, period, sourceDate }: { data: string; period?: string; sourceDate?: string },
      ) => {
        const text = await explainIssuer({
          databasePath: dataLayout(data).database,
          label,
          period: period ?? null,
          sourceDate: sourceDate ?? null,
          format: shell.json ? 'json' : 'text',
        });
        shell.print(text);
      },
    );
}

function addBacktest(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, {
    name: 'backtest',
    description: 'compare tiers as they were known with events that came later',
  })
    .addHelpText(
      'after',
      '\nEvents and their sources are data/registry/events.csv; where the warehouse has no row of an issuer and period,\n' +
        'the reference cases of data/registry/reference-cases.csv stand in, marked. Prints a document; nothing is written.\n\nExamples:\n' +
        '  issuer backtest > BACKTEST.md\n  issuer backtest --json | jq .assessments',
    )
    .action(async ({ data }: { data: string }) => {
      const report = await runBacktest({ databasePath: dataLayout(data).database });
      if (shell.json) shell.printJson(backtestJson(report));
      else shell.print(backtestDocument(report));
    });
}
