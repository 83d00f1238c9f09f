const datePattern = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d:\d\d:\d\d)(?:\.0+)?)?$/;
const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** First day of a period from `startDate`; null when the text is no whole day. */
export function startDay(text: string): string | null {
  const day = civilDay(text);
  return day === null || day.time === '24:00:00' ? null : day.date;
}

/**
 * Last day of a period from `endDate` or `instant`: a date means its end (XBRL 2.1 §4.7.2), so midnight at the start
 * of a day is the end of the day before. Null when the text is no whole day.
 */
export function endDay(text: string): string | null {
  const day = civilDay(text);
  if (day === null) return null;
  return day.time === '00:00:00' ? dayBefore(day.date) : day.date;
}

function civilDay(text: string): { date: string; time: string | null } | null {
  const m = datePattern.exec(text.trim());
  if (m === null) return null;
  const [, year = '', month = '', day = '', time = null] = m;
  if (Number(year) < 1 || Number(day) < 1 || Number(day) > daysIn(Number(year), Number(month))) return null;
  if (time !== null && time !== '00:00:00' && time !== '24:00:00') return null;
  return { date: `${year}-${month}-${day}`, time };
}

function dayBefore(date: string): string | null {
  let year = Number(date.slice(0, 4));
  let month = Number(date.slice(5, 7));
  let day = Number(date.slice(8, 10)) - 1;
  if (day === 0) {
    month = month === 1 ? 12 : month - 1;
    if (month === 12) year -= 1;
    day = daysIn(year, month);
  }
  if (year === 0) return null;
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : (days[month - 1] ?? 0);
}
