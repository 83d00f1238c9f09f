import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { addDays } from '../../../calculators/exact/civilDate.ts';
import type { PriceRow } from '../../../calculators/filing/rows.ts';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { compareText } from '../../../data/contract/values/compareText.ts';
import { isCivilDate } from '../../../data/contract/values/primitives.ts';
import type { Effects } from '../../effects.ts';
import { ifPresent, storeText } from '../store/storeUnwritable.ts';

/** A venue or aggregator of daily closes in USD. */
export type PriceSource = {
  /** Name written into each row; METHODOLOGY M2.13 ranks sources by it. */
  readonly name: string;
  supports(asset: string): boolean;
  /** The last UTC day whose close is final; never today. */
  lastCompleteDay(): string;
  /** Requests sent so far. */
  requests(): number;
  /** Closes of the UTC days `from` to `to` the source has, oldest first; days it lacks are excluded. */
  fetchDailyCloses(o: { asset: string; from: string; to: string; signal: AbortSignal }): Promise<PriceRow[]>;
  close(): Promise<void>;
};

/** What fetching did for one asset. */
type AssetPrices = {
  readonly asset: string;
  /** Inside the source directory. */
  readonly path: string;
  readonly added: number;
  /** Fetched closes that equal the stored ones. */
  readonly unchanged: number;
  /** Fetched closes that differ from the stored ones; the stored ones stay. */
  readonly conflicts: readonly PriceConflict[];
  /** Asked-for complete days without a close of this source, stored or fetched. */
  readonly gaps: readonly string[];
};

export type PriceFetchReport = {
  readonly source: string;
  readonly sourceDirectory: string;
  /** Last day asked for: `to`, or the last complete day when that is earlier. */
  readonly upTo: string;
  readonly assets: readonly AssetPrices[];
  /** Assets the source does not know. */
  readonly unsupported: readonly string[];
  readonly failed: readonly { readonly asset: string; readonly reason: string }[];
  readonly requests: number;
};

/**
 * Brings `<target>/prices/<ASSET>.csv` up to date: asks only for assets with a missing day, takes complete
 * UTC days only, fills nothing in, and never changes a stored close (M2.13).
 *
 * One asset's failure does not cost the others theirs; when every one failed the first failure is thrown.
 *
 * @throws IssuerError `usage` for dates or assets that are none, `validation_failed` for a damaged stored
 * file, `source_refused`, `store_unwritable`, `interrupted`.
 */
export async function fetchPrices(request: {
  source: PriceSource;
  assets: readonly string[];
  from: string;
  to: string;
  target: string;
  effects: Effects;
  signal: AbortSignal;
}): Promise<PriceFetchReport> {
  requireDates(request);
  let upTo = request.source.lastCompleteDay();
  if (request.to < upTo) upTo = request.to;
  const supported = request.assets.filter((asset) => request.source.supports(asset));
  const assets: AssetPrices[] = [];
  const failed: { asset: string; reason: string }[] = [];
  let firstFailure: IssuerError | null = null;
  for (const asset of supported) {
    try {
      assets.push(await fetchAsset({ ...request, asset, to: upTo }));
    } catch (error) {
      if (!(error instanceof IssuerError) || !isOneAssetsFailure(error)) throw error;
      firstFailure ??= error;
      failed.push({ asset, reason: error.message });
      request.effects.log({
        level: 'warn',
        step: 'fetch',
        message: error.message,
        fields: { asset, code: error.code },
      });
    }
  }
  if (firstFailure !== null && assets.length === 0) throw firstFailure;
  return {
    source: request.source.name,
    sourceDirectory: request.target,
    upTo,
    assets,
    unsupported: request.assets.filter((asset) => !request.source.supports(asset)),
    failed,
    requests: request.source.requests(),
  };
}

async function fetchAsset(input: {
  source: PriceSource;
  asset: string;
  from: string;
  to: string;
  target: string;
  signal: AbortSignal;
}): Promise<AssetPrices> {
  const path = `prices/${input.asset}.csv`;
  const file = join(input.target, path);
  const stored = await readPriceFile(file);
  const days = everyDay(input.from, input.to);
  const known = new Set(stored.filter((row) => row.source === input.source.name).map((row) => row.date));
  if (days.every((day) => known.has(day))) {
    return { asset: input.asset, path, added: 0, unchanged: 0, conflicts: [], gaps: [] };
  }
  const wanted = new Set(days);
  const fetched = (await input.source.fetchDailyCloses(input)).filter((row) => wanted.has(row.date));
  const merged = await mergePriceFile({ path: file, stored, fetched });
  for (const row of fetched) known.add(row.date);
  return { asset: input.asset, path, ...merged, gaps: days.filter((day) => !known.has(day)) };
}

function isOneAssetsFailure(error: IssuerError): boolean {
  return error.code === 'source_refused' || error.code === 'validation_failed';
}

function requireDates({ from, to, assets }: { from: string; to: string; assets: readonly string[] }): void {
  const asset = assets.find((name) => !/^[A-Z0-9]{1,12}$/.test(name));
  const soundDates = isCivilDate(from) && isCivilDate(to) && from <= to && from >= '2009-01-03';
  if (asset === undefined && soundDates && to < '2100-01-01') return;
  throw new IssuerError({
    code: 'usage',
    message:
      asset === undefined
        ? `${from} to ${to} is not a span of days.`
        : `${asset.slice(0, 40)} is not the symbol of an asset.`,
    hint: 'Give days as YYYY-MM-DD, the earlier first, and symbols in capitals, such as BTC.',
  });
}

const header = 'date,asset,close,source';
const maxFileBytes = 64 << 20;

/** A row as it stands in the file: its text is kept, so merging never rewrites a stored digit. */
type StoredPrice = {
  readonly date: string;
  readonly source: string;
  readonly close: string;
  readonly line: string;
};

/** A fetched close that contradicts the stored one of the same day and source. */
type PriceConflict = { readonly date: string; readonly stored: string; readonly fetched: string };

/**
 * Reads `prices/<ASSET>.csv` (`date,asset,close,source`); a missing file has no rows.
 *
 * @throws IssuerError `validation_failed` naming the line that is not a row.
 */
async function readPriceFile(path: string): Promise<readonly StoredPrice[]> {
  const found = await ifPresent(stat(path), null);
  if (found === null) return [];
  if (found.size > maxFileBytes) throw damaged(path, `is larger than ${maxFileBytes} bytes`);
  const [first, ...lines] = (await readFile(path, 'utf8')).split(/\r?\n/);
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
async function mergePriceFile({
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

/** The UTC day of an instant, `YYYY-MM-DD`. */
export function utcDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** Every civil date from `from` to `to`, both included; empty when `from` is later. */
function everyDay(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}
