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

function instantOf(date: string): number {
  const time = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(time)) throw new RangeError(`not a civil date: ${date.slice(0, 20)}`);
  return time;
}
