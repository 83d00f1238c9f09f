import type { PerpsParameters } from '../../parameters/perpsParameters.ts';
import type { FactorRow } from '../factors/factorRow.ts';
import type { CanonicalEvent } from './canonicalEvent.ts';
import type { Contributions } from './contributionsOf.ts';
import type { LatestQuality } from './qualityWarnings.ts';

export type Readiness = 'answerable' | 'partial' | 'unavailable' | 'artifact_dependent';

/** Which questions the stored rows answer (M8.16a). */
export type QuestionReadiness = Readonly<
  Record<
    | 'current_state'
    | 'drivers'
    | 'canonical_event'
    | 'seven_day_history'
    | 'constituent_attribution'
    | 'presentation_parity'
    | 'further_analysis'
    | 'publication_safety',
    Readiness
  >
>;

const historyDays = 7;

/** What can be answered about a product from its latest row, its history and its audit (M8.16a). */
export function questionReadiness({
  row,
  quality,
  rowsOfSevenDays,
  event,
  contributions,
  parity,
  parameters: { perps },
}: {
  readonly row: FactorRow | null;
  readonly quality: LatestQuality | null;
  /** Available rows of the seven days that end with the slice. */
  readonly rowsOfSevenDays: number;
  readonly event: CanonicalEvent;
  readonly contributions: Contributions | null;
  readonly parity: PresentationParity;
  readonly parameters: PerpsParameters;
}): QuestionReadiness {
  const isStale = quality?.status === 'stale';
  const known = Object.values(row?.zScores ?? {}).filter((z) => z !== null).length;
  const wanted = row === null ? 1 : (historyDays * 1440) / perps.buckets[row.bucketLength].minutes;
  return {
    current_state: row === null ? 'unavailable' : row.pressure === null || isStale ? 'partial' : 'answerable',
    // one underlying has no breadth
    drivers: share(known, perps.coverage.inputCount - (row?.returns.rows.length === 1 ? 1 : 0)),
    canonical_event:
      event.canonical_event_status === 'unavailable'
        ? 'unavailable'
        : event.canonical_event_status === 'blocked'
          ? 'partial'
          : 'answerable',
    seven_day_history: share(rowsOfSevenDays, wanted),
    constituent_attribution:
      contributions === null || contributions.status === 'unavailable'
        ? 'unavailable'
        : contributions.status === 'partial'
          ? 'partial'
          : 'answerable',
    presentation_parity: (
      {
        confirmed: 'answerable',
        requires_artifact: 'artifact_dependent',
        mismatch: 'partial',
        unavailable: 'unavailable',
      } as const
    )[parity.status],
    // no analysis beyond the stored rows is made
    further_analysis: 'unavailable',
    publication_safety: row === null ? 'unavailable' : event.blockers.length > 0 ? 'partial' : 'answerable',
  };
}

function share(known: number, wanted: number): Readiness {
  return known >= wanted ? 'answerable' : known > 0 ? 'partial' : 'unavailable';
}

type PresentationParity = {
  readonly status: 'confirmed' | 'requires_artifact' | 'mismatch' | 'unavailable';
  readonly reason: string | null;
};

/**
 * Whether a chart shows what the row says (M8.16b).
 *
 * @param shown bucket and pressure of the newest point of the chart's artifact; null without one
 */
export function presentationParity(
  row: Pick<FactorRow, 'start' | 'pressure'> | null,
  shown: { readonly start: number; readonly pressure: number | null } | null,
): PresentationParity {
  if (row === null) return { status: 'unavailable', reason: 'No factor row is stored.' };
  if (shown === null) return { status: 'requires_artifact', reason: 'No chart artifact is bound.' };
  if (shown.start !== row.start)
    return { status: 'mismatch', reason: 'The chart ends with another bucket than the row.' };
  if (shown.pressure !== row.pressure)
    return { status: 'mismatch', reason: 'The chart shows another pressure than the row.' };
  return { status: 'confirmed', reason: null };
}
