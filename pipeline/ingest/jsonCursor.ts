import { type FiledNumber, filedNumber, monthTable, parseCivilDate } from './filedValue.ts';

const quote = 0x22;
const backslash = 0x5c;
const zero = 0x30;
const minus = 0x2d;
const point = 0x2e;
const maxFastDigits = 15;
/** 10^0 … 10^15, all exact in a double */
export const powersOfTen = Float64Array.from({ length: maxFastDigits + 1 }, (_, i) => 10 ** i);
const firstYear = 1900;
const { firstDay, length: lengths } = monthTable();

/** Thrown where a file is not in the one shape the scanner knows; carries no reason because another reader decides. */
export class Surprise extends Error {
  override readonly name = 'Surprise';
}

// one instance: a stack trace per surprise would cost more than the file
const surprise = new Surprise();

/** Leaves the scanner. */
export function surprised(): never {
  throw surprise;
}

/** Reads JSON tokens from bytes; every method skips leading white space and throws Surprise on anything else. */
export class JsonCursor {
  bytes: Uint8Array = new Uint8Array(0);
  /** the same bytes */
  view: DataView = new DataView(new ArrayBuffer(0));
  pos = 0;
  /** all bytes of all strings read, or-ed: below 0x80 when they are ASCII */
  seen = 0;
  /** range of the last string, without quotes */
  from = 0;
  to = 0;
  /** exact decimal of the last number where the double does not hold it */
  exact: string | null = null;

  /** Starts at the first byte of `bytes`. */
  open(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.pos = 0;
    this.seen = 0;
  }

  /** The next byte that is not white space, not consumed. */
  peek(): number {
    const bytes = this.bytes;
    let pos = this.pos;
    let c = bytes[pos] as number;
    while (c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09) {
      pos += 1;
      c = bytes[pos] as number;
    }
    this.pos = pos;
    return c;
  }

  byte(expected: number): void {
    if (this.peek() !== expected) surprised();
    this.pos += 1;
  }

  /** True, and consumed, when `expected` comes next. */
  tryByte(expected: number): boolean {
    if (this.peek() !== expected) return false;
    this.pos += 1;
    return true;
  }

  /** True, and consumed, when the quoted key and a colon come next. */
  tryKey(key: Uint8Array): boolean {
    this.peek();
    const { bytes, pos } = this;
    for (let i = 0; i < key.length; i += 1) if (bytes[pos + i] !== key[i]) return false;
    this.pos = pos + key.length;
    this.byte(0x3a);
    return true;
  }

  key(key: Uint8Array): void {
    if (!this.tryKey(key)) surprised();
  }

  /** Reads a string without escapes into `from`, `to`. */
  name(): void {
    this.byte(quote);
    const bytes = this.bytes;
    let pos = this.pos;
    let seen = 0;
    this.from = pos;
    for (;;) {
      const c = bytes[pos] as number;
      if (c === quote) break;
      // also true past the end, where c is undefined
      if (!(c >= 0x20) || c === backslash) surprised();
      seen |= c;
      pos += 1;
    }
    this.seen |= seen;
    this.to = pos;
    this.pos = pos + 1;
  }

  /** Passes over a string, escapes checked; its range is in `from`, `to`. */
  text(): void {
    this.byte(quote);
    const bytes = this.bytes;
    let pos = this.pos;
    let seen = 0;
    this.from = pos;
    for (;;) {
      const c = bytes[pos] as number;
      if (c === quote) break;
      if (!(c >= 0x20)) surprised();
      seen |= c;
      pos += c === backslash ? this.escape(pos) : 1;
    }
    this.seen |= seen;
    this.to = pos;
    this.pos = pos + 1;
  }

  textOrNull(): boolean {
    if (this.peek() === quote) {
      this.text();
      return true;
    }
    this.nullWord();
    return false;
  }

  /** True, and consumed, when `null` comes next. */
  tryNull(): boolean {
    if (this.peek() !== 0x6e) return false;
    this.nullWord();
    return true;
  }

  nullWord(): void {
    const { bytes, pos } = this;
    if (bytes[pos] !== 0x6e || bytes[pos + 1] !== 0x75 || bytes[pos + 2] !== 0x6c || bytes[pos + 3] !== 0x6c)
      surprised();
    this.pos = pos + 4;
  }

