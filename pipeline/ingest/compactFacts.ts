import { noStart, pageRows } from './factPage.ts';
import type { FactSink } from './factSink.ts';
import { monthTable } from './filedValue.ts';
import type { FilingTail } from './filingTail.ts';
import { type JsonCursor, powersOfTen } from './jsonCursor.ts';

const word = (text: string) => Buffer.from(text).readInt32LE(0);
/** words of the compact spelling `{"start":"…","end":"…","val":…,"accn":"…` and `,"frame":"CY…` */
const openSta = word('{"st');
const art = word('art"');
const colonQuote = 0x223a;
const openEn = word('{"en');
const dColon = word('d":"');
const commaEn = word('","e');
const ndColon = word('nd":');
const commaVa = word('","v');
const alColon = word('al":');
const commaAcc = word(',"ac');
const cnColon = word('cn":');
const commaFr = word(',"fr');
const ame = word('ame"');
const CY = word(':"CY');
const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const open = 0x7b;
const close = 0x7d;
const closeArray = 0x5d;
/** more than any row this reader takes; rows nearer to the end of the file are left to the general one */
const reach = 400;
const firstYear = 1900;
const firstMonths = monthTable();
const noDate = -2147483648;

/**
 * Reads runs of facts in the compact spelling EDGAR serves, a 32-bit word at a time.
 *
 * It takes only rows it understands to the last byte and leaves any other, with the position, to the general scanner.
 */
export class CompactFacts {
  private readonly sink: FactSink;
  private readonly tail: FilingTail;
  /** frame codes by (year − 1900) · 16 + 0 (year), 1–4 (quarter), 9–12 (quarter end); 0 while unknown */
  private readonly frames = new Int32Array(300 * 16);
  private readonly firstDay = firstMonths.firstDay;
  private readonly lengths = firstMonths.length;

  constructor(sink: FactSink, tail: FilingTail) {
    this.sink = sink;
    this.tail = tail;
  }

  /**
   * Takes rows from `cursor.pos`, a `{`, on; leaves the cursor at the `{` of the first row not taken or at the `]`.
   */
  rows(cursor: JsonCursor, cik: number, series: number): void {
    const { bytes, view } = cursor;
    const { sink, tail } = this;
    const last = bytes.length - reach;
    let pos = cursor.pos;
    while (pos < last) {
      sink.ensureRoom();
      const page = sink.page;
      let row = sink.row;
      for (; row < pageRows && pos < last; row += 1) {
        let at = pos;
        let start = noStart;
        const opening = view.getInt32(at, true);
        if (opening === openSta) {
          if (view.getInt32(at + 4, true) !== art || view.getUint16(at + 8, true) !== colonQuote) break;
          start = this.date(view, at + 10);
          if (start === noDate) break;
          if (view.getInt32(at + 20, true) !== commaEn || view.getInt32(at + 24, true) !== ndColon) break;
          if (bytes[at + 28] !== quote) break;
          at += 29;
        } else if (opening === openEn && view.getInt32(at + 4, true) === dColon) at += 8;
        else break;
        const end = this.date(view, at);
        if (end === noDate) break;
        if (view.getInt32(at + 10, true) !== commaVa || view.getInt32(at + 14, true) !== alColon) break;
        at += 18;
        const negative = bytes[at] === minus;
        if (negative) at += 1;
        const first = at;
        let value = 0;
        let digit = (bytes[at] as number) - zero;
        while (digit >= 0 && digit <= 9) {
          value = value * 10 + digit;
          at += 1;
          digit = (bytes[at] as number) - zero;
        }
        let digits = at - first;
        if (digits === 0 || (digits > 1 && bytes[first] === zero)) break;
        if (bytes[at] === point) {
          at += 1;
          const fraction = at;
          digit = (bytes[at] as number) - zero;
          while (digit >= 0 && digit <= 9) {
            value = value * 10 + digit;
            at += 1;
            digit = (bytes[at] as number) - zero;
          }
          const scale = at - fraction;
          digits += scale;
          if (scale === 0 || digits > 15) break;
          // both exact in a double, so the quotient is the nearest one
          value /= powersOfTen[scale] as number;
        } else if (digits > 15) break;
        if (view.getInt32(at, true) !== commaAcc || view.getInt32(at + 4, true) !== cnColon) break;
        if (bytes[at + 8] !== quote || at > last) break;
        const slot = tail.find(cursor, at + 9);
        if (slot < 0) break;
        at += 9 + (tail.length[slot] as number);
        let frame = 0;
        if (bytes[at] === comma) {
          frame = this.frame(cursor, at);
          if (frame === 0) break;
          at = cursor.pos;
        }
        if (bytes[at] !== close) break;
        const after = bytes[at + 1];
        if (after === comma ? bytes[at + 2] !== open : after !== closeArray) break;
        page.start[row] = start;
        page.end[row] = end;
        page.value[row] = negative ? 0 - value : value;
        page.accessionWords[row * 2] = tail.accessionLow[slot] as number;
        page.accessionWords[row * 2 + 1] = tail.accessionHigh[slot] as number;
        page.fy[row] = tail.fy[slot] as number;
        page.fp[row] = tail.fp[slot] as number;
        page.form[row] = tail.form[slot] as number;
        page.filed[row] = tail.filed[slot] as number;
        page.frame[row] = frame;
        page.cik[row] = cik;
        page.series[row] = series;
        if (after === closeArray) {
          sink.row = row + 1;
          cursor.pos = at + 1;
          return;
        }
        pos = at + 2;
      }
      sink.row = row;
      if (row < pageRows) break;
    }
    cursor.pos = pos;
  }

