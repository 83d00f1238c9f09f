import { CsvError, parse } from 'csv-parse/sync';
import { refusedFile } from './inputFile.ts';

/** One record of a CSV file with the line it ends on. */
export type CsvRecord = { readonly line: number; readonly cells: Readonly<Record<string, string>> | null };

/**
 * Parses a CSV text with a header line; a record with another number of cells comes back with `cells` null.
 *
 * @throws IssuerError `validation_failed` for broken quoting or a header that lacks a column.
 */
export function csvRecords({
  path,
  text,
  columns,
}: {
  readonly path: string;
  readonly text: string;
  readonly columns: readonly string[];
}): CsvRecord[] {
  let records: { record: string[]; info: { lines: number } }[];
  try {
    records = parse(text, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: 65_536,
    }) as unknown as typeof records;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refusedFile(path, `is not CSV: ${error.message}`);
  }
  const header = records[0]?.record ?? [];
  const absent = columns.filter((name) => !header.includes(name));
  if (absent.length > 0) throw refusedFile(path, `lacks the column ${absent.join(', ')}`);
  return records.slice(1).map(({ record, info }) => ({
    line: info.lines,
    cells:
      record.length === header.length
        ? Object.fromEntries(header.map((name, i) => [name, (record[i] ?? '').trim()]))
        : null,
  }));
}
