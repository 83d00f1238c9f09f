import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { EntryFault } from '../zip/zipEntry.ts';

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
