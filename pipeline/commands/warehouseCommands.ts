import { type Command, InvalidArgumentError, Option } from 'commander';
import { fitColumns } from '../../data/contract/commandLine/terminal.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { storeAddress } from '../../data/store/storeAddress.ts';
import { dataLayout } from '../dataLayout.ts';
import type { ExportTarget } from '../export/exportWarehouse.ts';
import type { QueryFormat } from '../query/runQuery.ts';
import type { TableFormat } from '../query/writeTable.ts';
import { type CommandShell, shellCommand } from './commandShell.ts';

const terminalRows = 100;

type QueryFlags = {
  data: string;
  file?: string;
  list: boolean;
  examples: boolean;
  example?: string;
  set: ReadonlyMap<string, string>;
  format: QueryFormat;
  vertical: boolean;
  limit?: string;
  output?: string;
  timeLimit: string;
};

/** `issuer query`. */
export function mountQueryCommand(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, 'query')
    .argument(
      '[sql]',
      'one statement that reads: SELECT, WITH, FROM, PIVOT, DESCRIBE, SUMMARIZE; - for standard input',
    )
    .option('-f, --file <file>', 'read the statement from a file')
    .option('-l, --list', 'list the views and what each holds', false)
    .option('--examples', 'list the questions of data/sql/examples', false)
    .option('--example <name>', 'ask one of them')
    .option(
      '--set <name=value>',
      'a value the statement reads with getvariable(name); may be repeated',
      variable,
      new Map(),
    )
    .addOption(
      new Option('--format <format>', 'how rows are printed')
        .choices(['table', 'vertical', 'markdown', 'csv', 'json', 'parquet', 'arrow'])
        .default('table'),
    )
    .option('-x, --vertical', 'one line a value, for rows of many columns', false)
    .option(
      '--limit <rows>',
      `show so many rows, 0 for all (default: ${terminalRows} on a terminal, else all)`,
    )
    .option('--output <file>', 'write there instead of printing; needed for parquet and arrow')
    .option('--timeout, --time-limit <seconds>', 'give up after that long', '60')
    .action(async (sql: string | undefined, flags: QueryFlags) => {
      const { runQuery } = await import('../query/runQuery.ts');
      if (flags.examples) return printExamples(shell);
      const format = flags.vertical
        ? 'vertical'
        : shell.json && flags.format === 'table'
          ? 'json'
          : flags.format;
      const isText = format === 'table' || format === 'vertical';
      const isRead = isText && shell.isTerminal && flags.output === undefined;
      await runQuery({
        databasePath: dataLayout(flags.data).database,
        sql: await askedText(sql, { flags, shell }),
        format,
        timeLimitMs: seconds(flags.timeLimit) * 1000,
        limit: rowLimit(flags.limit, isRead),
        variables: flags.set,
        grouped: isRead,
        // a program gets the bytes as they are, a terminal nothing that drives it
        write: isText || shell.isTerminal ? shell.print : shell.printData,
        notice: shell.notice,
        ...(flags.output === undefined ? {} : { output: flags.output }),
      });
    });
}

/** The statement of the command line: the list of views, a question of ours, or the reader's own. */
async function askedText(
  sql: string | undefined,
  { flags: { list, example, file }, shell }: { flags: QueryFlags; shell: CommandShell },
): Promise<string> {
  const { listViews } = await import('../query/runQuery.ts');
  const { questionNamed } = await import('../query/exampleQuestions.ts');
  const { queryText } = await import('../query/queryText.ts');
  if (list) return listViews;
  if (example === undefined) return queryText({ sql, file, stdin: shell.stdin });
  if (sql !== undefined || file !== undefined)
    throw new IssuerError({
      code: 'usage',
      message: 'A query is given twice, as an example and in its own words.',
      hint: 'Leave one of them out.',
    });
  const { sql: text, question, reading } = await questionNamed(example);
  // beside the answer, so that a table in a pipe stays a table
  if (shell.isTerminal) shell.print(fitColumns(`${question}\n${reading}\n\n`));
  return text;
}

async function printExamples(shell: CommandShell): Promise<void> {
  const { exampleQuestions } = await import('../query/exampleQuestions.ts');
  const questions = await exampleQuestions();
  if (shell.json) {
    for (const question of questions) shell.printJson(question);
    return;
  }
  const width = Math.max(...questions.map(({ name }) => name.length));
  const lines = questions.map(({ name, question }) => `${name.padEnd(width)}  ${question}`);
  shell.print(
    fitColumns(
      `${lines.join('\n')}\n\nissuer query --example <name> asks one; its statement is data/sql/examples/<name>.sql, to copy and change.\n`,
    ),
  );
}

function variable(text: string, known: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const [, name, value] = /^([a-z_]{1,40})=(.{0,200})$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('Give a name in lower case and a value: shock=40.');
  return new Map([...known, [name, value]]);
}

function seconds(text: string): number {
  const value = Number(text);
  if (value > 0 && value <= 86_400) return value;
  throw new IssuerError({
    code: 'usage',
    message: `--timeout ${text.slice(0, 40)} is not a number of seconds.`,
    hint: 'Give a number between 0 and 86400.',
  });
}

function rowLimit(text: string | undefined, isCut: boolean): number | null {
  if (text === undefined) return isCut ? terminalRows : null;
  if (/^\d{1,9}$/.test(text)) return Number(text) === 0 ? null : Number(text);
  throw new IssuerError({
    code: 'usage',
    message: `--limit ${text.slice(0, 40)} is not a number of rows.`,
    hint: 'Give a whole number, 0 for all rows.',
  });
}

/** `issuer export`. */
export function mountExportCommand(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, 'export')
    .requiredOption(
      '--to <target>',
      'a directory that is empty, not there yet or an earlier export; or s3://bucket/prefix with nothing below it',
      (text: string) => {
        if (text.trim() === '') throw new InvalidArgumentError('Name a directory or s3://bucket/prefix.');
        return text;
      },
    )
    .addOption(
      new Option(
        '--format <format>',
        'of the files: parquet for DuckDB, Spark or Trino; arrow (IPC) for pandas, Polars or R; csv',
      )
        .choices(Object.keys(formatNames))
        .default('parquet'),
    )
    .action(async ({ data, to, format }: { data: string; to: string; format: TableFormat }) => {
      const { exportWarehouse } = await import('../export/exportWarehouse.ts');
      const manifest = await exportWarehouse({
        layout: dataLayout(data),
        target: await targetOf(to, shell),
        format,
        effects: shell.storeEffects(),
        signal: shell.signal,
      });
      const { views } = manifest;
      if (shell.json) {
        for (const { columns: _, ...view } of views) shell.printJson(view);
        return;
      }
      const rows = views.reduce((sum, view) => sum + view.rows, 0);
      const bytes = views.reduce((sum, view) => sum + view.bytes, 0);
      shell.print(
        fitColumns(
          `${views.length} views, ${rows} rows, ${bytes} bytes of ${formatNames[format]} lie in ${to}.\n`,
        ),
      );
    });
}

const formatNames = { parquet: 'Parquet', arrow: 'Arrow', csv: 'CSV' } as const satisfies Record<
  TableFormat,
  string
>;

async function targetOf(to: string, { environment, signal }: CommandShell): Promise<ExportTarget> {
  const { openStore } = await import('../../data/store/openStore.ts');
  const address = storeAddress(to);
  if (address.kind === 'directory') return { kind: 'directory', directory: address.root };
  return { kind: 'store', store: openStore({ address: to, environment, signal }) };
}
