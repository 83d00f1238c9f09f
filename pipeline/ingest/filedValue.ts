import { daysBetween } from '../../calculators/exact/civilDate.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { isCivilDate } from '../../data/contract/values/primitives.ts';
import { EntryFault } from '../zip/zipEntry.ts';

const firstYear = 1900;
const yearSpan = 300;
/** Day number of `YYYY-MM-DD`; null when the text is not an existing date of years 1–9999. */
export function parseCivilDate(text: string): number | null {
  return isCivilDate(text) && text >= '0001' ? daysBetween('1970-01-01', text) : null;
}

/** First day number and length of every month of 1900–2199, indexed by (year − 1900) · 12 + month − 1. */
export function monthTable(): { firstDay: Int32Array; length: Uint8Array } {
  const firstDayOf = (i: number) => Date.UTC(firstYear, i) / 86_400_000;
  return {
    firstDay: Int32Array.from({ length: yearSpan * 12 }, (_, i) => firstDayOf(i)),
    length: Uint8Array.from({ length: yearSpan * 12 }, (_, i) => firstDayOf(i + 1) - firstDayOf(i)),
  };
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
