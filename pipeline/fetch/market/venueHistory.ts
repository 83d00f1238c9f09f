import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { mostTimesApart } from '../../../calculators/market/implausibleFigures.ts';
import type { Contract } from '../../../calculators/market/marketBucket.ts';
import { outsideInstant, outsideNumber } from '../../../data/contract/values/instant.ts';
import { storeText } from '../store/storeUnwritable.ts';
import type { Venue, VenueAnswer } from './venueSession.ts';

/** One row of a venue's past; cells are decimals as the venue wrote them. */
export type HistoryRow = {
  /** Epoch milliseconds: of a candle its open. */
  readonly at: number;
  /** The contract's price then, where the row says it: series of one contract are compared by it. */
  readonly price: number | null;
  readonly cells: Readonly<Record<string, string>>;
};

/** What one answer holds. */
type HistoryPage = {
  /** As the venue names the contract, once for every contract the answer speaks of; empty where it names none. */
  readonly symbols: readonly string[];
  /** The venue's own time of the answer, epoch milliseconds; null where the answer has none. */
  readonly answeredMs: number | null;
  readonly rows: readonly HistoryRow[];
};

/** One series of a venue's past, asked in pages of bounded time. */
export type HistorySeries = {
  readonly name: 'mark' | 'index' | 'interest' | 'candle' | 'funding';
  /** The most rows the venue gives in one answer. */
  readonly pageRows: number;
  /** How far back the venue serves it, where that has an end. */
  readonly reachMs?: number;
  path(name: string, range: { readonly from: number; readonly to: number }): string;
  /** @throws IssuerError `validation_failed` when the answer is not of the documented shape. */
  read(answer: VenueAnswer): HistoryPage;
};

/** How the past of a venue is asked and read, as its public documentation says. */
export type HistoryAdapter = Venue & {
  /** Where the venue says what time it is; of a venue whose answers say it themselves there is none. */
  readonly clock?: {
    readonly path: string;
    /** Epoch milliseconds. @throws IssuerError `validation_failed` when the answer is not of the documented shape. */
    read(answer: VenueAnswer): number;
  };
  readonly series: readonly HistorySeries[];
};

/** A decimal that has to be there, kept as the venue wrote it. */
export const historyDecimal = z
  .string()
  .regex(/^-?\d{1,30}(\.\d{1,30})?([eE][+-]?\d{1,3})?$/)
  .refine((text) => outsideNumber.safeParse(Number(text)).success, 'is too large');

/** Epoch milliseconds as venues write them in lists. */
export const historyInstant = z
  .string()
  .regex(/^\d{10,14}$/)
  .transform(Number)
  .pipe(outsideInstant);

/** A candle as venues write it: its time, open, high, low and close, then what each adds. */
export const ohlc = [historyDecimal, historyDecimal, historyDecimal, historyDecimal] as const;

/** Rows of candles; `volumes` are those of the base and of the quote. */
export function candleRow(
  [at, open, high, low, close]: readonly [number, string, string, string, string, ...unknown[]],
  [volume_base, volume_quote]: readonly [string, string],
): HistoryRow {
  return { at, price: Number(open), cells: { open, high, low, close, volume_base, volume_quote } };
}

/** The open of a candle is the price at its start: what a snapshot taken then would have said. */
export function openRow(
  [at, open]: readonly [number, string, ...unknown[]],
  name: 'mark' | 'index',
): HistoryRow {
  return { at, price: Number(open), cells: { [`${name}_price`]: open } };
}

type SeriesName = HistorySeries['name'];

type Rhythm = {
  /** Rows lie at multiples of it; a row is final once it is this old where `isBucket`. */
  readonly stepMs: number;
  /** The row speaks of the time from its own to the next step, and changes until then. */
  readonly isBucket: boolean;
};

const quarterHourMs = 900_000;
const hourMs = 3_600_000;

export const rhythms: Readonly<Record<SeriesName, Rhythm>> = {
  mark: { stepMs: quarterHourMs, isBucket: true },
  index: { stepMs: quarterHourMs, isBucket: true },
  interest: { stepMs: quarterHourMs, isBucket: false },
  candle: { stepMs: quarterHourMs, isBucket: true },
  funding: { stepMs: hourMs, isBucket: false },
};

const stateColumns = ['open_interest', 'last_price', 'index_price', 'mark_price'];
const columnsOf: Readonly<Record<SeriesName, readonly string[]>> = {
  mark: stateColumns,
  index: stateColumns,
  interest: stateColumns,
  candle: ['open', 'high', 'low', 'close', 'volume_base', 'volume_quote'],
  funding: ['funding_rate', 'funding_interval_hours'],
};

/** Hours between two payments that venues have. */
const intervalHours = [1, 2, 4, 8];

type Place = { readonly directory: string; readonly contract: Contract; readonly series: SeriesName };

/** Columns that hold a price of the contract at the time of the row. */
const priceColumns = ['mark_price', 'index_price', 'open'];

