import { compareText } from '../../data/contract/values/compareText.ts';
import { type RiskTier, riskTiers } from '../../data/contract/values/enums.ts';
import { addDays, addMonths } from '../exact/civilDate.ts';

/** Kinds of events (M12.12): chapter 11/7, acceleration or default, distressed exchange, forced sale or top-up, going-concern doubt. */
export const eventTypes = ['E1', 'E2', 'E3', 'E4', 'E5'] as const;
export type EventType = (typeof eventTypes)[number];

/** What is known of an issuer: its events, and the last day it was examined. */
export type IssuerRecord = {
  readonly events: readonly { readonly type: EventType; readonly date: string }[];
  readonly followedUntil: string;
};

/** What followed an observation inside the horizon. */
export type Outcome = 'event' | 'no_event' | 'censored' | 'after_event' | 'not_followed';

/**
 * What happened to an issuer within the horizon after an observation.
 *
 * Facts known on a day count from the day after (embargo): the window is (knownOn + embargo, + horizon]. A window
 * that was not followed to its end is `censored` unless an event lies inside it. `after_event` is an observation
 * made once its only events had happened, so it could not foresee them (M10.2, M12.12).
 */
export function followUp({
  knownOn,
  record,
  types,
  embargoDays,
  horizonMonths,
}: {
  knownOn: string;
  record: IssuerRecord | null;
  types: readonly EventType[];
  embargoDays: number;
  horizonMonths: number;
}): Outcome {
  if (record === null) return 'not_followed';
  const from = addDays(knownOn, embargoDays);
  const to = addMonths(from, horizonMonths);
  const dates = record.events.filter((e) => types.includes(e.type)).map((e) => e.date);
  if (dates.some((date) => date > from && date <= to)) return 'event';
  if (record.followedUntil >= to) return 'no_event';
  // the record ends with the event: nothing is known of what came after it
  const endsWithEvent = dates.includes(record.followedUntil) && record.followedUntil <= from;
  return endsWithEvent ? 'after_event' : 'censored';
}

type TierOnDate = { readonly issuer: string; readonly date: string; readonly tier: RiskTier };

/** Moves between the tiers of an issuer's consecutive filings: `moves[from][to]` is their number (M12.12). */
export type TierMigration = {
  readonly tiers: readonly RiskTier[];
  readonly moves: readonly (readonly number[])[];
};

/** Counts from which tier to which each issuer moved with its next filing; rows in any order. */
export function tierMigration(rows: readonly TierOnDate[]): TierMigration {
  const moves = riskTiers.map(() => riskTiers.map(() => 0));
  for (const ofIssuer of Map.groupBy(rows, (row) => row.issuer).values()) {
    const ordered = ofIssuer.toSorted((a, b) => compareText(a.date, b.date));
    ordered.slice(1).forEach((row, i) => {
      const line = moves[riskTiers.indexOf(ordered[i]?.tier ?? row.tier)];
      const to = riskTiers.indexOf(row.tier);
      if (line !== undefined) line[to] = (line[to] ?? 0) + 1;
    });
  }
  return { tiers: riskTiers, moves };
}
