import { isUtf8 } from 'node:buffer';
import { EntryFault } from '../zip/zipEntry.ts';
import type { ByteInterner } from './byteInterner.ts';
import { CompactFacts } from './compactFacts.ts';
import { noStart } from './factPage.ts';
import type { FactSink } from './factSink.ts';
import { FilingTail } from './filingTail.ts';
import { JsonCursor, Surprise, surprised } from './jsonCursor.ts';
import { maxNameBytes } from './parseCompanyFacts.ts';

const open = 0x7b;
const close = 0x7d;
const comma = 0x2c;
const quote = 0x22;
const zero = 0x30;
/** slot of the filing text that the general reader uses */
const spareSlot = 0;

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
  frame: quoted('frame'),
};

/** Outcome of a scan: the entity name, or that the file must be read by the general parser. */
export type Scan = { readonly known: true; readonly entityName: string | null } | { readonly known: false };

/**
 * Reads companyfacts files in the one key order EDGAR writes, straight from bytes into typed columns.
 *
 * Agrees with parseCompanyFacts on every column of every file it accepts; what it does not know it leaves to it.
 */
export class CompanyFactsScanner {
  private readonly cursor = new JsonCursor();
  private readonly sink: FactSink;
  private readonly tail: FilingTail;
  private readonly compact: CompactFacts;
  private cik = 0;

  constructor(sink: FactSink) {
    this.sink = sink;
    this.tail = new FilingTail(sink.dictionaries);
    this.compact = new CompactFacts(sink, this.tail);
  }

  /** Adds the rows of `content`; after `known: false` the caller takes them back. */
  scan(content: Uint8Array, cik: number): Scan {
    this.cursor.open(content);
    this.cik = cik;
    try {
      const entityName = this.file();
      // outside strings only ASCII gets this far
      if (this.cursor.seen >= 0x80 && !isUtf8(content)) return { known: false };
      return { known: true, entityName };
    } catch (error) {
      if (error instanceof Surprise || error instanceof EntryFault) return { known: false };
      throw error;
    }
  }

  private file(): string | null {
    const c = this.cursor;
    c.byte(open);
    c.key(key.cik);
    this.checkCik();
    c.byte(comma);
    c.key(key.entityName);
    const entityName = this.entityName();
    c.byte(comma);
    c.key(key.facts);
    c.byte(open);
    if (!c.tryByte(close)) {
      do this.taxonomy();
      while (c.tryByte(comma));
      c.byte(close);
    }
    c.byte(close);
    c.peek();
    if (c.pos !== c.bytes.length) surprised();
    return entityName;
  }

  private checkCik(): void {
    const c = this.cursor;
    const text = c.tryByte(quote);
    const from = c.pos;
    let value = 0;
    let digit = (c.bytes[c.pos] as number) - zero;
    for (; digit >= 0 && digit <= 9; digit = (c.bytes[c.pos] as number) - zero) {
      value = value * 10 + digit;
      c.pos += 1;
    }
    const digits = c.pos - from;
    if (digits === 0 || digits > 10 || value !== this.cik) surprised();
    if (text) c.byte(quote);
    else if (digits > 1 && c.bytes[from] === zero) surprised();
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
    c.byte(open);
    if (c.tryByte(close)) return;
    do this.concept(taxonomy);
    while (c.tryByte(comma));
    c.byte(close);
  }

  private concept(taxonomy: number): void {
    const c = this.cursor;
    const concept = this.newKey(this.sink.dictionaries.concept, taxonomy);
    c.byte(open);
    c.key(key.label);
    c.textOrNull();
    c.byte(comma);
    c.key(key.description);
    c.textOrNull();
    c.byte(comma);
    c.key(key.units);
    c.byte(open);
    if (!c.tryByte(close)) {
      do this.unit(concept);
      while (c.tryByte(comma));
      c.byte(close);
    }
    c.byte(close);
  }

  private unit(concept: number): void {
    const c = this.cursor;
    const series = this.newKey(this.sink.dictionaries.series, concept);
    c.byte(0x5b);
    if (c.tryByte(0x5d)) return;
    do {
      if (c.peek() === open) this.compact.rows(c, this.cik, series);
      if (c.tryByte(0x5d)) return;
      this.fact(series);
    } while (c.tryByte(comma));
    c.byte(0x5d);
  }

  /** Reads one fact in EDGAR's key order, spaced in any way. */
  private fact(series: number): void {
    const c = this.cursor;
    const { sink, tail } = this;
    sink.ensureRoom();
    const page = sink.page;
    const at = sink.row;
    c.byte(open);
    page.start[at] = c.tryKey(key.start) ? this.dateThenComma() : noStart;
    c.key(key.end);
    page.end[at] = this.dateThenComma();
    c.key(key.val);
    page.value[at] = c.number();
    const exact = c.exact;
    c.byte(comma);
    c.key(key.accn);
    const accession = c.peek() === quote ? c.pos + 1 : surprised();
    tail.read(c, spareSlot);
    page.accessionWords[at * 2] = tail.accessionLow[spareSlot] as number;
    page.accessionWords[at * 2 + 1] = tail.accessionHigh[spareSlot] as number;
    if (exact !== null) {
      page.accession[at] = -1n;
      sink.noteExact(this.latin1(accession, accession + 20), exact);
    }
    page.fy[at] = tail.fy[spareSlot] as number;
    page.fp[at] = tail.fp[spareSlot] as number;
    page.form[at] = tail.form[spareSlot] as number;
    page.filed[at] = tail.filed[spareSlot] as number;
    page.frame[at] = c.tryByte(comma) ? this.frame() : 0;
    c.byte(close);
    page.cik[at] = this.cik;
    page.series[at] = series;
    sink.row = at + 1;
  }

  private dateThenComma(): number {
    const day = this.cursor.date();
    this.cursor.byte(comma);
    return day;
  }

  private frame(): number {
    this.cursor.key(key.frame);
    return this.nameCode(this.sink.dictionaries.frame) + 1;
  }

  private latin1(from: number, to: number): string {
    return Buffer.from(this.cursor.bytes.subarray(from, to)).toString('latin1');
  }

  private nameCode(interner: ByteInterner): number {
    const c = this.cursor;
    c.name();
    if (c.to - c.from > maxNameBytes) surprised();
    return interner.code(c.bytes, c.from, c.to, 0);
  }

  /** Reads an object key with its colon; one given before in this file under the same parent is a surprise. */
  private newKey(interner: ByteInterner, parent: number): number {
    const c = this.cursor;
    c.name();
    if (c.to - c.from > maxNameBytes) surprised();
    const code = interner.code(c.bytes, c.from, c.to, parent);
    c.byte(0x3a);
    if (!interner.stamp(code, this.sink.serial)) surprised();
    return code;
  }
}
