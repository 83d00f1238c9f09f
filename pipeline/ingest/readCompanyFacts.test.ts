import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodedFacts } from '../../fixtures/rigs/decodedFacts.ts';
import { EntryFault } from '../zip/zipEntry.ts';
import { FactSink } from './factSink.ts';
import { parseCompanyFacts } from './parseCompanyFacts.ts';
import { addFacts } from './readCompanyFacts.ts';
import { CompanyFactsScanner } from './scanCompanyFacts.ts';

const CIK = 320193;
// the word-wise reader stays away from the last bytes of a file; this brings every fact within its reach
const BEHIND = ' '.repeat(500);

type Rows = { entityName: string | null; rows: Record<string, unknown>[] };

function parsed(content: Buffer): Rows {
  const sink = new FactSink();
  sink.beginFile();
  return { entityName: parseCompanyFacts({ content, cik: CIK, sink }), rows: decodedFacts(sink) };
}

/** Rows of the byte scanner alone; null when it leaves the file to the general parser. */
function scanned(content: Buffer): Rows | null {
  const sink = new FactSink();
  sink.beginFile();
  const scan = new CompanyFactsScanner(sink).scan(content, CIK);
  return scan.known ? { entityName: scan.entityName, rows: decodedFacts(sink) } : null;
}

function read(text: string | Buffer): Rows {
  const sink = new FactSink();
  sink.beginFile();
  const scanner = new CompanyFactsScanner(sink);
  const entityName = addFacts({ content: Buffer.from(text), cik: CIK, sink, scanner });
  return { entityName, rows: decodedFacts(sink) };
}

const digit = (n: number) => fc.stringMatching(new RegExp(`^\\d{${n}}$`));
const civil = fc
  .date({ min: new Date('1890-01-01'), max: new Date('2210-12-31'), noInvalidDate: true })
  .map((d) => d.toISOString().slice(0, 10));
const numberText = fc.oneof(
  fc.integer().map(String),
  fc.bigInt({ min: -(10n ** 22n), max: 10n ** 22n }).map(String),
  fc.tuple(fc.integer(), digit(3)).map(([whole, fraction]) => `${whole}.${fraction}`),
  fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -300, max: 300 })).map(([m, e]) => `${m}e${e}`),
  fc.constantFrom(
    '0',
    '-0',
    '-0.0',
    '9007199254740993',
    '0.1',
    '123456789012345',
    '1234567890123456.5',
    '1E+5',
  ),
);
const fact = fc.record({
  start: fc.option(civil),
  end: civil,
  val: numberText,
  accn: fc.tuple(digit(10), digit(2), digit(6)).map((parts) => parts.join('-')),
  fy: fc.option(fc.integer({ min: 0, max: 9999 })),
  fp: fc.option(fc.constantFrom('FY', 'Q1', 'Q2', 'Q3', 'H1')),
  form: fc.constantFrom('10-Q', '10-K', '20-F/A', 'DEF 14A', '8-K, ünusual'),
  filed: civil,
  frame: fc.option(fc.constantFrom('CY2019', 'CY2019Q1', 'CY2019Q4I', 'CY1899', 'CY2019Q5', 'FY2019')),
});
const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9/é-]{0,12}$/);
const described = fc.record({
  label: fc.option(fc.string({ unit: 'grapheme' })),
  description: fc.option(fc.string({ unit: 'grapheme' })),
  units: fc.dictionary(name, fc.array(fact, { maxLength: 12 }), { maxKeys: 2 }),
});
const document = fc.record({
  cik: fc.constantFrom<string | number>(CIK, String(CIK).padStart(10, '0')),
  entityName: fc.option(fc.string({ unit: 'grapheme' })),
  facts: fc.dictionary(name, fc.dictionary(name, described, { maxKeys: 3 }), { maxKeys: 2 }),
});

type Generated = typeof document extends fc.Arbitrary<infer T> ? T : never;

/** The document in EDGAR's key order; `gap` is the white space between tokens. */
function written(d: Generated, gap: string): string {
  const member = (key: string, value: string) => `${JSON.stringify(key)}:${gap}${value}`;
  const object = (members: string[]) => `{${gap}${members.join(`,${gap}`)}${gap}}`;
  const rows = (list: Generated['facts'][string][string]['units'][string]) =>
    `[${list
      .map((f) =>
        object([
          ...(f.start === null ? [] : [member('start', JSON.stringify(f.start))]),
          member('end', JSON.stringify(f.end)),
          member('val', f.val),
          member('accn', JSON.stringify(f.accn)),
          member('fy', String(f.fy)),
          member('fp', JSON.stringify(f.fp)),
          member('form', JSON.stringify(f.form)),
          member('filed', JSON.stringify(f.filed)),
          ...(f.frame === null ? [] : [member('frame', JSON.stringify(f.frame))]),
        ]),
      )
      .join(`,${gap}`)}]`;
  const facts = Object.entries(d.facts).map(([taxonomy, concepts]) =>
    member(
      taxonomy,
      object(
        Object.entries(concepts).map(([concept, body]) =>
          member(
            concept,
            object([
              member('label', JSON.stringify(body.label)),
              member('description', JSON.stringify(body.description)),
              member(
                'units',
                object(Object.entries(body.units).map(([unit, list]) => member(unit, rows(list)))),
              ),
            ]),
          ),
        ),
      ),
    ),
  );
  return object([
    member('cik', JSON.stringify(d.cik)),
    member('entityName', JSON.stringify(d.entityName)),
    member('facts', object(facts)),
  ]);
}

