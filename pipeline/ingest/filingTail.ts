import type { FactDictionaries } from './factDictionaries.ts';
import { noFiscalYear } from './factPage.ts';
import { type JsonCursor, surprised } from './jsonCursor.ts';
import { maxNameBytes } from './parseCompanyFacts.ts';

const quoteByte = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const zeroByte = 0x30;
const slotBits = 10;
const slots = 1 << slotBits;
/** longest remembered text; words of eight bytes */
const slotWords = 16;
const notRemembered = -1;

const key = {
  fy: Buffer.from('"fy"'),
  fp: Buffer.from('"fp"'),
  form: Buffer.from('"form"'),
  filed: Buffer.from('"filed"'),
};

/**
 * Reads what a fact says about its filing: the text from the accession number to the filing date.
 *
 * All facts of a filing share that text, so it is parsed once and afterwards recognised by its bytes.
 */
export class FilingTail {
  readonly accessionLow = new Int32Array(slots);
  readonly accessionHigh = new Int32Array(slots);
  readonly fy = new Int16Array(slots);
  readonly fp = new Int32Array(slots);
  readonly form = new Int32Array(slots);
  readonly filed = new Int32Array(slots);
  /** bytes of the remembered text; 0 in a slot that holds none */
  readonly length = new Int32Array(slots);
  /**
   * The remembered texts as doubles, compared eight bytes at a time: ASCII never spells a zero or a NaN, so that
   * equal doubles are equal bytes.
   */
  private readonly words = new Float64Array(slots * slotWords);
  private readonly dictionaries: FactDictionaries;

  constructor(dictionaries: FactDictionaries) {
    this.dictionaries = dictionaries;
  }

  /**
   * Slot of the text at `at`, the first digit of an accession number, parsed when new; −1 when it is too long or not
   * ASCII and therefore not remembered. Expects 160 more bytes in the file.
   */
  find(cursor: JsonCursor, at: number): number {
    const view = cursor.view;
    const a = view.getInt32(at + 12, true);
    const b = view.getInt32(at + 16, true);
    const slot = Math.imul(b ^ Math.imul(a, 0x9e3779b1), 0x85ebca6b) >>> (32 - slotBits);
    const length = this.length[slot] as number;
    if (length === 0) return this.learn({ cursor, at, slot });
    const words = this.words;
    const base = slot * slotWords;
    const whole = length >> 3;
    let i = 0;
    // by twos: the loop costs as much as the comparison
    for (; i < whole - 1; i += 2) {
      if (
        view.getFloat64(at + i * 8, true) !== words[base + i] ||
        view.getFloat64(at + i * 8 + 8, true) !== words[base + i + 1]
      )
        return this.learn({ cursor, at, slot });
    }
    if (i < whole && view.getFloat64(at + i * 8, true) !== words[base + i])
      return this.learn({ cursor, at, slot });
    // the last word overlaps the one before
    if (view.getFloat64(at + length - 8, true) !== words[base + whole])
      return this.learn({ cursor, at, slot });
    return slot;
  }

  /** Reads the text the cursor stands before, an opening quote, into `slot`; leaves the cursor behind the date. */
  read(cursor: JsonCursor, slot: number): void {
    this.length[slot] = 0;
    this.readAccession(cursor, slot);
    cursor.byte(comma);
    cursor.key(key.fy);
    this.fy[slot] = this.fiscalYear(cursor);
    cursor.byte(comma);
    cursor.key(key.fp);
    this.fp[slot] = this.fiscalPeriod(cursor);
    cursor.byte(comma);
    cursor.key(key.form);
    cursor.name();
    if (cursor.to - cursor.from > maxNameBytes) surprised();
    this.form[slot] = this.dictionaries.form.code(cursor.bytes, cursor.from, cursor.to, 0);
    cursor.byte(comma);
    cursor.key(key.filed);
    this.filed[slot] = cursor.date();
  }

  private learn({ cursor, at, slot }: { cursor: JsonCursor; at: number; slot: number }): number {
    cursor.pos = at - 1;
    this.read(cursor, slot);
    const length = cursor.pos - at;
    if (length > (slotWords - 1) * 8) return notRemembered;
    let seen = 0;
    for (let i = at; i < at + length; i += 1) seen |= cursor.bytes[i] as number;
    // bytes of another file are taken on trust here, so they must not need decoding
    if (seen >= 0x80) return notRemembered;
    const base = slot * slotWords;
    const whole = length >> 3;
    for (let i = 0; i <= whole; i += 1)
      this.words[base + i] = cursor.view.getFloat64(i < whole ? at + i * 8 : at + length - 8, true);
    this.length[slot] = length;
    return slot;
  }

  private readAccession(cursor: JsonCursor, slot: number): void {
    cursor.name();
    const { bytes, from, to } = cursor;
    if (to - from !== 20 || bytes[from + 10] !== minus || bytes[from + 13] !== minus) surprised();
    const filer = digits(bytes, from, 10);
    const rest = digits(bytes, from + 11, 2) * 1_000_000 + digits(bytes, from + 14, 6);
    // filer · 10^8 + rest in two 32-bit words, every intermediate below 2^53
    const high = Math.floor(filer / 65_536) * 100_000_000;
    const low = (filer % 65_536) * 100_000_000 + rest + (high % 65_536) * 65_536;
    this.accessionLow[slot] = low % 4_294_967_296;
    this.accessionHigh[slot] = Math.floor(high / 65_536) + Math.floor(low / 4_294_967_296);
  }

  private fiscalYear(cursor: JsonCursor): number {
    if (cursor.tryNull()) return noFiscalYear;
    const year = cursor.integer();
    if (year > 9999) surprised();
    return year;
  }

  private fiscalPeriod(cursor: JsonCursor): number {
    if (cursor.peek() !== quoteByte) {
      cursor.nullWord();
      return 0;
    }
    cursor.name();
    if (cursor.to - cursor.from > maxNameBytes) surprised();
    return this.dictionaries.fp.code(cursor.bytes, cursor.from, cursor.to, 0) + 1;
  }
}

function digits(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let i = 0; i < count; i += 1) {
    const d = (bytes[at + i] as number) - zeroByte;
    if (!(d >= 0 && d <= 9)) surprised();
    value = value * 10 + d;
  }
  return value;
}
