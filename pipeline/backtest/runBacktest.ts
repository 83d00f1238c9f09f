import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type OwnEventScore, ownEventScores } from '../../calculators/backtest/ownEvent.ts';
import { type Parameters, parseParameters } from '../../calculators/parameters/parameters.ts';
import { programRoot } from '../programRoot.ts';
import { openWarehouse } from '../warehouse/build/openWarehouse.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import type { BacktestReport } from './backtestReport.ts';
import {
  type RegistryTexts,
  registryBacktest,
  registryTables,
  type WarehousePart,
} from './registryBacktest.ts';
import { selectObservations } from './selectObservations.ts';

/** Ratios and coins of M12.16. */
const ratios = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5];
const coins = ['BTC', 'ETH', 'SOL'];
const horizonDays = 365;

/**
 * `issuer backtest`: point-in-time rows of the warehouse, and the reference cases of METHODOLOGY 12.1 where the
 * warehouse has no row of that issuer and period, against the registry's table of events. Nothing is written.
 */
export async function runBacktest({ databasePath }: { databasePath: string }): Promise<BacktestReport> {
  const registry = join(programRoot, 'data/registry');
  const text = (name: string) => readFile(join(registry, name), 'utf8');
  const parameters = parseParameters(JSON.parse(await text('parameters.json')));
  const texts = await Promise.all(registryTables.map(async (name) => [name, await text(name)]));
  const warehouse = existsSync(databasePath) ? await fromWarehouse(databasePath, parameters) : null;
  return registryBacktest(Object.fromEntries(texts) as RegistryTexts, { warehouse, parameters });
}

async function fromWarehouse(path: string, parameters: Parameters): Promise<WarehousePart> {
  const database = await openWarehouse(path);
  try {
    const observations = await selectObservations(database.connection);
    const rows = await readRows(
      database.connection,
      `SELECT asset, strftime(date, '%Y-%m-%d') AS date, close::DOUBLE AS close FROM prices ORDER BY date`,
    );
    return { observations, ownEvent: scored(rows, parameters) };
  } finally {
    database.close();
  }
}

function scored(
  rows: readonly Readonly<Record<string, unknown>>[],
  parameters: Parameters,
): readonly OwnEventScore[] | null {
  const scores = coins.flatMap((coin) => {
    const closes = rows.flatMap(({ asset, date, close }) =>
      asset === coin ? [{ date: String(date), close: Number(close) }] : [],
    );
    return ownEventScores({ coin, closes, ratios, horizonDays, parameters }).filter(({ days }) => days > 0);
  });
  return scores.length === 0 ? null : scores;
}
