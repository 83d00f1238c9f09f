import { type Command, InvalidArgumentError, Option } from 'commander';
import { fitColumns } from '../../data/contract/commandLine/terminal.ts';
import { storeAddress } from '../../data/store/openStore.ts';
import { dataLayout } from '../dataLayout.ts';
import type { ExportTarget } from '../export/exportWarehouse.ts';
import type { TableFormat } from '../query/writeTable.ts';
import { type CommandShell, shellCommand } from './commandShell.ts';

/** `issuer export`. */
export function mountExportCommand(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, {
    name: 'export',
    description: 'write the warehouse as Parquet, Arrow or CSV, one file a view',
  })
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
    .addHelpText(
      'after',
      '\nOne file a view, sorted by cik, with manifest.json: rows, hashes, columns and their meaning. All are of the last ' +
        'complete build. A directory appears whole or not at all; in a bucket the manifest comes last, and ' +
        'credentials come from AWS_* variables.\n\nExit codes: 0 written; 2 the target holds something else; 3 no ' +
        'warehouse; 75 it is locked.\n\nExamples:\n' +
        '  issuer export --to /srv/analysts/warehouse\n' +
        '  issuer export --to s3://bucket/warehouse/2026-02-07\n' +
        '  issuer export --to /srv/analysts/arrow --format arrow\n' +
        '  duckdb -c "select ticker, stress_50pct from \'/srv/analysts/warehouse/latest.parquet\'"',
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
