import { compareText } from '../../data/contract/values/compareText.ts';
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
 * @param releasedOn day a review letter became public, by accession (M7.7); null for every other filing
 */
export function filingEvents(
  rows: readonly FilingRow[],
  { releasedOn }: { readonly releasedOn: (accession: string) => string | null },
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
      return { ...row, ...formFamily(row), instant, knownOn: days.toSorted(compareText).at(-1) ?? row.filed };
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
