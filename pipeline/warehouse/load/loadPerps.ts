import { basename } from 'node:path';
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { appendRows } from '../build/appendRows.ts';
import {
  fingerprintOf,
  type KnownInputs,
  type Loaded,
  loadInput,
  readText,
  refusedFile,
} from './inputFile.ts';
import { type Observation, parsePerps } from './parsePerps.ts';

const maxBytes = 64 * 1024 * 1024;

export const perpsTables = ['market_observation'] as const;

/**
 * Loads one table of a perpetual contract: funding, states or candles. A row that is none is refused with its line; a
 * table without a usable row is refused whole, and what was read of it before stays.
 */
export async function loadPerps(
  connection: DuckDBConnection,
  path: string,
  known?: KnownInputs,
): Promise<Loaded> {
  const name = `perps/${basename(path)}`;
  const fingerprint = await fingerprintOf(path);
  const read = async () => {
    const { observations, refused } = parsePerps({ path, name, text: await readText(path, maxBytes) });
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
