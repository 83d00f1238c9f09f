import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseParameters } from '../../calculators/parameters/parameters.ts';
import { programRoot } from '../programRoot.ts';
import { openForReading } from '../warehouse/build/openDatabase.ts';
import { type BacktestReport, backtestReport } from './backtestReport.ts';
import type { Observation } from './observation.ts';
import { readEvents } from './readEvents.ts';
import { readReferenceCases } from './readReferenceCases.ts';
import { selectObservations } from './selectObservations.ts';

/**
 * `issuer backtest`: point-in-time rows of the warehouse, and the reference cases of METHODOLOGY 12.1 where the
 * warehouse has no row of that issuer and period, against the registry's table of events. Nothing is written.
 */
export async function runBacktest({ databasePath }: { databasePath: string }): Promise<BacktestReport> {
  const registry = join(programRoot, 'data/registry');
  const text = (name: string) => readFile(join(registry, name), 'utf8');
  const parameters = parseParameters(JSON.parse(await text('parameters.json')));
  const table = readEvents('events.csv', await text('events.csv'));
  const reference = readReferenceCases({
    path: 'reference-cases.csv',
    text: await text('reference-cases.csv'),
    parameters,
  });
  const kept = existsSync(databasePath) ? await fromWarehouse(databasePath) : [];
  return backtestReport({ observations: withReference(kept, reference), table, parameters });
}

/** The warehouse's observations, and the reference cases it has no row for; a facility is never a row of it. */
export function withReference(
  kept: readonly Observation[],
  reference: readonly Observation[],
): readonly Observation[] {
  const held = new Set(kept.map(({ cik, period }) => `${cik} ${period}`));
  const added = reference.filter((c) => c.scope === 'facility' || !held.has(`${c.cik} ${c.period}`));
  return [...kept, ...added];
}

async function fromWarehouse(path: string): Promise<Observation[]> {
  const database = await openForReading(path);
  try {
    return await selectObservations(database.connection);
  } finally {
    database.close();
  }
}