  /** Day number of `YYYY-MM-DD"` at `at`; NO_DATE for anything else and outside 1900–2199. */
  private date(view: DataView, at: number): number {
    const y = view.getInt32(at, true) ^ 0x30303030;
    const m = view.getInt32(at + 4, true);
    const d = view.getInt32(at + 8, true) ^ 0x3030;
    // every byte a digit: no high nibble, and none carries after adding 6
    if (((y | (y + 0x06060606)) & 0xf0f0f0f0) !== 0) return noDate;
    const month = (((m >>> 8) ^ 0x30) & 0xff) * 10 + (((m >>> 16) ^ 0x30) & 0xff);
    if ((m & 0xff0000ff) !== 0x2d00002d || (d & 0xff0000) !== 0x220000) return noDate;
    if (((d | (d + 0x0606)) & 0xf0f0) !== 0) return noDate;
    const year = (y & 0xff) * 1000 + ((y >>> 8) & 0xff) * 100 + ((y >>> 16) & 0xff) * 10 + (y >>> 24);
    const monthLow = ((m >>> 16) ^ 0x30) & 0xff;
    if (monthLow > 9 || month < 1 || month > 12) return noDate;
    const day = (d & 0xff) * 10 + ((d >>> 8) & 0xff);
    const index = (year - firstYear) * 12 + month - 1;
    if (index < 0 || index >= this.firstDay.length || day < 1 || day > (this.lengths[index] as number))
      return noDate;
    return (this.firstDay[index] as number) + day - 1;
  }

  /** Code of `,"frame":"CY2024Q1I"` at `at` with the cursor left behind it; 0 for anything else. */
  private frame(cursor: JsonCursor, at: number): number {
    const { bytes, view } = cursor;
    if (view.getInt32(at, true) !== commaFr || view.getInt32(at + 4, true) !== ame) return 0;
    if (view.getInt32(at + 8, true) !== CY) return 0;
    const y = view.getInt32(at + 12, true) ^ 0x30303030;
    if (((y | (y + 0x06060606)) & 0xf0f0f0f0) !== 0) return 0;
    const year = (y & 0xff) * 1000 + ((y >>> 8) & 0xff) * 100 + ((y >>> 16) & 0xff) * 10 + (y >>> 24);
    let variant = 0;
    let to = at + 16;
    if (bytes[to] === 0x51) {
      variant = (bytes[to + 1] as number) - zero;
      if (variant < 1 || variant > 4) return 0;
      to += 2;
      if (bytes[to] === 0x49) {
        variant += 8;
        to += 1;
      }
    }
    if (bytes[to] !== quote || year < firstYear || year >= firstYear + 300) return 0;
    cursor.pos = to + 1;
    const index = (year - firstYear) * 16 + variant;
    const known = this.frames[index] as number;
    if (known !== 0) return known;
    const code = this.sink.dictionaries.frame.code(bytes, at + 10, to, 0) + 1;
    this.frames[index] = code;
    return code;
  }
}
