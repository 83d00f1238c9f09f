import { EntryFault } from '../zip/zipEntry.ts';
import type { ByteInterner } from './byteInterner.ts';
import { NO_FISCAL_YEAR, NO_START } from './factPage.ts';
import type { FactSink } from './factSink.ts';
import { JsonCursor, Surprise, surprised } from './jsonCursor.ts';
import { MAX_NAME_BYTES } from './parseCompanyFacts.ts';

const OPEN = 0x7b;
const CLOSE = 0x7d;
const COMMA = 0x2c;
const QUOTE = 0x22;
const ZERO = 0x30;
const MINUS = 0x2d;

const quoted = (key: string) => Buffer.from(`"${key}"`);
const key = {
  cik: quoted('cik'),
  entityName: quoted('entityName'),
  facts: quoted('facts'),
  label: quoted('label'),
  description: quoted('description'),
  units: quoted('units'),
  start: quoted('start'),
  end: quoted('end'),
  val: quoted('val'),
  accn: quoted('accn'),
  fy: quoted('fy'),
  fp: quoted('fp'),
  form: quoted('form'),
  filed: quoted('filed'),
  frame: quoted('frame'),
};

/** Outcome of a scan: the entity name, or that the file must be read by the general parser. */
export type Scan = { readonly known: true; readonly entityName: string | null } | { readonly known: false };

/**
 * Reads companyfacts files in the one key order EDGAR writes, straight from bytes into typed columns.
 *
 * Agrees with parseCompanyFacts on every column of every file it accepts; whatever it does not know it leaves to it.
 */
export class CompanyFactsScanner {
  private readonly cursor = new JsonCursor();
  private readonly sink: FactSink;
  private cik = 0;
  private series = 0;

  constructor(sink: FactSink) {
    this.sink = sink;
  }

  /** Adds the rows of `content`, which must be valid UTF-8; after `known: false` the caller takes its rows back. */
  scan(content: Uint8Array, cik: number): Scan {
    this.cursor.bytes = content;
    this.cursor.pos = 0;
    this.cik = cik;
    try {
      return { known: true, entityName: this.file() };
    } catch (error) {
      if (error instanceof Surprise || error instanceof EntryFault) return { known: false };
      throw error;
    }
  }

  private file(): string | null {
    const c = this.cursor;
    c.byte(OPEN);
    c.key(key.cik);
    this.checkCik();
    c.byte(COMMA);
    c.key(key.entityName);
    const entityName = this.entityName();
    c.byte(COMMA);
    c.key(key.facts);
    c.byte(OPEN);
    if (!c.tryByte(CLOSE)) {
      do this.taxonomy();
      while (c.tryByte(COMMA));
      c.byte(CLOSE);
    }
    c.byte(CLOSE);
    c.peek();
    if (c.pos !== c.bytes.length) surprised();
    return entityName;
  }

  private checkCik(): void {
    const c = this.cursor;
    const text = c.tryByte(QUOTE);
    const from = c.pos;
    let value = 0;
    let digit = (c.bytes[c.pos] as number) - ZERO;
    for (; digit >= 0 && digit <= 9; digit = (c.bytes[c.pos] as number) - ZERO) {
      value = value * 10 + digit;
      c.pos += 1;
    }
    const digits = c.pos - from;
    if (digits === 0 || digits > 10 || value !== this.cik) surprised();
    if (text) c.byte(QUOTE);
    else if (digits > 1 && c.bytes[from] === ZERO) surprised();
  }

  private entityName(): string | null {
    const c = this.cursor;
    if (!c.textOrNull()) return null;
    const raw = Buffer.from(c.bytes.buffer, c.bytes.byteOffset + c.from - 1, c.to - c.from + 2).toString(
      'utf8',
    );
    return JSON.parse(raw) as string;
  }

  private taxonomy(): void {
    const c = this.cursor;
    const taxonomy = this.newKey(this.sink.dictionaries.taxonomy, 0);
    c.byte(OPEN);
    if (c.tryByte(CLOSE)) return;
    do this.concept(taxonomy);
    while (c.tryByte(COMMA));
    c.byte(CLOSE);
  }

  private concept(taxonomy: number): void {
    const c = this.cursor;
    const concept = this.newKey(this.sink.dictionaries.concept, taxonomy);
    c.byte(OPEN);
    c.key(key.label);
    c.textOrNull();
    c.byte(COMMA);
    c.key(key.description);
    c.textOrNull();
    c.byte(COMMA);
    c.key(key.units);
    c.byte(OPEN);
    if (!c.tryByte(CLOSE)) {
      do this.unit(concept);
      while (c.tryByte(COMMA));
      c.byte(CLOSE);
    }
    c.byte(CLOSE);
  }

