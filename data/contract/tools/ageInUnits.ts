/** An age as a tool tells it: whole hours and whole days beside its minutes (I4.MCP.15). */
export type AgeInUnits = {
  readonly age_minutes: number | null;
  readonly age_hours: number | null;
  readonly age_days: number | null;
};

/** The members of an age in minutes; what is not known in one unit is not known in any. */
export function ageInUnits(minutes: number | null): AgeInUnits {
  if (minutes === null) return { age_minutes: null, age_hours: null, age_days: null };
  const hours = Math.floor(minutes / 60);
  return { age_minutes: minutes, age_hours: hours, age_days: Math.floor(hours / 24) };
}

/** The age in words, in the largest unit that it is two of; null where it is not known. */
export function ageInWords({
  age_minutes: minutes,
  age_hours: hours,
  age_days: days,
}: AgeInUnits): string | null {
  if (minutes === null || hours === null || days === null) return null;
  if (days >= 2) return `${days} days`;
  return hours >= 2 ? `${hours} hours` : `${minutes} minutes`;
}
