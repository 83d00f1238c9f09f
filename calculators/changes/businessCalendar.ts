import { addDays } from '../exact/civilDate.ts';

/** The days on which nothing is a business day although it is Monday to Friday (M6.12). */
export type BusinessCalendar = { readonly holidays: ReadonlySet<string> };

/** True for Monday to Friday without a listed federal holiday (M6.12). */
export function isBusinessDay(date: string, calendar: BusinessCalendar): boolean {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !calendar.holidays.has(date);
}

/** Business days after `from` up to and including `to`; 0 when `to` is not later. */
export function businessDaysAfter(from: string, to: string, calendar: BusinessCalendar): number {
  let days = 0;
  for (let day = addDays(from, 1); day <= to; day = addDays(day, 1)) {
    if (isBusinessDay(day, calendar)) days += 1;
  }
  return days;
}

/** What R08 dates its figures with: the deltas of the issuers that passed the daily-change gate (I3.27). */
export type DeltaDates = {
  /** Newest night whose delta contained the issuer and passed, by CIK. */
  readonly byIssuer: ReadonlyMap<string, string>;
  /** Night of the baseline scan; null when no archive was scanned. */
  readonly baseline: string | null;
};

/**
 * The date of an issuer's newest delta that passed. A filing the baseline already had keeps the date it was filed; one
 * that came later in a delta that did not pass is shown under the date of the baseline.
 */
export function deltaDateOf(filing: { cik: string; filed: string }, dates: DeltaDates | null): string {
  const passed = dates?.byIssuer.get(filing.cik);
  if (passed !== undefined) return passed;
  const baseline = dates?.baseline ?? null;
  return baseline !== null && baseline < filing.filed ? baseline : filing.filed;
}
