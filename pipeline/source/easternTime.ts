/** Hours between Eastern time and UTC: five in winter, four while daylight saving time lasts (15 U.S.C. 260a). */
const winterHours = 5;
const hourMs = 3_600_000;

/**
 * The UTC instant of a clock reading in New York, both `YYYY-MM-DD HH:MM:SS`.
 *
 * Computed from the law, so that no build of a time zone table decides: since 2007 from the second Sunday of March to the
 * first of November, 1987 to 2006 from the first of April to the last of October, each at two o'clock. A reading that
 * the clock shows twice or never is the later instant. EDGAR has none before 1993.
 */
export function utcOfEastern(reading: string): string {
  const asWinter = instantOf(reading) + winterHours * hourMs;
  // in the hour that is repeated winter is later, in the hour that is skipped too
  return textOf(isDaylightReading(reading) ? asWinter - hourMs : asWinter);
}

/** The clock reading in New York at a UTC instant, both `YYYY-MM-DD HH:MM:SS`. */
export function easternOfUtc(instant: string): string {
  const asWinter = instantOf(instant) - winterHours * hourMs;
  const [start, end] = daylightOf(Number(instant.slice(0, 4)));
  // two o'clock of summer is one o'clock of winter
  return textOf(asWinter >= start && asWinter < end - hourMs ? asWinter + hourMs : asWinter);
}

/** True where the clock shows a reading in summer only: from three o'clock of its first day to one of its last. */
function isDaylightReading(reading: string): boolean {
  const [start, end] = daylightOf(Number(reading.slice(0, 4)));
  const at = instantOf(reading);
  return at >= start + hourMs && at < end - hourMs;
}

/** First and last two o'clock of daylight saving time, as clock readings. */
function daylightOf(year: number): readonly [start: number, end: number] {
  const [start, end] =
    year >= 2007 ? [sunday(year, 3, 8), sunday(year, 11, 1)] : [sunday(year, 4, 1), sunday(year, 10, 25)];
  return [start + 2 * hourMs, end + 2 * hourMs];
}

/** Midnight of the first Sunday on or after a day. */
function sunday(year: number, month: number, day: number): number {
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
  return Date.UTC(year, month - 1, day + ((7 - weekday) % 7));
}

function instantOf(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`);
}

function textOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 19).replace('T', ' ');
}
