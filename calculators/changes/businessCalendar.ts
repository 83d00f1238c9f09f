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
