import { basename } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type CloseBounds, implausibleCloses } from '../../../calculators/prices/implausibleCloses.ts';
import { isCivilDate } from '../../../data/contract/values/primitives.ts';
import { plainName } from '../../../data/contract/values/printable.ts';
import { insertRows } from '../build/insertRows.ts';
import { readRows } from '../build/readRows.ts';
import { selectPrices } from '../select/selectPrices.ts';
import { csvRecords } from './csvRecords.ts';
import {
  fingerprintOf,
  type KnownInputs,
  type Loaded,
  loadInput,
  type Refused,
  readText,
  refusedFile,
} from './inputFile.ts';
import { fileByFile, type InputReport, type LoadRequest } from './inputLoader.ts';

export const priceTables = ['price_close'] as const;

const decimal = /^\d+(\.\d+)?([eE][+-]?\d{1,3})?$/;
const maxBytes = 64 * 1024 * 1024;

type Close = {
  readonly date: string;
  readonly asset: string;
  readonly close: number;
  readonly source: string;
  /** What may be done with it; null where the table has no such column, or says nothing. */
  readonly licence: string | null;
};

/** Loads every table of daily closes, and says which closes are not plausible (M2.13b). */
export async function loadPrices(request: LoadRequest): Promise<InputReport> {
  const { connection, closeBounds } = request;
  const report = await fileByFile((_, path, known) =>
    loadPriceFile(connection, { path, closeBounds, known }),
  )(request);
  const implausible = await refuseCloses(connection, closeBounds);
  return { ...report, refused: [...report.refused, ...implausible] };
}

/**
 * Loads one table of daily closes `<ASSET>.csv` (columns date, asset, close, source).
 *
 * A row that is not a close is refused with its file and line; the others are loaded (M2.13). A table without a close,
 * or one that rewrites the closes it gave before, is refused whole and keeps them (M2.13b).
 */
export async function loadPriceFile(
  connection: DuckDBConnection,
  {
    path,
    closeBounds,
    known,
  }: {
    readonly path: string;
    readonly closeBounds: CloseBounds | null;
    readonly known?: KnownInputs | undefined;
  },
): Promise<Loaded> {
  const name = `prices/${basename(path)}`;
  const read = async () => {
    const text = await readText(path, maxBytes);
    const { closes, refused } = parseCloses({ path, name, text });
    if (closes.length === 0) throw refusedFile(path, `holds no close that can be used${firstOf(refused)}`);
    if (closeBounds !== null) await refuseRewritten(closes, { connection, name, path, closeBounds });
    const rows = closes.map((c) => [name, c.date, c.asset, c.close, c.source]);
    return { refused, insert: () => insertRows(connection, { table: 'price_close', rows }) };
  };
  const file = { name, fingerprint: await fingerprintOf(path), tables: priceTables, read };
  return loadInput(connection, file, known);
}

function firstOf([first]: readonly Refused[]): string {
  return first === undefined ? '' : `: ${first.name} ${first.reason}`;
}

/** @throws IssuerError `validation_failed` when too many closes that were read before are others now. */
async function refuseRewritten(
  closes: readonly Close[],
  table: { connection: DuckDBConnection; name: string; path: string; closeBounds: CloseBounds },
): Promise<void> {
  const { connection, name, path, closeBounds } = table;
  const rows = await readRows<Pick<Close, 'date' | 'source' | 'close'>>(
    connection,
    "SELECT strftime(date, '%Y-%m-%d') AS date, source, close FROM price_close WHERE input = $name",
    { name },
  );
  const before = new Map(rows.map(({ date, source, close }) => [`${date} ${source}`, close]));
  const known = closes.flatMap(({ date, source, close }) => {
    const held = before.get(`${date} ${source}`);
    return held === undefined ? [] : [{ date, source, close, held }];
  });
  const rewritten = known.filter(
    ({ close, held }) => Math.max(close / held, held / close) > closeBounds.sourceFactor,
  );
  const [first] = rewritten;
  if (first === undefined || rewritten.length <= known.length * closeBounds.restatedShare) return;
  throw refusedFile(
    path,
    `gives ${rewritten.length} of ${known.length} closes another value than before, that of ${first.date} from ` +
      `${first.source} ${first.close} instead of ${first.held}`,
  );
}

/**
 * Reads the rows of one table of daily closes; `name` stands in the reasons.
 *
 * @param subject column that names what the closes are of
 */
export function parseCloses(input: {
  readonly path: string;
  readonly name: string;
  readonly text: string;
  readonly subject?: 'asset' | 'ticker';
}): {
  closes: Close[];
  refused: Refused[];
} {
  const asset = basename(input.path, '.csv');
  const subject = input.subject ?? 'asset';
  const refused: Refused[] = [];
  const seen = new Map<string, Close>();
  for (const { line, cells } of csvRecords({
    ...input,
    columns: ['date', subject, 'close', 'source'],
  })) {
    const refuse = (reason: string) => refused.push({ name: `${input.name}:${line}`, reason });
    if (cells === null) {
      refuse('has another number of cells than the header');
      continue;
    }
    const row = {
      date: cells['date'] ?? '',
      asset: cells[subject] ?? '',
      close: decimal.test(cells['close'] ?? '') ? Number(cells['close']) : Number.NaN,
      source: cells['source'] ?? '',
      licence: licenceOf(cells['licence']),
    };
    const key = `${row.date} ${row.source}`;
    const earlier = seen.get(key);
    if (!isCivilDate(row.date)) refuse(`date ${quote(row.date)} is not a day YYYY-MM-DD`);
    else if (row.asset !== asset)
      refuse(`${subject} ${quote(row.asset)} is not ${asset}, the name of the file`);
    else if (!(row.close > 0 && Number.isFinite(row.close))) {
      refuse(`close ${quote(cells['close'] ?? '')} is not a number above zero`);
    } else if (!/^[a-z0-9_.-]{1,64}$/i.test(row.source)) refuse(`source ${quote(row.source)} is not a name`);
    else if (earlier !== undefined && earlier.close !== row.close) {
      refuse(`close ${row.close} differs from ${earlier.close}, given before for the same day and source`);
    } else seen.set(key, row);
  }
  return { closes: [...seen.values()], refused };
}

function licenceOf(text = ''): string | null {
  const licence = plainName(text).slice(0, 200);
  return licence === '' ? null : licence;
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 40));
}

/**
 * Judges every close the build holds and keeps those that are not plausible apart: no figure uses them (M2.13b). Rows as
 * they were filed stay, so that other bounds judge the same closes.
 *
 * @param bounds null takes all closes as they are
 */
export async function refuseCloses(
  connection: DuckDBConnection,
  bounds: CloseBounds | null,
): Promise<Refused[]> {
  await connection.run('DELETE FROM close_refused');
  if (bounds === null) return [];
  const refused = implausibleCloses(await selectPrices(connection, { upTo: '9999-12-31' }), bounds);
  await insertRows(connection, {
    table: 'close_refused',
    rows: refused.map(({ date, asset, close, source, reason }) => [date, asset, close, source, reason]),
  });
  return refused.map(({ date, asset, close, source, reason }) => ({
    name: `prices/${asset}.csv`,
    reason: `the ${asset} close ${close} of ${date} from ${source} ${reason}`,
  }));
}
