import { type Command, Option } from 'commander';
import { IssuerError } from '../../contract/errors/issuerError.ts';
import { dataLayout } from '../nightly/dataLayout.ts';
import { type QueryFormat, runQuery } from '../query/runQuery.ts';
import { type CommandShell, shellCommand } from './commandShell.ts';

/** `issuer query`. */
export function mountQueryCommand(program: Command, shell: CommandShell): void {
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
