import { type BusinessCalendar, isBusinessDay } from '../changes/businessCalendar.ts';
import { addDays } from '../exact/civilDate.ts';

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