  /** Reads "YYYY-MM-DD" as a day number. */
  date(): number {
    this.byte(quote);
    const { bytes, pos } = this;
    if (bytes[pos + 4] !== minus || bytes[pos + 7] !== minus || bytes[pos + 10] !== quote) surprised();
    const year = this.digits2(pos) * 100 + this.digits2(pos + 2);
    const month = this.digits2(pos + 5);
    const day = this.digits2(pos + 8);
    this.pos = pos + 11;
    if (month < 1 || month > 12 || day < 1 || year < 1) surprised();
    const index = (year - firstYear) * 12 + month - 1;
    if (index >= 0 && index < firstDay.length) {
      if (day > (lengths[index] as number)) surprised();
      return (firstDay[index] as number) + day - 1;
    }
    return parseCivilDate(Buffer.from(bytes.subarray(pos, pos + 10)).toString('latin1')) ?? surprised();
  }

  /** Reads an unsigned integer of at most nine digits. */
  integer(): number {
    this.peek();
    const bytes = this.bytes;
    const start = this.pos;
    let pos = start;
    let value = 0;
    for (let d = (bytes[pos] as number) - zero; d >= 0 && d <= 9; d = (bytes[pos] as number) - zero) {
      value = value * 10 + d;
      pos += 1;
    }
    const c = bytes[pos];
    if (pos === start || pos - start > 9 || (pos - start > 1 && bytes[start] === zero)) surprised();
    if (c === point || c === 0x65 || c === 0x45) surprised();
    this.pos = pos;
    return value;
  }

  /** Reads a number; `exact` holds its decimal where the double does not. */
  number(): number {
    this.peek();
    const bytes = this.bytes;
    const start = this.pos;
    let pos = start;
    const negative = bytes[pos] === minus;
    if (negative) pos += 1;
    const first = pos;
    let mantissa = 0;
    for (let d = (bytes[pos] as number) - zero; d >= 0 && d <= 9; d = (bytes[pos] as number) - zero) {
      mantissa = mantissa * 10 + d;
      pos += 1;
    }
    let digits = pos - first;
    if (digits === 0 || (digits > 1 && bytes[first] === zero)) surprised();
    let scale = 0;
    if (bytes[pos] === point) {
      pos += 1;
      const fraction = pos;
      for (let d = (bytes[pos] as number) - zero; d >= 0 && d <= 9; d = (bytes[pos] as number) - zero) {
        mantissa = mantissa * 10 + d;
        pos += 1;
      }
      scale = pos - fraction;
      if (scale === 0) surprised();
      digits += scale;
    }
    const c = bytes[pos] as number;
    if (digits > maxFastDigits || c === 0x65 || c === 0x45) return this.longNumber(start, pos);
    this.pos = pos;
    this.exact = null;
    // digits and power are exact in a double, so one division rounds correctly
    const value = scale === 0 ? mantissa : mantissa / (powersOfTen[scale] as number);
    return negative ? 0 - value : value;
  }

  private longNumber(start: number, from: number): number {
    const bytes = this.bytes;
    let pos = from;
    if (bytes[pos] === 0x65 || bytes[pos] === 0x45) {
      pos += 1;
      if (bytes[pos] === minus || bytes[pos] === 0x2b) pos += 1;
      const exponent = pos;
      while ((bytes[pos] as number) >= zero && (bytes[pos] as number) <= 0x39) pos += 1;
      if (pos === exponent) surprised();
    }
    this.pos = pos;
    const number: FiledNumber = filedNumber(Buffer.from(bytes.subarray(start, pos)).toString('latin1'));
    this.exact = number.exact;
    return number.value;
  }

  private digits2(at: number): number {
    const a = (this.bytes[at] as number) - zero;
    const b = (this.bytes[at + 1] as number) - zero;
    if (!(a >= 0 && a <= 9 && b >= 0 && b <= 9)) surprised();
    return a * 10 + b;
  }

  /** Length of the escape at `pos`; an escaped surrogate is a surprise, paired or not. */
  private escape(pos: number): number {
    const bytes = this.bytes;
    const c = bytes[pos + 1];
    if (c !== 0x75) {
      // " \ / b f n r t
      const known =
        c === quote ||
        c === backslash ||
        c === 0x2f ||
        c === 0x62 ||
        c === 0x66 ||
        c === 0x6e ||
        c === 0x72 ||
        c === 0x74;
      if (!known) surprised();
      return 2;
    }
    for (let i = 2; i < 6; i += 1) {
      const h = (bytes[pos + i] as number) | 0x20;
      if (!((h >= 0x30 && h <= 0x39) || (h >= 0x61 && h <= 0x66))) surprised();
    }
    const high = (bytes[pos + 2] as number) | 0x20;
    if (high === 0x64 && (bytes[pos + 3] as number) >= 0x38) surprised();
    return 6;
  }
}
