import { type EventType, eventTypes, followUp, type Outcome } from '../../calculators/backtest/followUp.ts';
import { type TierMigration, tierMigration } from '../../calculators/backtest/tierMigration.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import { type Assessment, assessCases } from './assessCases.ts';
import type { Observation } from './observation.ts';
import type { EventTable, IssuerEvent } from './readEvents.ts';

export type BacktestCase = Observation & {
  /** What followed, over all kinds of events. */
  readonly outcome: Outcome;
  /** Why the case is in no figure; null when it is. */
  readonly leftOut: 'censored' | 'after_event' | 'not_followed' | 'unclassified' | null;
};

export type BacktestReport = {
  readonly parameters: string;
  readonly limits: Parameters['backtest'];
  readonly events: readonly IssuerEvent[];
  readonly issuersFollowed: number;
  readonly cases: readonly BacktestCase[];
  /** All events E1–E5, then E1–E3: what a lender calls a default. */
  readonly assessments: readonly Assessment[];
  readonly migration: TierMigration;
};

const defaults: readonly EventType[] = ['E1', 'E2', 'E3'];

/**
 * Compares tiers as they were known with events that came later (M12.12). Observations that cannot be scored are
 * listed with the reason: not followed to the end of the horizon, made after the event, nobody looked, or without
 * a tier.
 */
export function backtestReport({
  observations,
  table,
  parameters,
}: {
  observations: readonly Observation[];
  table: EventTable;
  parameters: Parameters;
}): BacktestReport {
  const { backtest: limits, version } = parameters;
  const outcomeOf = (observation: Observation, types: readonly EventType[]): Outcome =>
    followUp({
      knownOn: observation.knownOn,
      record: table.records.get(observation.cik) ?? null,
      types,
      embargoDays: limits.embargoDays,
      horizonMonths: limits.horizonMonths,
    });
  const cases = observations.map((observation) => {
    const outcome = outcomeOf(observation, eventTypes);
    return { ...observation, outcome, leftOut: reasonLeftOut(observation, outcome) };
  });
  const assess = (types: readonly EventType[]): Assessment => {
    const scored = observations.flatMap((observation) => {
      const outcome = outcomeOf(observation, types);
      if (reasonLeftOut(observation, outcome) !== null) return [];
      return [{ observation, event: outcome === 'event' }];
    });
    return assessCases(scored, { types, limits });
  };
  return {
    parameters: version,
    limits,
    events: table.events,
    issuersFollowed: table.records.size,
    cases,
    assessments: [assess(eventTypes), assess(defaults)],
    migration: tierMigration(
      observations
        .filter((observation) => observation.scope === 'entity')
        .map(({ cik, knownOn, tier }) => ({ issuer: cik, date: knownOn, tier })),
    ),
  };
}

function reasonLeftOut(observation: Observation, outcome: Outcome): BacktestCase['leftOut'] {
  if (outcome !== 'event' && outcome !== 'no_event') return outcome;
  return observation.tier === 'UNCLASSIFIED' ? 'unclassified' : null;
}
