import { CsvError, parse } from 'csv-parse/sync';
import { refusedFile } from './inputFile.ts';

const maxRecordSize = 65_536;

type ReadRecord = { readonly record: readonly string[]; readonly info: { readonly lines: number } };

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
  const records = plainRecords(text) ?? quotedRecords(path, text);
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

/** Records of a text without quotes, whose lines end with a line feed; null for any other, which the parser reads. */
function plainRecords(text: string): ReadRecord[] | null {
  if (/["\r\uFEFF]/.test(text)) return null;
  const lines = text.split('\n');
  // the parser counts bytes
  if (lines.some(({ length }) => length * 3 >= maxRecordSize)) return null;
  return lines.flatMap((line, i) =>
    line === '' ? [] : [{ record: line.split(','), info: { lines: i + 1 } }],
  );
}

function quotedRecords(path: string, text: string): ReadRecord[] {
  try {
    return parse(text, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: maxRecordSize,
    }) as unknown as ReadRecord[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refusedFile(path, `is not CSV: ${error.message}`);
  }
}
