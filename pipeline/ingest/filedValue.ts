import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { EntryFault } from '../zip/zipEntry.ts';

const firstYear = 1900;
const yearSpan = 300;
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Days of month `month` (1–12); 0 for a month that does not exist. */
export function monthLength(year: number, month: number): number {
  if (month === 2 && (year % 4 === 0 ? year % 100 !== 0 || year % 400 === 0 : false)) return 29;
  return monthLengths[month - 1] ?? 0;
}

/** Days from 1970-01-01 to a civil date of the proleptic Gregorian calendar. */
export function dayNumber(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** Day number of `YYYY-MM-DD`; null when the text is not an existing date of years 1–9999. */
export function parseCivilDate(text: string): number | null {
  const m = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (m === null) return null;
  const [year, month, day] = [Number(m[1]), Number(m[2]), Number(m[3])];
  if (year < 1 || day < 1 || day > monthLength(year, month)) return null;
  return dayNumber(year, month, day);
}

/** First day number and length of every month of 1900–2199, indexed by (year − 1900) · 12 + month − 1. */
export function monthTable(): { firstDay: Int32Array; length: Uint8Array } {
  const firstDay = new Int32Array(yearSpan * 12);
  const length = new Uint8Array(yearSpan * 12);
  for (let i = 0; i < firstDay.length; i += 1) {
    const year = firstYear + Math.floor(i / 12);
    const month = (i % 12) + 1;
    firstDay[i] = dayNumber(year, month, 1);
    length[i] = monthLength(year, month);
  }
  return { firstDay, length };
}

const maxLength = 400;

/** A filed number: the nearest double, and the exact decimal in shortest form where the double does not hold it. */
export type FiledNumber = { readonly value: number; readonly exact: string | null };

/**
 * Reads a JSON number without losing a digit (M10.8).
 *
 * A double holds a decimal when its own shortest form is that decimal. Throws EntryFault beyond the range of
 * doubles and beyond 400 characters.
 */
export function filedNumber(text: string): FiledNumber {
  if (text.length > maxLength) throw new EntryFault(`a value has more than ${maxLength} characters`);
  // −0 is 0 (M0.4)
  const value = Number(text) + 0;
  if (!Number.isFinite(value))
    throw new EntryFault(`the value ${text.slice(0, 40)} is beyond the range of doubles`);
  const filed = ExactDecimal.tryParse(text);
  if (filed === null) throw new EntryFault(`the value ${text.slice(0, 40)} has too large an exponent`);
  return { value, exact: filed.equals(ExactDecimal.fromNumber(value)) ? null : filed.toString() };
}
