import { compareText } from '../../values/compareText.ts';
import type { CovenantStress } from './covenantStress.ts';

/** The newest event of an issuer, with the age of the coins its live reading rests on. */
export type NewestReport = {
  readonly ticker: string;
  readonly text: string;
  readonly known_on: string;
  readonly accession_number: string;
  /** null where the live reading rests on filed coins. */
  readonly live_units_age_days: number | null;
};

const weekMs = 7 * 86_400_000;

/** What issuers reported in the week to `day`, the newest first, one event an issuer (I2.5i). */
export function newestReports(
  rows: readonly CovenantStress[],
  { day, limit }: { readonly day: string; readonly limit: number },
): NewestReport[] {
  return rows
    .flatMap(({ ticker, reported_events: [event] = [], live_units_age_days = null }) => {
      if (event === undefined || Date.parse(day) - Date.parse(event.known_on) >= weekMs) return [];
      const { text, known_on, accession_number } = event;
      return [{ ticker, text, known_on, accession_number, live_units_age_days }];
    })
    .toSorted((a, b) => compareText(b.known_on, a.known_on) || compareText(a.ticker, b.ticker))
    .slice(0, limit);
}

/** `MSTR, 2026-02-02: bought 855 BTC …; live coins 6 days old (0001193125-26-032731).` */
export function reportWords({ ticker, text, known_on, accession_number, ...report }: NewestReport): string {
  const { live_units_age_days: days } = report;
  const age = days === null ? '' : `; live coins ${days} ${days === 1 ? 'day' : 'days'} old`;
  return `${ticker}, ${known_on}: ${text}${age} (${accession_number}).`;
}
