import { readdir } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filingIndex, selectFilingFiles } from './selectFilingFiles.ts';

const select = (names: readonly string[], input: { maxFiles?: number } = {}) =>
  selectFilingFiles({ directory: { item: names.map((name) => ({ name, size: '1' })) } }, input);

/** Names chosen, or what else was decided. */
function chosen(names: readonly string[]): unknown {
  const selection = select(names);
  return selection.kind === 'xbrl' ? selection.files.map((file) => file.name) : selection;
}

const rendered = ['R1.htm', 'R2.htm', 'report.css', 'Show.js', 'FilingSummary.xml', 'MetaLinks.json'];

describe('choosing the XBRL files of a filing', () => {
  it('takes instance, schema and linkbases of an inline 10-Q with separate linkbases (0001784970, 2025-03-31)', () => {
    const names = [
      '0001213900-25-041307-index-headers.html',
      '0001213900-25-041307-index.html',
      '0001213900-25-041307-xbrl.zip',
      '0001213900-25-041307.txt',
      'ea0240879-10q_nexttech.htm',
      'ea0240879-10q_nexttech_htm.xml',
      'ea024087901ex31-1_nexttech.htm',
      'nxtt-20250331.xsd',
      'nxtt-20250331_cal.xml',
      'nxtt-20250331_def.xml',
      'nxtt-20250331_lab.xml',
      'nxtt-20250331_pre.xml',
      ...rendered,
    ];
    expect(select(names)).toEqual({
      kind: 'xbrl',
      missing: [],
      files: [
        { name: 'nxtt-20250331.xsd', kind: 'schema', size: 1 },
        { name: 'nxtt-20250331_cal.xml', kind: 'linkbase', size: 1 },
        { name: 'nxtt-20250331_lab.xml', kind: 'linkbase', size: 1 },
        { name: 'nxtt-20250331_pre.xml', kind: 'linkbase', size: 1 },
        { name: 'ea0240879-10q_nexttech_htm.xml', kind: 'instance', size: 1 },
      ],
    });
  });

  it('takes a schema that embeds its linkbases (0001193125-25-311400)', () => {
    const names = [
      'd47504d10q.htm',
      'd47504d10q_htm.xml',
      'd47504dex311.htm',
      'purr-20250930.xsd',
      ...rendered,
    ];
    expect(chosen(names)).toEqual(['purr-20250930.xsd', 'd47504d10q_htm.xml']);
  });

  it('takes the classic instance of a 10-K of 2010 and none of its rendered R files (0001193125-10-036181)', () => {
    const names = [
      'd10k.htm',
      'dex231.htm',
      'nflx-20091231.xml',
      'nflx-20091231.xsd',
      'nflx-20091231_cal.xml',
      'nflx-20091231_def.xml',
      'nflx-20091231_lab.xml',
      'nflx-20091231_pre.xml',
      'nflx-20091231_ref.xml',
      'R1.xml',
      'R10.xml',
      'defnref.xml',
      'FilingSummary.xml',
      'Financial_Report.xls',
    ];
    expect(chosen(names)).toEqual([
      'nflx-20091231.xsd',
      'nflx-20091231_cal.xml',
      'nflx-20091231_lab.xml',
      'nflx-20091231_pre.xml',
      'nflx-20091231.xml',
    ]);
  });

  it('leaves exhibits with XML of their own alone', () => {
    const names = [
      'abc-20200930.xml',
      'abc-20200930.xsd',
      'sdart171ex102.xml',
      'primary_doc.xml',
      'x-20200101.xml',
    ];
    expect(chosen(names)).toEqual(['abc-20200930.xsd', 'abc-20200930.xml']);
  });

  it('takes a classic instance whose date is not that of its schema', () => {
    expect(chosen(['abc-20110630.xml', 'abc-20110701.xsd', 'R1.xml'])).toEqual([
      'abc-20110701.xsd',
      'abc-20110630.xml',
    ]);
  });

  it('takes the inline instance of a 20-F and of an exhibit to a 6-K', () => {
    expect(chosen(['btbt-20241231.htm', 'btbt-20241231_htm.xml', 'btbt-20241231.xsd'])).toEqual([
      'btbt-20241231.xsd',
      'btbt-20241231_htm.xml',
    ]);
    const sixK = [
      'ea0200001-6k_ddc.htm',
      'ea020000101ex99-1_ddc.htm',
      'ea020000101ex99-1_ddc_htm.xml',
      'ddc-20230630.xsd',
    ];
    expect(chosen(sixK)).toEqual(['ddc-20230630.xsd', 'ea020000101ex99-1_ddc_htm.xml']);
  });

  it('accepts names in upper case', () => {
    expect(chosen(['ABC-20121231.XML', 'ABC-20121231.xsd', 'ABC-20121231_CAL.xml'])).toEqual([
      'ABC-20121231.xsd',
      'ABC-20121231_CAL.xml',
      'ABC-20121231.XML',
    ]);
  });

  it.each([
    ['a plain 6-K', ['form6-k.htm', 'ex99-1.htm', 'logo.jpg']],
    ['XML that is not XBRL', ['primary_doc.xml', 'infotable-20250331.xml', 'FilingSummary.xml', 'R1.xml']],
    ['nothing', []],
  ])('finds no XBRL in %s', (_, names) => {
    expect(chosen(names)).toEqual({ kind: 'without_xbrl' });
  });

  it('names what a filing with XBRL lacks', () => {
    expect(select(['msft-20240630.xsd'])).toMatchObject({ kind: 'xbrl', missing: ['instance'] });
    expect(select(['a_htm.xml'])).toMatchObject({ kind: 'xbrl', missing: ['schema'] });
  });

  it('reads sizes as the text they are, and an empty one as unknown', () => {
    const item = [
      { name: 'a-20250331.xsd', size: '3650' },
      { name: 'a_htm.xml', size: '' },
      { name: 'a-20250331_cal.xml', size: '-1' },
      { name: 'a-20250331_lab.xml', size: 12 },
    ];
    const selection = selectFilingFiles(filingIndex.parse({ directory: { item } }));
    expect(selection).toMatchObject({
      files: [{ size: 3650 }, { size: null }, { size: 12 }, { size: null }],
    });
  });
});

