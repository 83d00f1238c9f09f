import { basename } from 'node:path';
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { implausibleFigures } from '../../../calculators/market/implausibleFigures.ts';
import type { CloseBounds } from '../../../calculators/prices/implausibleCloses.ts';
import { appendRows } from '../build/appendRows.ts';
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

const maxBytes = 64 * 1024 * 1024;

type Bounds = Pick<CloseBounds, 'floor' | 'ceiling'>;

export const perpsTables = ['market_observation'] as const;

/**
 * Loads one table of a perpetual contract: funding, states or candles. A row that is none is refused with its line; a
 * table without a usable row is refused whole, and what was read of it before stays.
 */
export async function loadPerps(
  connection: DuckDBConnection,
  path: string,
  { known, bounds = null }: { known?: KnownInputs | undefined; bounds?: Bounds | null } = {},
): Promise<Loaded> {
  const name = `perps/${basename(path)}`;
  const fingerprint = await fingerprintOf(path);
  const read = async () => {
    const { observations, refused } = parsePerps({
      path,
      name,
      text: await readText(path, maxBytes),
      bounds,
    });
    const [first] = refused;
    if (observations.length === 0) {
      throw refusedFile(
        path,
        `holds no row that can be used${first === undefined ? '' : `: ${first.reason}`}`,
      );
    }
    const rows = observations.map((one) => cellsOf(one, { name, fingerprint }));
    return { refused, insert: () => appendRows(connection, { table: 'market_observation', rows }) };
  };
  return loadInput(connection, { name, fingerprint, tables: perpsTables, read }, known);
}

/** In the order of the table's columns. */
function cellsOf(
  one: Observation,
  { name, fingerprint }: { name: string; fingerprint: string },
): DuckDBValue[] {
  return [
    ...[name, one.venue, one.symbol, BigInt(one.observedMs), one.kind],
    ...[one.mark, one.indexPrice, one.last, one.openInterest, one.openInterestUsd],
    ...[one.fundingRate, one.fundingIntervalHours],
    ...[one.volumeBase, one.volumeUsd, one.volumeUsdBasis, one.intervalMinutes],
    ...[one.liquidationsLongUsd, one.liquidationsShortUsd],
    ...[one.source, fingerprint, one.synthetic, one.flags.join('|')],
  ];
}

/** What a table said of one contract at one instant; candles carry the instant of their open. */
type Observation = {
  readonly venue: string;
  readonly symbol: string;
  /** Epoch milliseconds. */
  readonly observedMs: number;
  readonly kind: 'funding' | 'state' | 'candle' | 'snapshot';
  readonly mark: number | null;
  readonly indexPrice: number | null;
  readonly last: number | null;
  readonly openInterest: number | null;
  readonly openInterestUsd: number | null;
  readonly fundingRate: number | null;
  readonly fundingIntervalHours: number | null;
  readonly volumeBase: number | null;
  readonly volumeUsd: number | null;
  readonly volumeUsdBasis: 'quote' | 'close' | null;
  readonly intervalMinutes: number | null;
  readonly liquidationsLongUsd: number | null;
  readonly liquidationsShortUsd: number | null;
  readonly source: string;
  readonly synthetic: boolean;
  readonly flags: readonly string[];
};

type Cells = Readonly<Record<string, string>>;

const identity = ['venue', 'symbol', 'time_utc'];
// the first whose columns a header has: an observation of a venue holds its rate of funding too
const forms = {
  state: ['open_interest', 'last_price', 'index_price', 'mark_price'],
  candle: ['open', 'high', 'low', 'close', 'volume_base', 'volume_quote'],
  funding: ['funding_rate'],
} as const;
type Form = keyof typeof forms;

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/;
const decimal = /^-?\d{1,30}(\.\d{1,30})?([eE][+-]?\d{1,3})?$/;
const flagName = /^[a-z0-9_]{1,64}$/;
const dayMinutes = 1440;

/**
 * Reads one table of a contract: rates of funding, states or candles, distinguished by the header. `time_utc` is the time;
 * a row without one, of another contract or without a value is refused, rows that say the same twice count once, and
 * their order does not matter.
 *
 * @throws IssuerError `validation_failed` when the header is none of these, or no name of the file is the contract's coin.
 */
