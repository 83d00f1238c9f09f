const dayMs = 86_400_000;

/** The UTC day of an instant, `YYYY-MM-DD`. */
export function utcDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** The civil date `days` after `date` (negative: before). */
export function addDays(date: string, days: number): string {
  return utcDay(new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs));
}

/** Every civil date from `from` to `to`, both included; empty when `from` is later. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}
