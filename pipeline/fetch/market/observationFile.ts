import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Contract } from '../../../calculators/market/marketBucket.ts';
import type { FileEffects } from '../../effects.ts';
import type { VenueReading } from './venueReading.ts';

const columns = [
  'venue',
  'symbol',
  'time_utc',
  'open_interest',
  'last_price',
  'index_price',
  'mark_price',
  'funding_rate',
  'funding_interval_hours',
  'kind',
  'flags',
  'source',
];

export type Observed = {
  readonly contract: Contract;
  readonly reading: VenueReading;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly flags: readonly string[];
  /** Where the answer came from, with its hash. */
  readonly source: string;
};

/** The table of a contract and month below `perps/`: what a night reads, one observation a line. */
export function observationPath(directory: string, { venue, symbol }: Contract, at: number): string {
  const month = new Date(at).toISOString().slice(0, 7);
  return join(directory, `snapshots_${venue}_${symbol.split('-')[0]}_${month}.csv`);
}

/** The newest mark and index of a table; null without a line. */
export async function lastObserved(
  path: string,
): Promise<{ readonly at: number; readonly mark: string; readonly index: string } | null> {
  if (!existsSync(path)) return null;
  const line = (await readFile(path, 'utf8')).trimEnd().split('\n').at(-1) ?? '';
  const cells = line.split(',');
  const cell = (name: string) => cells[columns.indexOf(name)] ?? '';
  const at = Date.parse(cell('time_utc'));
  return Number.isNaN(at) ? null : { at, mark: cell('mark_price'), index: cell('index_price') };
}

/** Adds one line, durably. A line that a killed run left half written is closed first: the night refuses it alone. */
export async function appendObservation(path: string, one: Observed, files: FileEffects): Promise<void> {
  const { contract, reading, at, flags, source } = one;
  const text = (value: number | null) => (value === null ? '' : String(value));
  const line = [
    ...[contract.venue, contract.symbol, new Date(at).toISOString(), text(reading.openInterest)],
    ...[text(reading.last), text(reading.indexPrice), text(reading.mark), text(reading.fundingRate)],
    ...[text(reading.fundingIntervalHours), 'snapshot', flags.join('|'), source],
  ].join(',');
  const before = existsSync(path) ? await readFile(path, 'utf8') : null;
  const head = before === null ? `${columns.join(',')}\n` : before.endsWith('\n') ? '' : '\n';
  await files.makeDirectory(dirname(path));
  await files.append(path, [Buffer.from(`${head}${line}\n`)], { sync: true });
}