export function parsePerps(table: {
  readonly path: string;
  readonly name: string;
  readonly text: string;
  /** Between which prices are believed (M8.20); null takes all rows as they are. */
  readonly bounds?: Bounds | null;
}): {
  observations: Observation[];
  refused: Refused[];
} {
  const records = csvRecords({ ...table, columns: identity });
  const names = new Set(records.flatMap(({ cells }) => (cells === null ? [] : Object.keys(cells))));
  const form = formOf(names);
  if (form === null) {
    throw refusedFile(table.path, `has none of the headers ${Object.values(forms).map(String).join(' | ')}`);
  }
  const refusals = new Refusals(table.name);
  const seen = new Map<number, Observation>();
  const parts = new Set(basename(table.path, '.csv').split('_'));
  let first: Observation | null = null;
  for (const { line, cells } of records) {
    if (cells === null) {
      refusals.add(line, 'has another number of cells than the header');
      continue;
    }
    const read = observationOf(form, cells, table.name);
    if (typeof read === 'string') {
      refusals.add(line, read);
      continue;
    }
    const implausible = table.bounds == null ? null : implausibleFigures(read, table.bounds);
    if (implausible !== null) {
      refusals.add(line, implausible);
      continue;
    }
    const coin = (cells['symbol'] ?? '').split('-')[0] ?? '';
    if (!parts.has(coin)) {
      refusals.add(line, `symbol is not of ${basename(table.path)}`);
      continue;
    }
    first ??= read;
    if (read.venue !== first.venue || read.symbol !== first.symbol) {
      refusals.add(line, `contract is not ${first.venue} ${first.symbol}, that of the rows before`);
      continue;
    }
    const earlier = seen.get(read.observedMs);
    if (earlier === undefined) seen.set(read.observedMs, read);
    else if (JSON.stringify(earlier) !== JSON.stringify(read)) {
      refusals.add(line, 'values differ from those of an earlier row of the same time');
    }
  }
  const ordered = [...seen.values()].sort((a, b) => a.observedMs - b.observedMs);
  const observations = form === 'candle' ? withInterval(ordered, { parts, path: table.path }) : ordered;
  return { observations, refused: refusals.list() };
}

function formOf(names: ReadonlySet<string>): Form | null {
  const found = Object.entries(forms).find(([, columns]) => columns.every((column) => names.has(column)));
  return (found?.[0] as Form | undefined) ?? null;
}

/** The row, or why it is none. */
function observationOf(form: Form, cells: Cells, source: string): Observation | string {
  const time = cells['time_utc'] ?? '';
  if (time === '') return 'time_utc is empty';
  if (!instant.test(time) || Number.isNaN(Date.parse(time))) return 'time_utc is not an instant in UTC';
  const columns = [...forms[form], ...optionalNumbers];
  const bad = columns.find((name) => (cells[name] ?? '') !== '' && !decimal.test(cells[name] ?? ''));
  if (bad !== undefined) return `${bad} is not a number`;
  const n = (name: string) => ((cells[name] ?? '') === '' ? null : Number(cells[name]));
  if (forms[form].every((name) => n(name) === null)) return 'no value is given';
  if (columns.some((name) => !Number.isFinite(n(name) ?? 0))) return 'a value is too large';
  const rate = n('funding_rate');
  if (rate !== null && Math.abs(rate) > 1) return 'funding_rate is more than the whole position';
  const flags = (cells['flags'] ?? '').split('|').filter((flag) => flag !== '');
  if (!flags.every((flag) => flagName.test(flag))) return 'flags are not names';
  const contract = contractOf(cells['venue'] ?? '', cells['symbol'] ?? '');
  if (contract === null) return 'venue or symbol is not a name';
  const face = venues[contract.venue]?.openInterest === 'usd';
  const base = form === 'candle' ? n('volume_base') : null;
  const quote = form === 'candle' ? n('volume_quote') : null;
  const close = form === 'candle' ? n('close') : null;
  if ((base ?? 0) < 0 || (quote ?? 0) < 0) return 'a volume is below zero';
  const state = form === 'state';
  return {
    ...contract,
    observedMs: Date.parse(time),
    kind: state && cells['kind'] === 'snapshot' ? 'snapshot' : form,
    mark: state ? n('mark_price') : null,
    indexPrice: state ? n('index_price') : null,
    last: state ? n('last_price') : close,
    openInterest: state && !face ? n('open_interest') : null,
    openInterestUsd: state && face ? n('open_interest') : null,
    fundingRate: rate,
    fundingIntervalHours: n('funding_interval_hours'),
    volumeBase: base,
    volumeUsd: quote ?? (base === null || close === null ? null : base * close),
    volumeUsdBasis: quote !== null ? 'quote' : base === null || close === null ? null : 'close',
    intervalMinutes: null,
    liquidationsLongUsd: n('liquidations_long_usd'),
    liquidationsShortUsd: n('liquidations_short_usd'),
    source: (cells['source'] ?? '') === '' ? source : (cells['source'] ?? '').slice(0, 200),
    synthetic: cells['synthetic'] === 'true',
    flags,
  };
}