describe('the byte scanner and the general parser', () => {
  it('agree on every column of any companyfacts file, compact or spaced', () => {
    fc.assert(
      fc.property(document, fc.constantFrom('', ' ', '\n  ', '\t\r\n'), (d, gap) => {
        const content = Buffer.from(written(d, gap) + BEHIND);
        const byParser = parsed(content);
        expect(scanned(content)).toEqual(byParser);
        // repeated filings take the remembered path
        expect(read(content)).toEqual(byParser);
      }),
      { numRuns: 400 },
    );
  });

  it('agree on whether a damaged file is read at all, and on its rows when it is', () => {
    fc.assert(
      fc.property(document, fc.nat(), fc.nat({ max: 255 }), (d, position, byte) => {
        const content = Buffer.from(written(d, '') + BEHIND);
        content[position % (content.length - BEHIND.length)] = byte;
        const byScanner = scanned(content);
        if (byScanner === null) return;
        expect(byScanner).toEqual(parsed(content));
      }),
      { numRuns: 1500 },
    );
  });

  it('agree on long runs of facts that share filings and cross pages', () => {
    const rows = Array.from({ length: 40_000 }, (_, i) => ({
      ...(i % 3 === 0 ? {} : { start: `20${10 + (i % 15)}-01-01` }),
      end: `20${10 + (i % 15)}-0${1 + (i % 9)}-28`,
      val: i * 37.25,
      accn: `0001193125-${10 + (i % 15)}-${String(i % 4000).padStart(6, '0')}`,
      fy: 2010 + (i % 15),
      fp: `Q${1 + (i % 3)}`,
      form: '10-Q',
      filed: `20${10 + (i % 15)}-11-0${1 + (i % 9)}`,
      ...(i % 2 === 0 ? { frame: `CY20${10 + (i % 15)}Q1I` } : {}),
    }));
    const body = {
      cik: CIK,
      entityName: 'A',
      facts: { 'us-gaap': { Assets: { label: 'A', description: null, units: { USD: rows } } } },
    };
    const content = Buffer.from(JSON.stringify(body));
    expect(scanned(content)?.rows).toHaveLength(40_000);
    expect(scanned(content)).toEqual(parsed(content));
  });
});

const row =
  '{"end":"2024-12-31","val":1,"accn":"0001193125-25-000001","fy":2024,"fp":"FY","form":"10-K","filed":"2025-02-01"}';
const wrap = (rows: string, { concept, name }: { concept?: string; name?: string } = {}) =>
  `{"cik":${CIK},"entityName":${name ?? '"A"'},"facts":{"us-gaap":{${concept ?? '"Assets"'}:{"label":"x","description":"x","units":{"USD":[${rows}]}}}}}`;
const withRow = (from: string, to: string) => wrap(row.replace(from, to));

describe('a filed value', () => {
  const filedAs = (text: string) => {
    const [first] = read(withRow('"val":1', `"val":${text}`)).rows;
    return { value: first?.['value'], exact: first?.['valueExact'] };
  };
  it.each([
    ['9007199254740993', 9007199254740992, '9007199254740993'],
    ['-9007199254740993', -9007199254740992, '-9007199254740993'],
    ['9007199254740992', 9007199254740992, null],
    ['123456789012345678901234567890', 1.2345678901234568e29, '123456789012345678901234567890'],
    ['0.1', 0.1, null],
    ['6000000000.0', 6000000000, null],
    ['-67240999.9999', -67240999.9999, null],
    ['0.12345678901234567890', 0.12345678901234568, '0.1234567890123456789'],
    ['1e3', 1000, null],
    ['-0', 0, null],
    ['1e-400', 0, `0.${'0'.repeat(399)}1`],
  ])('%s keeps every digit', (text, value, exact) => {
    expect(filedAs(text)).toEqual({ value, exact });
  });
});

