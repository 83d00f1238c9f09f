import type { DuckDBConnection } from '@duckdb/node-api';
import { accessionPattern, isCivilDate } from '../../../data/contract/values/primitives.ts';
import { type Cell, insertRows } from '../build/insertRows.ts';
import { csvRecords } from './csvRecords.ts';
import { fingerprintOf, type Loaded, loadInput, type Refused, readText } from './inputFile.ts';

const inputPath = 'edgar/instances/index.csv';
const maxBytes = 64 * 1024 * 1024;

export const instanceTables = ['instance_filing'] as const;

/**
 * Loads the index of extracted instances; a bad row is refused with its line.
 *
 * A row without a filing date lists its filing only; a date whose `filed_source` says estimate is marked (M1.44b). The column `accn_status` (PLACEHOLDER or anything else) decides over the prefix of the accession (M1.45).
 */
export async function loadInstanceIndex(connection: DuckDBConnection, path: string): Promise<Loaded> {
  return loadInput(connection, {
    name: inputPath,
    fingerprint: await fingerprintOf(path),
    tables: instanceTables,
    async read() {
      const { rows, refused } = parseInstanceIndex(path, await readText(path, maxBytes));
      return { refused, insert: () => insertRows(connection, { table: 'instance_filing', rows }) };
    },
  });
}

/** Reads the rows of the instance index, in the order of table `instance_filing`. */
export function parseInstanceIndex(path: string, text: string): { rows: Cell[][]; refused: Refused[] } {
  const rows: Cell[][] = [];
  const refused: Refused[] = [];
  for (const { line, cells } of csvRecords({
    path,
    text,
    columns: ['file', 'cik', 'form', 'accn', 'filed'],
  })) {
    const cell = (name: string) => cells?.[name] ?? '';
    const problem =
      cells === null
        ? 'has another number of cells than the header'
        : !/^\d{1,10}$/.test(cell('cik'))
          ? 'cik is not a number of at most ten digits'
          : !accessionPattern.test(cell('accn'))
            ? 'accn is not an accession number'
            : cell('filed') !== '' && !isCivilDate(cell('filed'))
              ? 'filed is not a day YYYY-MM-DD'
              : cell('period') !== '' && !isCivilDate(cell('period'))
                ? 'period is not a day YYYY-MM-DD'
                : cell('form') === ''
                  ? 'form is empty'
                  : null;
    if (problem !== null) {
      refused.push({ name: `${inputPath}:${line}`, reason: problem });
      continue;
    }
    const status = cell('accn_status').toLowerCase();
    rows.push([
      inputPath,
      cell('cik').padStart(10, '0'),
      cell('accn'),
      status === '' ? null : status === 'placeholder' ? 'placeholder' : 'filed',
      cell('form'),
      cell('period') || null,
      cell('filed') || null,
      /estimate/i.test(cell('filed_source')),
      cell('file'),
      cell('primary_document') || null,
    ]);
  }
  return { rows, refused };
}