/** Columns a table may have beside those of its form. */
const optionalNumbers = [
  'funding_rate',
  'funding_interval_hours',
  'liquidations_long_usd',
  'liquidations_short_usd',
];

function contractOf(venue: string, symbol: string): { venue: string; symbol: string } | null {
  const named = contractNames.find(({ given }) => given.venue === venue && given.symbol === symbol);
  if (named !== undefined) return named.contract;
  const plain = /^[a-z0-9-]{1,40}$/.test(venue) && /^[A-Z0-9-]{1,40}$/.test(symbol);
  return plain ? { venue, symbol } : null;
}

/** The length of the candles: as the file is named, else the least distance of two of them. */
function withInterval(
  candles: readonly Observation[],
  { parts, path }: { parts: ReadonlySet<string>; path: string },
): Observation[] {
  const named = { '15m': 15, '1h': 60, '1d': dayMinutes };
  const name = Object.entries(named).find(([part]) => parts.has(part));
  const times = candles.map(({ observedMs }) => observedMs / 60_000);
  const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
  const minutes = name?.[1] ?? gaps.reduce((least, gap) => Math.min(least, gap), dayMinutes);
  const fits = times.every((time) => Number.isInteger(time / minutes));
  if (dayMinutes % minutes !== 0 || !fits) {
    throw refusedFile(path, `holds candles that are not of ${minutes} minutes from the start of a day`);
  }
  return candles.map((candle) => ({ ...candle, intervalMinutes: minutes }));
}

/** Refused rows by reason: the line of the first, and how many; every reason is one of few sentences. */
class Refusals {
  private readonly name: string;
  private readonly reasons = new Map<string, { readonly line: number; rows: number }>();

  constructor(name: string) {
    this.name = name;
  }

  add(line: number, reason: string): void {
    const found = this.reasons.get(reason);
    if (found !== undefined) found.rows += 1;
    else this.reasons.set(reason, { line, rows: 1 });
  }

  list(): Refused[] {
    return [...this.reasons].map(([reason, { line, rows }]) => ({
      name: `${this.name}:${line}`,
      reason: rows === 1 ? reason : `${reason} (${rows} rows from here)`,
    }));
  }
}

/** What is known of a venue beyond its answers. */
type Venue = {
  /** Hours between two payments of funding where neither the venue nor the spacing of its rates says. */
  readonly fundingHours: number;
  /** `usd`: open interest is the face value in dollars, no number of coins. */
  readonly openInterest: 'base' | 'usd';
};

/**
 * Venues by the name their tables carry. Intervals are those of the published rates: eight hours, but for venues that pay
 * every hour.
 */
export const venues: Readonly<Record<string, Venue>> = {
  binance: { fundingHours: 8, openInterest: 'base' },
  // contracts of 100 USD (BTC) or 10 USD: another contract than the one margined in USDT
  'binance-coinm': { fundingHours: 8, openInterest: 'usd' },
  bybit: { fundingHours: 8, openInterest: 'base' },
  'coinbase-derivatives': { fundingHours: 1, openInterest: 'base' },
  'coinbase-intx': { fundingHours: 1, openInterest: 'base' },
  dydx: { fundingHours: 1, openInterest: 'base' },
  gate: { fundingHours: 8, openInterest: 'base' },
  htx: { fundingHours: 8, openInterest: 'base' },
  hyperliquid: { fundingHours: 1, openInterest: 'base' },
  kucoin: { fundingHours: 8, openInterest: 'base' },
  mexc: { fundingHours: 8, openInterest: 'base' },
};

/** Contracts that a table names otherwise, with what proves which they are. */
const contractNames = [
  {
    given: { venue: 'unnamed', symbol: 'BTC-PERP' },
    contract: { venue: 'binance', symbol: 'BTC-USDT' },
    evidence:
      'mark and last price equal the hourly opens of Binance BTCUSDT (median gap 0.016 bp; one hour off 23 bp), ' +
      'open interest its daily one (mean 0.005 %)',
  },
] as const;
