import { EntryFault } from '../zip/zipEntry.ts';
import { noFiscalYear, noStart, notFiled } from './factPage.ts';
import type { FactSink } from './factSink.ts';
import { type FiledNumber, filedNumber, parseCivilDate } from './filedValue.ts';

// objects of two such files at a time stay within the memory bound
const maxBytes = 32 * 1024 * 1024;
/** longest accepted taxonomy, concept, unit, form, fp, frame or accession; bytes */
export const maxNameBytes = 1024;
const accessionPattern = /^(\d{10})-(\d{2})-(\d{6})$/;

/** A number whose text may say more than the double it became. */
class NumberText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Json = Record<string, unknown>;
type SourceReviver = (key: string, value: unknown, context: { source?: string }) => unknown;

/** One inflated file of the archive, and what takes its rows. */
export type CompanyFile = { readonly content: Buffer; readonly cik: number; readonly sink: FactSink };

/**
 * Reads a companyfacts file of any key order, spacing and escaping with `JSON.parse` and adds its rows to `sink`.
 *
 * Returns the entity name. Unknown keys are passed over. Throws EntryFault with the first thing wrong; rows added
 * before that are the caller's to take back.
 */
export function parseCompanyFacts({ content, cik, sink }: CompanyFile): string | null {
  if (content.length > maxBytes) throw new EntryFault(`it is unusual JSON of more than ${maxBytes} bytes`);
  const root = object(parse(content.toString('utf8')), 'the file');
  if (cikOf(root['cik']) !== cik) throw new EntryFault('the cik inside differs from the entry name');
  const facts = object(root['facts'], 'facts');
  for (const [taxonomy, concepts] of Object.entries(facts)) {
    const taxonomyCode = code(sink.dictionaries.taxonomy, taxonomy, 0);
    for (const [concept, body] of Object.entries(object(concepts, `facts.${taxonomy}`))) {
      const conceptCode = code(sink.dictionaries.concept, concept, taxonomyCode);
      const described = object(body, concept);
      stringOrNull(described['label'], 'label');
      stringOrNull(described['description'], 'description');
      for (const [unit, rows] of Object.entries(object(described['units'], `units of ${concept}`))) {
        if (!Array.isArray(rows)) throw new EntryFault(`${concept} ${unit} is not an array`);
        const series = code(sink.dictionaries.series, unit, conceptCode);
        for (const row of rows) addRow({ sink, cik, series, row: object(row, `a fact of ${concept}`) });
      }
    }
  }
  return stringOrNull(root['entityName'], 'entityName');
}

function parse(text: string): unknown {
  checkJson(text);
  const reviver: SourceReviver = (_key, value, context) =>
    typeof value === 'number' && context.source !== undefined && !isPlain(context.source)
      ? new NumberText(context.source)
      : value;
  try {
    return JSON.parse(text, reviver as Parameters<typeof JSON.parse>[1]);
  } catch {
    throw new EntryFault('it is not valid JSON (cut or damaged)');
  }
}

/** short plain decimals cannot lose anything in a double */
function isPlain(source: string): boolean {
  return source.length <= 15 && /^-?\d+(\.\d+)?$/.test(source);
}

function addRow({
  sink,
  cik,
  series,
  row,
}: {
  sink: FactSink;
  cik: number;
  series: number;
  row: Json;
}): void {
  const { dictionaries } = sink;
  const value = filedValue(row['val']);
  const accession = string(row['accn'], 'accn');
  sink.ensureRoom();
  const page = sink.page;
  const at = sink.row;
  const m = accessionPattern.exec(accession);
  // no row could be traced to such a filing
  if (m === null)
    throw new EntryFault(`${JSON.stringify(accession.slice(0, 30))} is not an accession number`);
  if (value.exact !== null) {
    page.accession[at] = -1n;
    sink.noteExact(accession, value.exact);
  } else page.accession[at] = BigInt(`${m[1]}${m[2]}${m[3]}`);
  page.value[at] = value.value;
  page.cik[at] = cik;
  page.series[at] = series;
  page.start[at] = row['start'] === undefined ? noStart : date(row['start'], 'start');
  page.end[at] = date(row['end'], 'end');
  page.filed[at] = row['filed'] === '' || row['filed'] === null ? notFiled : date(row['filed'], 'filed');
  page.form[at] = code(dictionaries.form, string(row['form'], 'form'), 0);
  page.fp[at] = optionalCode(dictionaries.fp, stringOrNull(row['fp'], 'fp'));
  page.frame[at] = optionalCode(dictionaries.frame, stringOrNull(row['frame'], 'frame'));
  page.fy[at] = fiscalYear(row['fy']);
  sink.row = at + 1;
}

