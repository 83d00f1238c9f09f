import { readFile, stat } from 'node:fs/promises';
import type { PriceRow } from '../../../calculators/filing/rows.ts';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { compareText } from '../../../data/contract/values/compareText.ts';
import { isCivilDate } from '../../../data/contract/values/primitives.ts';
import { storeText } from '../store/storeText.ts';
import { errnoOf } from '../store/storeUnwritable.ts';

const header = 'date,asset,close,source';
const maxFileBytes = 64 << 20;

/** A row as it stands in the file: its text is kept, so merging never rewrites a stored digit. */
export type StoredPrice = {
  readonly date: string;
  readonly source: string;
  readonly close: string;
  readonly line: string;
};

/** A fetched close that contradicts the stored one of the same day and source. */
export type PriceConflict = { readonly date: string; readonly stored: string; readonly fetched: string };

/**
 * Reads `prices/<ASSET>.csv` (`date,asset,close,source`); a missing file has no rows.
 *
 * @throws IssuerError `validation_failed` naming the line that is not a row.
 */
export async function readPriceFile(path: string): Promise<readonly StoredPrice[]> {
  let text: string;
  try {
    if ((await stat(path)).size > maxFileBytes) throw damaged(path, `is larger than ${maxFileBytes} bytes`);
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
  const [first, ...lines] = text.split(/\r?\n/);
  if (first !== header) throw damaged(path, `does not begin with ${header}`);
  if (lines.at(-1) === '') lines.pop();
  return lines.map(
    (line, i) => storedPrice(line) ?? fail(damaged(path, `has no price row in line ${i + 2}`)),
  );
}

/**
 * Adds fetched rows to a file, by date; a stored close stays as it is and a differing fetched one is
 * returned as a conflict. The file is replaced atomically, and only when a row was added.
 */
export async function mergePriceFile({
  path,
  stored,
  fetched,
}: {
  path: string;
  stored: readonly StoredPrice[];
  fetched: readonly PriceRow[];
}): Promise<{ added: number; unchanged: number; conflicts: PriceConflict[] }> {
  const byKey = new Map(stored.map((row) => [`${row.date} ${row.source}`, row]));
  const additions: StoredPrice[] = [];
  const conflicts: PriceConflict[] = [];
  let unchanged = 0;
  for (const row of fetched) {
    const stored = byKey.get(`${row.date} ${row.source}`);
    if (stored === undefined) {
      const close = decimalText(row.close);
      additions.push({ ...row, close, line: `${row.date},${row.asset},${close},${row.source}` });
    } else if (Number(stored.close) === row.close) {
      unchanged += 1;
    } else {
      conflicts.push({ date: row.date, stored: stored.close, fetched: decimalText(row.close) });
    }
  }
  if (additions.length > 0) {
    const rows = [...stored, ...additions];
    rows.sort((a, b) => compareText(a.date, b.date));
    await storeText(path, `${[header, ...rows.map((row) => row.line)].join('\n')}\n`);
  }
  return { added: additions.length, unchanged, conflicts };
}

function storedPrice(line: string): StoredPrice | null {
  const m = /^(\d{4}-\d{2}-\d{2}),([A-Z0-9]{1,12}),([0-9.eE+-]{1,40}),([A-Za-z0-9_-]{1,40})$/.exec(line);
  const [, date, , close, source] = m ?? [];
  if (date === undefined || close === undefined || source === undefined || !isCivilDate(date)) return null;
  const value = Number(close);
  return Number.isFinite(value) && value > 0 ? { date, source, close, line } : null;
}

// the shortest decimal that reads back as the same double
function decimalText(value: number): string {
  return String(value);
}

function damaged(path: string, what: string): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `${path} ${what}.`,
    hint: 'Repair or remove the file; it is left as it is and nothing was added to it.',
    details: { path },
  });
}

function fail(error: IssuerError): never {
  throw error;
}
