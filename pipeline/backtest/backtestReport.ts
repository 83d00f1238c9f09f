import {
  type EventType,
  eventTypes,
  followUp,
  type Outcome,
  type TierMigration,
  tierMigration,
} from '../../calculators/backtest/followUp.ts';
import type { OwnEventScore } from '../../calculators/backtest/ownEvent.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import {
  type Assessment,
  assessCases,
  type Counts,
  countsOf,
  type ScoredObservation,
} from './assessCases.ts';
import { type ApartGroup, apartGroups, groupOf, type Observation } from './observation.ts';
import type { EventTable, IssuerEvent } from './readEvents.ts';

export type BacktestCase = Observation & {
  /** What followed, over all kinds of events. */
  readonly outcome: Outcome;
  /** Why the case is in no figure; null when it is. */
  readonly leftOut: 'censored' | 'after_event' | 'not_followed' | 'unproven' | 'unclassified' | null;
  /** Counted for itself, outside the hit rates; null when it counts there. */
  readonly group: ApartGroup | null;
};

/** Rows counted for themselves: how many, and what followed. */
export type ApartCounts = Counts & { readonly group: ApartGroup };

export type BacktestReport = {
  readonly parameters: string;
  readonly limits: Parameters['backtest'];
  readonly sources: readonly IssuerEvent[];
  readonly issuersFollowed: number;
  readonly cases: readonly BacktestCase[];
  /** All events E1–E5, then E1–E3: what a lender calls a default. */
  readonly assessments: readonly Assessment[];
  readonly apart: readonly ApartCounts[];
  readonly migration: TierMigration;
  /** The breach probability on the event it forecasts (M12.16). */
  readonly ownEvent: readonly OwnEventScore[];
};

const defaults: readonly EventType[] = ['E1', 'E2', 'E3'];

/**
 * Compares tiers as they were known with events that came later (M12.12). Observations that cannot be scored are
 * listed with the reason: not followed to the end of the horizon, made after the event, not examined, not proven, or
 * without a tier. Rows chosen for their outcome, on incidental coins or on cost are counted apart (M12.17).
 */
export function backtestReport({
  observations,
  table,
  ownEvent,
  parameters,
}: {
  observations: readonly Observation[];
  table: EventTable;
  ownEvent: readonly OwnEventScore[];
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
    const group = groupOf(observation, parameters);
    return { ...observation, outcome, leftOut: reasonLeftOut(observation, outcome), group };
  });
  const scored = (types: readonly EventType[], group: ApartGroup | null): ScoredObservation[] =>
    observations.flatMap((observation) => {
      const outcome = outcomeOf(observation, types);
      if (reasonLeftOut(observation, outcome) !== null || groupOf(observation, parameters) !== group)
        return [];
      return [{ observation, event: outcome === 'event' }];
    });
  return {
    parameters: version,
    limits,
    sources: table.rows,
    issuersFollowed: table.records.size,
    cases,
    assessments: [eventTypes, defaults].map((types) => assessCases(scored(types, null), { types, limits })),
    apart: apartGroups.map((group) => ({ group, ...countsOf(scored(eventTypes, group)) })),
    migration: tierMigration(
      observations
        .filter((observation) => observation.scope === 'entity')
        .map(({ cik, knownOn, tier }) => ({ issuer: cik, date: knownOn, tier })),
    ),
    ownEvent,
  };
}

function reasonLeftOut(observation: Observation, outcome: Outcome): BacktestCase['leftOut'] {
  if (outcome !== 'event' && outcome !== 'no_event') return outcome;
  if (observation.figuresBasis !== 'resolved') return 'unproven';
  return observation.tier === 'UNCLASSIFIED' ? 'unclassified' : null;
}