/** The newest row that is stored of a series, with its price where it has one; null where none is. */
export async function newestStored(
  place: Place,
): Promise<{ readonly at: number; readonly price: number | null } | null> {
  if (!existsSync(place.directory)) return null;
  const start = `${stem(place)}_`;
  const names = (await readdir(place.directory)).filter(
    (name) => name.startsWith(start) && /^(\d{4}-\d{2}|all)\.csv$/.test(name.slice(start.length)),
  );
  const held = await readTable(join(place.directory, names.sort().at(-1) ?? ''), place);
  if (held.size === 0) return null;
  const at = [...held.keys()].reduce((most, one) => Math.max(most, one));
  const cells = held.get(at) ?? {};
  const price = priceColumns.map((name) => Number(cells[name] ?? 0)).find((value) => value > 0);
  return { at, price: price ?? null };
}

/**
 * Adds rows to the tables of a series, of a month each, rates of funding in one; returns how many were new. A time has
 * one row, the one stored first; a table is replaced whole, in the order of time.
 */
export async function storeHistory(
  place: Place,
  { rows, source }: { readonly rows: readonly HistoryRow[]; readonly source: string },
): Promise<number> {
  let added = 0;
  for (const [path, own] of Map.groupBy(rows, ({ at }) => tablePath(place, at))) {
    const held = await readTable(path, place);
    const before = held.size;
    for (const { at, cells } of own) {
      if (!held.has(at)) held.set(at, { ...cells, source });
    }
    if (held.size === before) continue;
    added += held.size - before;
    await storeText(path, tableText(place, held));
  }
  return added;
}

/** A series of candles names their length; the coin stands between underscores, as a night wants it. */
function stem({ contract, series }: Place): string {
  const kind = series === 'candle' ? 'candle_15m' : series;
  return `history_${kind}_${contract.venue}_${contract.symbol.replaceAll('-', '_')}`;
}

function tablePath(place: Place, at: number): string {
  const month = place.series === 'funding' ? 'all' : new Date(at).toISOString().slice(0, 7);
  return join(place.directory, `${stem(place)}_${month}.csv`);
}

async function readTable(
  path: string,
  { series }: Place,
): Promise<Map<number, Readonly<Record<string, string>>>> {
  const held = new Map<number, Readonly<Record<string, string>>>();
  if (!path.endsWith('.csv') || !existsSync(path)) return held;
  const [, ...lines] = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const names = headerOf(series);
  for (const line of lines) {
    const cells = line.split(',');
    const row = Object.fromEntries(names.map((name, i) => [name, cells[i] ?? '']));
    const at = Date.parse(row['time_utc'] ?? '');
    if (cells.length === names.length && !Number.isNaN(at)) held.set(at, row);
  }
  return held;
}

function tableText(
  { contract, series }: Place,
  held: ReadonlyMap<number, Readonly<Record<string, string>>>,
): string {
  const times = [...held.keys()].sort((a, b) => a - b);
  const lines = times.map((at, i) => {
    const row = {
      ...held.get(at),
      ...(series === 'funding' ? { funding_interval_hours: hoursAt(times, i) } : {}),
    };
    const cells: Readonly<Record<string, string>> = {
      ...row,
      venue: contract.venue,
      symbol: contract.symbol,
      time_utc: new Date(at).toISOString(),
    };
    return headerOf(series)
      .map((name) => cells[name] ?? '')
      .join(',');
  });
  return `${[headerOf(series).join(','), ...lines].join('\n')}\n`;
}

function headerOf(series: SeriesName): readonly string[] {
  return ['venue', 'symbol', 'time_utc', ...columnsOf[series], 'source'];
}

/** Two gaps alike say how often a venue pays, one may be a hole; only the past is looked at. */
function hoursAt(times: readonly number[], i: number): string {
  const [at = 0, before = 0, earlier = 0] = [times[i], times[i - 1], times[i - 2]];
  const hours = (at - before) / hourMs;
  return before - earlier === at - before && intervalHours.includes(hours) ? String(hours) : '';
}

/** How close in time two rows are compared. */
const nearMs = 6 * 3_600_000;

/** A row with the contract's price where it has one. */
export type Level = Pick<HistoryRow, 'at' | 'price'>;

/**
 * The row by which a page that names no contract shows to be another's; null where it may be the contract's.
 *
 * The other series of the contract decide where they speak of the page's times, by most of its rows: a true move is in
 * all of them, and one odd trade makes no other contract. Where none speaks, the row just before the page does.
 */
export function foreignRow({
  rows,
  levels,
  before,
}: {
  readonly rows: readonly Level[];
  /** Prices of the contract by time, as its other series say. */
  readonly levels: ReadonlyMap<number, number>;
  readonly before: Level | null;
}): Level | null {
  const compared = rows.filter(({ at, price }) => isPrice(price) && levels.has(at));
  if (compared.length > 0) {
    const far = compared.filter(({ at, price }) => areApart(price, levels.get(at) ?? null));
    return far.length * 2 > compared.length ? (far[0] ?? null) : null;
  }
  const [first] = rows;
  if (first === undefined || before === null || first.at - before.at > nearMs) return null;
  return areApart(first.price, before.price) ? first : null;
}

function areApart(one: number | null, other: number | null): boolean {
  return isPrice(one) && isPrice(other) && Math.max(one / other, other / one) > mostTimesApart;
}

function isPrice(price: number | null): price is number {
  return price !== null && price > 0;
}
