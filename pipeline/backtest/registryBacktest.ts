import type { OwnEventScore } from '../../calculators/backtest/ownEvent.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import { type BacktestReport, backtestReport } from './backtestReport.ts';
import type { Observation } from './observation.ts';
import { readEvents } from './readEvents.ts';
import { readOwnEvent } from './readOwnEvent.ts';
import { readReferenceCases } from './readReferenceCases.ts';

/** Texts of the registry's tables, by file name. */
export const registryTables = ['events.csv', 'reference-cases.csv', 'own-event.csv'] as const;
export type RegistryTexts = Readonly<Record<(typeof registryTables)[number], string>>;

/** What a warehouse adds: its rows, and the scores of the probability on its closes; null when it has too few. */
export type WarehousePart = {
  readonly observations: readonly Observation[];
  readonly ownEvent: readonly OwnEventScore[] | null;
};

/** The backtest of the registry's tables, with the rows of a warehouse in their place where it has them. */
export function registryBacktest(
  texts: RegistryTexts,
  { warehouse, parameters }: { warehouse: WarehousePart | null; parameters: Parameters },
): BacktestReport {
  const reference = readReferenceCases({
    path: 'reference-cases.csv',
    text: texts['reference-cases.csv'],
    parameters,
  });
  return backtestReport({
    observations: withReference(warehouse?.observations ?? [], reference),
    table: readEvents('events.csv', texts['events.csv']),
    ownEvent: warehouse?.ownEvent ?? readOwnEvent('own-event.csv', texts['own-event.csv']),
    parameters,
  });
}

/**
 * The warehouse's observations, and the reference cases it has no row for. A facility is never a row of it, and a row on
 * cost less impairment does not displace a case with units × price (M12.12): both stand, the row counted apart.
 */
export function withReference(
  kept: readonly Observation[],
  reference: readonly Observation[],
): readonly Observation[] {
  const held = new Set(
    kept
      .filter(({ coinsBasis }) => coinsBasis !== 'carrying_value_lower_bound')
      .map(({ cik, period }) => `${cik} ${period}`),
  );
  const added = reference.filter((c) => c.scope === 'facility' || !held.has(`${c.cik} ${c.period}`));
  return [...kept, ...added];
}
