import type { DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';
import { plainName } from '../../../data/contract/values/printable.ts';
import { type Cell, insertRows } from '../build/insertRows.ts';
import { fingerprintOf, type Loaded, loadInput, type Refused, readText, refusedFile } from './inputFile.ts';

const inputPath = 'edgar/company_tickers_exchange.json';
const maxBytes = 64 * 1024 * 1024;

export const tickerTables = ['listed_ticker'] as const;

const file = z.object({ fields: z.array(z.string()), data: z.array(z.array(z.unknown())) });
const cikCell = z.union([z.number().int().min(0).max(9_999_999_999), z.string().regex(/^\d{1,10}$/)]);
const row = z.object({
  cik: cikCell.transform((cik) => String(cik).padStart(10, '0')),
  name: z.string(),
  ticker: z.string().min(1).max(32),
  exchange: z.string().nullable(),
});

/** Loads EDGAR's list of tickers and exchanges; a bad row is refused with its index. */
export async function loadTickers(connection: DuckDBConnection, path: string): Promise<Loaded> {
  return loadInput(connection, {
    name: inputPath,
    fingerprint: await fingerprintOf(path),
    tables: tickerTables,
    async read() {
      const { rows, refused } = parseTickers(path, await readText(path, maxBytes));
      return { refused, insert: () => insertRows(connection, { table: 'listed_ticker', rows }) };
    },
  });
}

/**
 * Reads `company_tickers_exchange.json` into the rows of table `listed_ticker`.
 *
 * @throws IssuerError `validation_failed` when the text is not of that shape.
 */
export function parseTickers(path: string, text: string): { rows: Cell[][]; refused: Refused[] } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw refusedFile(path, `is not JSON (${(error as Error).message})`);
  }
  const parsed = file.safeParse(json);
  if (!parsed.success) throw refusedFile(path, 'is not an object with fields and data');
  const { fields, data } = parsed.data;
  const absent = ['cik', 'name', 'ticker', 'exchange'].filter((name) => !fields.includes(name));
  if (absent.length > 0) throw refusedFile(path, `lacks the field ${absent.join(', ')}`);
  const rows: Cell[][] = [];
  const refused: Refused[] = [];
  data.forEach((cells, index) => {
    const entry = row.safeParse(Object.fromEntries(fields.map((name, i) => [name, cells[i]])));
    if (entry.success) {
      const { cik, ticker, name, exchange } = entry.data;
      rows.push([inputPath, cik, ticker, plainName(name), exchange]);
    } else {
      const [issue] = entry.error.issues;
      refused.push({ name: `${inputPath}[${index}]`, reason: `${issue?.path.join('.')}: ${issue?.message}` });
    }
  });
  return { rows, refused };
}