describe('an index that cannot be trusted', () => {
  it.each([
    '../a_htm.xml',
    '/etc/passwd',
    'a/b.xml',
    'C:\\a.xml',
    'https://example.org/a.xsd',
    '..',
    '.hidden.xml',
    '%2e%2e%2fa.xml',
    'a\0.xml',
    'a\n.xml',
    '',
    'a b_htm.xml',
    'ä-20250331.xsd',
    `${'a'.repeat(130)}.xml`,
  ])('is refused whole for the name %j', (name) => {
    const selection = select(['abc-20250331.xsd', 'abc_htm.xml', name]);
    expect(selection.kind).toBe('refused');
  });

  it('ignores odd names of files that are not asked for', () => {
    expect(chosen(['abc-20250331.xsd', 'abc_htm.xml', 'our logo (1).jpg'])).toEqual([
      'abc-20250331.xsd',
      'abc_htm.xml',
    ]);
  });

  it('is refused for two names that one folder may not tell apart', () => {
    expect(select(['a-20250331.xsd', 'A-20250331.xsd'])).toMatchObject({ kind: 'refused' });
  });

  it('is refused for more XBRL files than a filing has', () => {
    const names = Array.from({ length: 25 }, (_, i) => `a${i}-20250331.xsd`);
    expect(select(names)).toMatchObject({ kind: 'refused' });
    expect(select(names.slice(0, 24)).kind).toBe('xbrl');
  });

  it('never yields a name that leaves its folder, whatever it lists, and does not care about order', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('a_htm.xml', 'a-20250331.xsd', 'a-20250331_cal.xml', 'a-20250331.xml', 'R1.xml'),
      fc.string({ maxLength: 8 }).map((text) => `${text}_htm.xml`),
    );
    fc.assert(
      fc.property(fc.array(name, { maxLength: 12 }), (names) => {
        const selection = select(names);
        expect(select(names.toReversed()).kind).toBe(selection.kind);
        if (selection.kind !== 'xbrl') return;
        expect(select(names.toReversed())).toEqual(selection);
        for (const file of selection.files) {
          expect(file.name).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]*\.(xml|xsd)$/i);
          expect(names).toContain(file.name);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('folders of real filings', () => {
  const root = new URL('../../../../shared/data/edgar/filings/', import.meta.url);
  const xbrlNames = (names: readonly string[]) =>
    names.filter((name) => /\.(xml|xsd)$/.test(name) && !/_def\.xml$|^FilingSummary\.xml$/.test(name)).sort();

  it('lose nothing but definition linkbases and renderings', async (ctx) => {
    const ciks = await readdir(root).catch(() => null);
    if (ciks === null) return ctx.skip('no filings at hand beside the project');
    let seen = 0;
    for (const cik of ciks) {
      for (const accession of await readdir(new URL(`${cik}/`, root))) {
        const names = await readdir(new URL(`${cik}/${accession}/`, root));
        const selection = select(names);
        if (selection.kind !== 'xbrl') throw new Error(`${cik}/${accession}: ${selection.kind}`);
        expect(selection.files.map((file) => file.name).sort()).toEqual(xbrlNames(names));
        seen += 1;
      }
    }
    expect(seen).toBeGreaterThanOrEqual(10);
  });
});