describe('a file that breaks the rules is refused with its reason', () => {
  it.each([
    ['cut', wrap(row).slice(0, -3), /not valid JSON/],
    ['cut inside a string', '{"cik":320193,"entityName":"A', /cut inside a string/],
    ['empty', '', /not valid JSON/],
    ['an array', '[]', /not an object/],
    ['null', 'null', /not an object/],
    ['a number', '17', /not an object/],
    ['without cik', '{}', /cik inside differs/],
    ['of another cik', wrap(row).replace(String(CIK), '1'), /cik inside differs/],
    ['without facts', `{"cik":${CIK},"entityName":"A"}`, /facts is not an object/],
    ['with a facts array', `{"cik":${CIK},"entityName":"A","facts":[]}`, /facts is not an object/],
    ['with trailing text', `${wrap(row)}x`, /not valid JSON/],
    ['with a string for a value', withRow('"val":1', '"val":"1"'), /val is not a number/],
    ['with null for a value', withRow('"val":1', '"val":null'), /val is not a number/],
    ['with a value beyond doubles', withRow('"val":1', '"val":1e400'), /beyond the range/],
    ['with a value of 500 digits', withRow('"val":1', `"val":${'9'.repeat(500)}`), /more than 400/],
    ['with a date that does not exist', withRow('2024-12-31', '2023-02-29'), /end is not a date/],
    ['with a number for a date', withRow('"2024-12-31"', '20241231'), /end is not a string/],
    ['with an odd fiscal year', withRow('"fy":2024', '"fy":2024.5'), /fy is not a year/],
    ['with a number for a form', withRow('"10-K"', '10'), /form is not a string/],
    ['with a dash for an accession', withRow('0001193125-25-000001', '-'), /"-" is not an accession number/],
    [
      'with an accession without dashes',
      withRow('0001193125-25-000001', '000119312525000001'),
      /"000119312525000001" is not an accession number/,
    ],
    ['without an accession', withRow('"accn":"0001193125-25-000001",', ''), /accn is not a string/],
    ['with a fact that is no object', wrap('1'), /fact of Assets is not an object/],
    ['with units that are no arrays', wrap('').replace('[]', '{}'), /not an array/],
    ['with a key twice in a fact', withRow('"val":1', '"val":1,"val":2'), /"val" is given twice/],
    [
      'with a concept twice',
      wrap(row).replace('{"Assets"', '{"Assets":{"label":null,"description":null,"units":{}},"Assets"'),
      /"Assets" is given twice/,
    ],
    ['with a key twice by escape', withRow('"val":1', '"val":1,"v\\u0061l":2'), /"val" is given twice/],
    ['with a lone surrogate', wrap(row, { name: '"\\ud800"' }), /lone surrogate/],
    [
      'with a lone surrogate in a label',
      wrap(row).replace('"label":"x"', '"label":"\\udc00"'),
      /lone surrogate/,
    ],
    ['nested without end', '['.repeat(100_000), /nests deeper/],
    [
      'nested in a label',
      wrap(row).replace('"label":"x"', `"label":${'['.repeat(50)}${']'.repeat(50)}`),
      /nests deeper/,
    ],
    ['with a control character', wrap(row, { name: '"\u0001"' }), /not valid JSON/],
    [
      'with an escaped control character in a name',
      wrap(row, { concept: '"A\\u001fB"' }),
      /control character/,
    ],
    ['with an overlong name', wrap(row, { concept: `"${'C'.repeat(2000)}"` }), /longer than 1024/],
  ])('%s', (_what, text, reason) => {
    expect(() => read(text)).toThrow(EntryFault);
    expect(() => read(text)).toThrow(reason);
  });

  it('that is not UTF-8', () => {
    const bytes = Buffer.from(wrap(row, { name: '"\u00ff"' }), 'latin1');
    expect(() => read(bytes)).toThrow(/not valid UTF-8/);
  });
});

describe('a file that is only unusual is read', () => {
  const usual = read(wrap(row));
  it.each([
    ['other key order', withRow('"end":"2024-12-31","val":1', '"val":1,"end":"2024-12-31"')],
    ['unknown keys', withRow('"val":1', '"val":1,"segment":{"a":[1]}')],
    ['escaped keys', withRow('"val"', '"v\\u0061l"')],
    ['a fiscal year with a fraction of nothing', withRow('"fy":2024', '"fy":2024.0')],
    ['a padded cik', wrap(row).replace(String(CIK), '"0000320193"')],
    ['a paired surrogate in a label', wrap(row).replace('"label":"x"', '"label":"\\ud83d\\ude00"')],
    ['white space around', ` \n${wrap(row)}\n`],
  ])('%s', (_what, text) => {
    expect(read(text)).toEqual(usual);
  });
  it('keeps a fact whose filing date the archive leaves empty', () => {
    expect(read(withRow('2025-02-01', '')).rows[0]?.['filed']).toBe(2147483647);
  });
});

describe('a sink', () => {
  it('takes a refused file back whole and keeps the files around it', () => {
    const sink = new FactSink();
    const scanner = new CompanyFactsScanner(sink);
    const files = [wrap(row), wrap(`${row},${row.replace('"val":1', '"val":"x"')}`), wrap(row)];
    for (const text of files) {
      const mark = sink.beginFile();
      try {
        addFacts({ content: Buffer.from(text), cik: CIK, sink, scanner });
      } catch {
        sink.rewind(mark);
      }
    }
    expect(sink.rows).toBe(2);
  });
});
