import { basename } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { isCivilDate } from '../../../contract/values/primitives.ts';
import { insertRows } from '../build/insertRows.ts';
import { csvRecords } from './csvRecords.ts';
import { fingerprintOf, type Loaded, loadInput, type Refused, readText } from './inputFile.ts';

const columns = { input: 'VARCHAR', date: 'DATE', asset: 'VARCHAR', close: 'DOUBLE', source: 'VARCHAR' };
export const priceTables = ['price_close'] as const;

const decimal = /^\d+(\.\d+)?([eE][+-]?\d{1,3})?$/;
const maxBytes = 64 * 1024 * 1024;

type Close = {
  readonly date: string;
  readonly asset: string;
  readonly close: number;
  readonly source: string;
};

/**
 * Loads one table of daily closes `<ASSET>.csv` (columns date, asset, close, source).
 *
 * A row that is not a close is refused with its file and line; the others are loaded (M2.13).
 */
export async function loadPrices(connection: DuckDBConnection, path: string): Promise<Loaded> {
  const name = `prices/${basename(path)}`;
  return loadInput(connection, {
    name,
    fingerprint: await fingerprintOf(path),
    tables: priceTables,
    async read() {
      const text = await readText(path, maxBytes);
      const { closes, refused } = parseCloses({ path, name, text });
      const rows = closes.map((c) => [name, c.date, c.asset, c.close, c.source]);
      return { refused, insert: () => insertRows(connection, { table: 'price_close', columns, rows }) };
    },
  });
}

/** Reads the rows of one table of daily closes; `name` stands in the reasons. */
export function parseCloses(input: { readonly path: string; readonly name: string; readonly text: string }): {
  closes: Close[];
  refused: Refused[];
} {
  const asset = basename(input.path, '.csv');
  const refused: Refused[] = [];
  const seen = new Map<string, Close>();
  for (const { line, cells } of csvRecords({ ...input, columns: ['date', 'asset', 'close', 'source'] })) {
    const refuse = (reason: string) => refused.push({ name: `${input.name}:${line}`, reason });
    if (cells === null) {
      refuse('has another number of cells than the header');
      continue;
    }
    const row = {
      date: cells['date'] ?? '',
      asset: cells['asset'] ?? '',
      close: decimal.test(cells['close'] ?? '') ? Number(cells['close']) : Number.NaN,
      source: cells['source'] ?? '',
    };
    const key = `${row.date} ${row.source}`;
    const earlier = seen.get(key);
    if (!isCivilDate(row.date)) refuse(`date ${quote(row.date)} is not a day YYYY-MM-DD`);
    else if (row.asset !== asset) refuse(`asset ${quote(row.asset)} is not ${asset}, the name of the file`);
    else if (!(row.close > 0 && Number.isFinite(row.close))) {
      refuse(`close ${quote(cells['close'] ?? '')} is not a number above zero`);
    } else if (!/^[a-z0-9_.-]{1,64}$/i.test(row.source)) refuse(`source ${quote(row.source)} is not a name`);
    else if (earlier !== undefined && earlier.close !== row.close) {
      refuse(`close ${row.close} differs from ${earlier.close}, given before for the same day and source`);
    } else seen.set(key, row);
  }
  return { closes: [...seen.values()], refused };
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 40));
}
