import type { Parameters } from '../../parameters/parameters.ts';
import { supportsPressure } from '../factors/coverageOf.ts';
import type { FactorRow } from '../factors/factorRow.ts';
import { directionOf, marketState } from './pressureHeadline.ts';
import type { LatestQuality } from './qualityWarnings.ts';
import type { ThresholdFlag } from './thresholdFlags.ts';

export type EventBlocker =
  | 'coverage_incomplete'
  | 'stale_factor_row'
  | 'insufficient_history'
  | 'registry_missing'
  | 'weights_invalid';

export type CanonicalEvent = {
  readonly canonical_event_status: 'confirmed' | 'watch' | 'not_confirmed' | 'blocked' | 'unavailable';
  /** The side that is crowded, while thresholds pass. */
  readonly type: string | null;
  readonly reason: string;
  readonly blockers: readonly EventBlocker[];
  readonly linked_state: string | null;
  readonly boundary: string;
};

const boundary = 'A state is not an event; an event is no forecast of prices.';

/** Whether the latest row is an event by the threshold contract, first match of M8.16. */
export function canonicalEvent(
  row: FactorRow | null,
  {
    quality,
    flags,
    parameters,
  }: {
    readonly quality: LatestQuality | null;
    readonly flags: readonly ThresholdFlag[];
    readonly parameters: Parameters;
  },
): CanonicalEvent {
  const event = (
    status: CanonicalEvent['canonical_event_status'],
    reason: string,
    blockers: readonly EventBlocker[] = [],
  ): CanonicalEvent => ({
    canonical_event_status: status,
    type: row !== null && (status === 'confirmed' || status === 'watch') ? directionOf(row) : null,
    reason,
    blockers,
    linked_state: row === null ? null : marketState(row.pressure, parameters),
    boundary,
  });
  if (row === null)
    return event('unavailable', 'No factor row is stored for this product and bucket length.');
  const blockers = eventBlockers(row, { quality, parameters });
  if (blockers.length > 0) return event('blocked', `Not judged: ${blockers.join(', ')}.`, blockers);
  const { confirmed, watch } = parameters.perps.eventPasses;
  const passed = flags.filter(({ result }) => result === 'pass');
  const isPressed = passed.some(({ metric }) => metric === 'pressure');
  const counted = countedFlags(flags);
  if (passed.length >= confirmed && isPressed) return event('confirmed', `${counted}.`);
  if (passed.length >= watch)
    return event('watch', `${counted}; an event needs ${confirmed}, pressure among them.`);
  return event('not_confirmed', `${counted}.`);
}

/** Which thresholds pass and how many have nothing to be judged by: those fail nothing. */
function countedFlags(flags: readonly ThresholdFlag[]): string {
  const passed = flags.filter(({ result }) => result === 'pass').map(({ metric }) => metric);
  const open = flags.filter(({ result }) => result === 'unavailable').length;
  const names = passed.length === 0 ? '' : ` (${passed.join(', ')})`;
  const verb = passed.length === 1 ? 'passes' : 'pass';
  const unseen = open === 0 ? '' : `, ${open} ${open === 1 ? 'is' : 'are'} unavailable`;
  return `${passed.length} of ${flags.length} thresholds ${verb}${names}${unseen}`;
}

function eventBlockers(
  row: FactorRow,
  { quality, parameters }: { readonly quality: LatestQuality | null; readonly parameters: Parameters },
): EventBlocker[] {
  const found: readonly (readonly [EventBlocker, boolean])[] = [
    ['coverage_incomplete', !supportsPressure(row.coverage)],
    ['stale_factor_row', quality?.status === 'stale'],
    ['insufficient_history', row.quality.historyRows < parameters.perps.buckets[row.bucketLength].minBuckets],
    ['registry_missing', row.lineage.registryEffectiveDate === null],
    ['weights_invalid', row.quality.flags.includes('weights_invalid')],
  ];
  return found.flatMap(([blocker, holds]) => (holds ? [blocker] : []));
}
