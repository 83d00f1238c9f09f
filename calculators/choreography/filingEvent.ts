import { compareText } from '../../data/contract/values/compareText.ts';
import { type BusinessCalendar, isBusinessDay } from '../changes/businessCalendar.ts';
import { addDays } from '../exact/civilDate.ts';
import type { FilingRow } from './filingRow.ts';
import { type Family, formFamily } from './formFamily.ts';

/** A filing as an event of the choreography (I2.37), known since `knownOn`. */
export type FilingEvent = FilingRow & {
  readonly family: Family;
  readonly label: string;
  /** Acceptance, or the end of the filing date where the archive gives none. */
  readonly instant: string;
  /** Day from which point-in-time answers may use the event (M7.7, M10.1). */
  readonly knownOn: string;
};

/** Total order of events: acceptance, then accession (M7.3). */
export function compareEvents(a: FilingEvent, b: FilingEvent): number {
  return compareText(a.instant, b.instant) || compareText(a.accession, b.accession);
}

/**
 * Turns filings into events in their total order; a filing listed twice counts once.
 *
 * @param statesCoins as {@link formFamily} takes it, by accession
 * @param releasedOn day a review letter became public, by accession (M7.7); null for every other filing
 */
export function filingEvents(
  rows: readonly FilingRow[],
  {
    releasedOn,
    statesCoins = () => null,
  }: {
    readonly releasedOn: (accession: string) => string | null;
    readonly statesCoins?: ((accession: string) => boolean | null) | undefined;
  },
): FilingEvent[] {
  const byAccession = new Map<string, FilingRow>();
  for (const row of rows) {
    const known = byAccession.get(row.accession);
    if (known === undefined || compareText(identity(row), identity(known)) < 0)
      byAccession.set(row.accession, row);
  }
  return [...byAccession.values()]
    .map((row) => {
      const instant = row.acceptedAt ?? `${row.filed}T23:59:59Z`;
      // EDGAR dates a filing of the evening on the next business day; neither date may be anticipated
      const days = [row.filed, instant.slice(0, 10), releasedOn(row.accession) ?? row.filed];
      return {
        ...row,
        ...formFamily(row, statesCoins(row.accession)),
        instant,
        knownOn: days.toSorted(compareText).at(-1) ?? row.filed,
      };
    })
    .sort(compareEvents);
}

// a row that gives the acceptance precedes one that does not; then by content, so that input order decides nothing
function identity(row: FilingRow): string {
  return JSON.stringify([
    row.acceptedAt === null,
    row.acceptedAt,
    row.filed,
    row.form,
    row.fileNumber,
    row.items,
    row.reportDate,
    row.description,
  ]);
}

/** The same day `years` later; 29 February becomes 28 February where there is none. */
export function addYears(date: string, years: number): string {
  const year = String(Number(date.slice(0, 4)) + years).padStart(4, '0');
  const day = date.slice(4);
  const leap = new Date(`${year}-02-29T00:00:00Z`).getUTCMonth() === 1;
  return day === '-02-29' && !leap ? `${year}-02-28` : `${year}${day}`;
}

/** The business day `days` after `date`, before it when negative (M6.12); zero gives the day itself. */
export function addBusinessDays(date: string, days: number, calendar: BusinessCalendar): string {
  const step = days < 0 ? -1 : 1;
  let day = date;
  for (let left = Math.abs(days); left > 0; ) {
    day = addDays(day, step);
    if (isBusinessDay(day, calendar)) left -= 1;
  }
  return day;
}

type ChainKind = 'shelf_takedown' | 'private_convert' | 'staff_review' | 'late_filer' | 'ipo' | 'merger';

/** How an event belongs to its chain (M7.10). */
export type Confidence = 'direct' | 'derived' | 'unresolved';

/** What a rule of M7.4 to M7.9 proposes; events may be wanted by several proposals. */
export type ChainProposal = {
  readonly kind: ChainKind;
  readonly family: Family;
  readonly label: string;
  readonly interpretation: string;
  readonly anchor: FilingEvent;
  /** False where the anchor is only what the chain is about: a review goes on without its filing (M7.6). */
  readonly needsAnchor: boolean;
  /** Fewest events, anchor included, that make a chain of this kind. */
  readonly atLeast: number;
  /** The anchor and every event joined to it. */
  readonly members: readonly { readonly event: FilingEvent; readonly confidence: Confidence }[];
};
