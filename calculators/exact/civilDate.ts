// Civil dates are `YYYY-MM-DD` strings; they compare as strings and count in whole UTC days.

const dayMs = 86_400_000;

/** Days from `from` to `to`; negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return (instantOf(to) - instantOf(from)) / dayMs;
}

/** The civil date `days` after `date`. */
export function addDays(date: string, days: number): string {
  return new Date(instantOf(date) + days * dayMs).toISOString().slice(0, 10);
}

/** Days a flow covers, both ends included. */
export function daysCovered(start: string, end: string): number {
  return daysBetween(start, end) + 1;
}

/** The same day of a later month, or that month's last day. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const index = year * 12 + month - 1 + months;
  const first = `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`;
  const [same, last] = [addDays(first, day - 1), lastDayOf(first)];
  return same < last ? same : last;
}

/** As {@link addMonths}; the last day of a month stays a last day. */
export function monthsAfter(date: string, months: number): string {
  const later = addMonths(date, months);
  return date === lastDayOf(date) ? lastDayOf(later) : later;
}

export function lastDayOf(date: string): string {
  return addDays(`${addDays(`${date.slice(0, 7)}-28`, 4).slice(0, 7)}-01`, -1);
}

function instantOf(date: string): number {
  const time = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(time)) throw new RangeError(`not a civil date: ${date.slice(0, 20)}`);
  return time;
}