  private unit(concept: number): void {
    const c = this.cursor;
    this.series = this.newKey(this.sink.dictionaries.series, concept);
    c.byte(0x5b);
    if (c.tryByte(0x5d)) return;
    do this.fact();
    while (c.tryByte(COMMA));
    c.byte(0x5d);
  }

  private fact(): void {
    const c = this.cursor;
    const { sink } = this;
    const { dictionaries } = sink;
    sink.ensureRoom();
    const page = sink.page;
    const at = sink.row;
    c.byte(OPEN);
    page.start[at] = c.tryKey(key.start) ? this.dateThenComma() : NO_START;
    c.key(key.end);
    page.end[at] = this.dateThenComma();
    c.key(key.val);
    page.value[at] = c.number();
    const exact = c.exact;
    c.byte(COMMA);
    c.key(key.accn);
    this.accession(at * 2, exact);
    c.byte(COMMA);
    c.key(key.fy);
    page.fy[at] = this.fiscalYear();
    c.byte(COMMA);
    c.key(key.fp);
    page.fp[at] = c.peek() === QUOTE ? this.nameCode(dictionaries.fp) + 1 : this.nothing(0);
    c.byte(COMMA);
    c.key(key.form);
    page.form[at] = this.nameCode(dictionaries.form);
    c.byte(COMMA);
    c.key(key.filed);
    page.filed[at] = c.date();
    page.frame[at] = c.tryByte(COMMA) ? this.frame() : 0;
    c.byte(CLOSE);
    page.cik[at] = this.cik;
    page.series[at] = this.series;
    sink.row = at + 1;
  }

  private dateThenComma(): number {
    const day = this.cursor.date();
    this.cursor.byte(COMMA);
    return day;
  }

  private accession(word: number, exact: string | null): void {
    const c = this.cursor;
    c.name();
    const { bytes, from, to } = c;
    const words = this.sink.page.accessionWords;
    if (to - from !== 20 || bytes[from + 10] !== MINUS || bytes[from + 13] !== MINUS) surprised();
    const filer = this.digits(from, 10);
    const rest = this.digits(from + 11, 2) * 1_000_000 + this.digits(from + 14, 6);
    if (exact !== null) {
      words[word] = -1;
      words[word + 1] = -1;
      this.sink.noteExact(Buffer.from(bytes.subarray(from, to)).toString('latin1'), exact);
      return;
    }
    // filer · 10^8 + rest in two 32-bit words, every intermediate below 2^53
    const high = Math.floor(filer / 65_536) * 100_000_000;
    const low = (filer % 65_536) * 100_000_000 + rest + (high % 65_536) * 65_536;
    words[word] = low % 4_294_967_296;
    words[word + 1] = Math.floor(high / 65_536) + Math.floor(low / 4_294_967_296);
  }

  private digits(at: number, count: number): number {
    let value = 0;
    for (let i = 0; i < count; i += 1) {
      const d = (this.cursor.bytes[at + i] as number) - ZERO;
      if (!(d >= 0 && d <= 9)) surprised();
      value = value * 10 + d;
    }
    return value;
  }

  private fiscalYear(): number {
    const c = this.cursor;
    if (c.peek() === 0x6e) return this.nothing(NO_FISCAL_YEAR);
    const year = c.integer();
    if (year > 9999) surprised();
    return year;
  }

  private frame(): number {
    this.cursor.key(key.frame);
    return this.nameCode(this.sink.dictionaries.frame) + 1;
  }

  private nothing(code: number): number {
    this.cursor.nullWord();
    return code;
  }

  private nameCode(interner: ByteInterner): number {
    const c = this.cursor;
    c.name();
    if (c.to - c.from > MAX_NAME_BYTES) surprised();
    return interner.code(c.bytes, c.from, c.to, 0);
  }

  /** Reads an object key with its colon; one given before in this file under the same parent is a surprise. */
  private newKey(interner: ByteInterner, parent: number): number {
    const c = this.cursor;
    c.name();
    if (c.to - c.from > MAX_NAME_BYTES) surprised();
    const code = interner.code(c.bytes, c.from, c.to, parent);
    c.byte(0x3a);
    if (!interner.stamp(code, this.sink.serial)) surprised();
    return code;
  }
}