function filedValue(val: unknown): FiledNumber {
  if (typeof val === 'number') return { value: val + 0, exact: null };
  if (val instanceof NumberText) return filedNumber(val.text);
  throw new EntryFault('a val is not a number');
}

function fiscalYear(fy: unknown): number {
  if (fy === null || fy === undefined) return noFiscalYear;
  if (typeof fy === 'number' && Number.isInteger(fy) && fy >= 0 && fy <= 9999) return fy;
  throw new EntryFault('a fy is not a year');
}

function cikOf(cik: unknown): number | null {
  if (typeof cik === 'number') return cik;
  return typeof cik === 'string' && /^\d{1,10}$/.test(cik) ? Number(cik) : null;
}

function date(value: unknown, key: string): number {
  const day = parseCivilDate(string(value, key));
  if (day === null) throw new EntryFault(`a ${key} is not a date`);
  return day;
}

function object(value: unknown, what: string): Json {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || value instanceof NumberText) {
    throw new EntryFault(`${what.slice(0, 80)} is not an object`);
  }
  return value as Json;
}

function string(value: unknown, key: string): string {
  if (typeof value !== 'string') throw new EntryFault(`a ${key} is not a string`);
  return value;
}

function stringOrNull(value: unknown, key: string): string | null {
  return value === null || value === undefined ? null : string(value, key);
}

function checkName(text: string, what: string): void {
  if (/[\u0000-\u001f]/.test(text)) throw new EntryFault(`a ${what} holds a control character`);
  if (Buffer.byteLength(text) > maxNameBytes)
    throw new EntryFault(`a ${what} is longer than ${maxNameBytes} bytes`);
}

type Interner = FactSink['dictionaries']['form'];

function code(interner: Interner, text: string, parent: number): number {
  checkName(text, 'name');
  const bytes = Buffer.from(text);
  return interner.code(bytes, 0, bytes.length, parent);
}

/** Code of an optional string: 0 when absent, else one more than the interner's. */
function optionalCode(interner: Interner, text: string | null): number {
  return text === null ? 0 : code(interner, text, 0) + 1;
}

const maxDepth = 32;
const quoteByte = 0x22;
const backslash = 0x5c;

/**
 * Checks what `JSON.parse` lets pass: a key given twice in one object, a lone surrogate, nesting beyond 32 levels.
 *
 * Expects text that `JSON.parse` is going to read; syntax is left to it. Throws EntryFault.
 */
function checkJson(text: string): void {
  // one set of keys per open object, null per open array
  const open: (Set<string> | null)[] = [];
  let at = 0;
  while (at < text.length) {
    const c = text.charCodeAt(at);
    if (c === quoteByte) {
      const end = stringEnd(text, at);
      if (end < 0) throw new EntryFault('its JSON is cut inside a string');
      checkString({ raw: text.slice(at, end), isKey: isKey(text, end), keys: open.at(-1) ?? null });
      at = end;
      continue;
    }
    if (c === 0x7b || c === 0x5b) {
      open.push(c === 0x7b ? new Set() : null);
      if (open.length > maxDepth) throw new EntryFault(`its JSON nests deeper than ${maxDepth} levels`);
    } else if (c === 0x7d || c === 0x5d) open.pop();
    at += 1;
  }
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return -1;
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === backslash && quote - 1 - backslashes > start)
      backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

function isKey(text: string, end: number): boolean {
  let at = end;
  while (/\s/.test(text.charAt(at))) at += 1;
  return text.charAt(at) === ':';
}

function checkString({ raw, isKey, keys }: { raw: string; isKey: boolean; keys: Set<string> | null }): void {
  const escaped = raw.includes('\\');
  if (!escaped && !isKey) return;
  const value = escaped ? decode(raw) : raw.slice(1, -1);
  if (escaped && !value.isWellFormed()) throw new EntryFault('a string holds a lone surrogate');
  if (!isKey || keys === null) return;
  if (keys.has(value)) throw new EntryFault(`the key ${JSON.stringify(value.slice(0, 60))} is given twice`);
  keys.add(value);
}

function decode(raw: string): string {
  try {
    return JSON.parse(raw) as string;
  } catch {
    throw new EntryFault('a string holds an invalid escape');
  }
}
