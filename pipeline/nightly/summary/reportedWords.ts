import type { CovenantStress } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import { printable } from '../../../data/contract/values/printable.ts';

type Event = NonNullable<CovenantStress['reported_events']>[number];

/** An event that became known on the day of the slice, and whose it is. */
export type ReportedLine = { readonly ticker: string } & Pick<Event, 'text' | 'accession_number' | 'place'>;

/** The events of a slice's day, one line each, in the order of its rows. */
export function reportedLines(rows: readonly CovenantStress[], day: string): ReportedLine[] {
  return rows.flatMap(({ ticker, reported_events: events = [] }) =>
    events
      .filter(({ known_on }) => known_on === day)
      .map(({ text, accession_number, place }) => ({ ticker, text, accession_number, place })),
  );
}

/** `MSTR bought 855 BTC …; holds 713,502 (0001193125-26-032731, 8-K#3)`. */
export function reportedWords({ ticker, text, accession_number, place }: ReportedLine): string {
  return printable(`${ticker} ${text} (${accession_number}, ${place})`);
}
