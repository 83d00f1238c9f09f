import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, it } from 'vitest';
import { disclaimer } from '../../../data/contract/values/disclaimer.ts';
import { tierMoves } from '../chart/tierMoves.ts';
import type { Card, Report } from '../report/report.ts';
import { writeReport } from './writeReport.ts';

const chart = tierMoves({
  moves: [
    {
      ticker: 'DFDV',
      cik: '0001805526',
      entity_name: 'DeFi Development Corp.',
      prior_tier: 'LOW',
      new_tier: 'HIGH',
      direction: 'up',
    },
  ],
  sourceDate: '2026-02-07',
  width: 360,
});
const card: Card = {
  id: 'moves',
  heading: 'One issuer changed tier',
  paragraphs: ['It moved to HIGH.'],
  chart,
  table: chart.table,
};
const report: Report = {
  title: 'Daily brief 2026-02-07',
  sourceDate: '2026-02-07',
  source: 'filings',
  publishedAt: '2026-02-08T09:00:00Z',
  headline: '4 of 19 issuers sit in the CRITICAL tier',
  lede: 'By the filings alone it is 1.',
  keyFigures: [{ label: 'Issuers', value: '19', note: 'in the slice' }],
  cards: [card],
  terms: [{ term: 'Stress', explanation: 'Debt over coins.' }],
  boundary: ['Public filings only.'],
  caveats: [],
  disclaimer,
};
const withRows = (count: number): Report => {
  const rows = Array.from({ length: count }, (_, i) => [`T${i}`, `Issuer number ${i}`, 'LOW', 'HIGH']);
  return { ...report, cards: [{ ...card, table: { ...chart.table, rows } }] };
};

type Node = {
  readonly role?: string;
  readonly alt?: string;
  readonly children?: readonly Node[];
  readonly id?: string;
};

async function opened(file: Uint8Array): Promise<PDFDocumentProxy> {
  // the reader takes the bytes away
  return getDocument({ data: file.slice(), verbosity: 0 }).promise;
}

/** The texts of every element of the structure tree in its order, as `role: text`, as a reader is told them. */
async function told(file: Uint8Array): Promise<string[]> {
  const pdf = await opened(file);
  const lines: string[] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent({ includeMarkedContent: true });
    const texts = new Map<string, string>();
    let open: (string | null)[] = [];
    for (const item of items) {
      if (!('str' in item)) {
        if (item.type === 'endMarkedContent') open = open.slice(0, -1);
        else open.push(item.id ?? null);
        continue;
      }
      const id = open.findLast((one) => one !== null) ?? null;
      if (id === null) continue;
      texts.set(id, `${texts.get(id) ?? ''}${item.str}${item.hasEOL ? ' ' : ''}`);
    }
    const walk = (node: Node) => {
      for (const child of node.children ?? [])
        if (child.id !== undefined && node.role !== 'Figure')
          lines.push(`${node.role}: ${(texts.get(child.id) ?? '').replace(/\s+/g, ' ').trim()}`);
        else if (child.id === undefined) {
          if (child.role === 'Figure') lines.push(`Figure: ${child.alt}`);
          walk(child);
        }
    };
    walk((await page.getStructTree()) as Node);
  }
  return lines;
}

describe('the PDF of a report', () => {
  it('has the same bytes when it is written again, and another file has another id (V62, V63)', async () => {
    const [file, again] = [await writeReport(report), await writeReport(report)];
    expect(Buffer.compare(file, again)).toBe(0);
    const idOf = (bytes: Uint8Array) =>
      /\/ID \[<([0-9a-f]{32})> <\1>\]/.exec(Buffer.from(bytes).toString('latin1'))?.[1];
    expect(idOf(file)).toMatch(/^(?!a5a5)/);
    expect(idOf(await writeReport({ ...report, lede: 'Another.' }))).not.toBe(idOf(file));
  });

  it('states title, language and the instant of the report, and no change after it (V61, V63)', async () => {
    const pdf = await opened(await writeReport(report));
    const info = (await pdf.getMetadata()).info as Record<string, unknown>;
    expect(info).toMatchObject({
      Title: 'Daily brief 2026-02-07',
      Language: 'en',
      CreationDate: 'D:20260208090000Z',
      Producer: 'PDFKit',
    });
    expect(info['ModDate']).toBeUndefined();
    expect(await pdf.getMarkInfo()).toMatchObject({ Marked: true });
    const outline = await pdf.getOutline();
    expect(outline.map(({ title }) => title)).toEqual([
      report.headline,
      card.heading,
      'Terms',
      'What the evidence covers',
    ]);
  });

  it('reads in the order of the report, element by element, the picture by its words (V61)', async () => {
    expect(await told(await writeReport(report))).toEqual([
      'P: Issuer Intelligence · Daily brief 2026-02-07 · published 2026-02-08 09:00 UTC',
      `H1: ${report.headline}`,
      `P: ${report.lede}`,
      'LBody: Issuers 19 in the slice',
      'H2: One issuer changed tier',
      'P: It moved to HIGH.',
      `Figure: ${chart.title}. ${chart.desc}`,
      `Caption: ${chart.table.caption}`,
      ...['Issuer', 'Name', 'From', 'To'].map((label) => `TH: ${label}`),
      'TH: DFDV',
      'TD: DeFi Development Corp.',
      'TD: LOW',
      'TD: HIGH',
      'H2: Terms',
      'Lbl: Stress',
      'LBody: Debt over coins.',
      'H2: What the evidence covers',
      'Lbl: •',
      'LBody: Public filings only.',
      `P: ${disclaimer}`,
    ]);
  });

  it('tells every row of a table that runs over pages once, header rows too (V64)', async () => {
    const file = await writeReport(withRows(180));
    const lines = await told(file);
    const cells = lines.filter((line) => /^TH: T\d+$/.test(line));
    expect(cells).toEqual(Array.from({ length: 180 }, (_, i) => `TH: T${i}`));
    expect(lines.filter((line) => line === 'TH: Issuer')).toHaveLength(1);
    const pdf = await opened(file);
    expect(pdf.numPages).toBeGreaterThan(2);
    // drawn again above the rows that go on
    const { items } = await (await pdf.getPage(2)).getTextContent();
    expect(items.filter((item) => 'str' in item && item.str === 'Issuer').length).toBeGreaterThan(0);
  });

  it('draws what its faces lack as a question mark and tells the true text (V12)', async () => {
    const headline = 'Ünïcode <b> & „日本“ שלום';
    const file = await writeReport({ ...report, headline });
    const latin = Buffer.from(file).toString('latin1');
    expect(latin).not.toContain('undefined');
    const pdf = await opened(file);
    const texts = (await (await pdf.getPage(1)).getTextContent()).items.map((item) =>
      'str' in item ? item.str : '',
    );
    expect(texts.join('')).toMatch(/Ünïcode <b> & „\? ?\?“/);
    expect((await pdf.getOutline())[0]?.title).toBe(headline);
    expect((await told(file)).join(' ')).toContain('U+65E5, U+672C, U+05E9');
    expect((await told(await writeReport(report))).join(' ')).not.toContain('U+');
  });

  it('breaks a name of 200 wide letters inside its column, in headline, heading and table', async () => {
    const name = 'W'.repeat(200);
    const table = { ...chart.table, rows: [['WWW', name, 'LOW', 'HIGH']] };
    const wide = { ...report, headline: name, cards: [{ ...card, heading: name, table }] };
    const pdf = await opened(await writeReport(wide));
    let letters = 0;
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const page = await pdf.getPage(number);
      const [, , right = 0] = page.view;
      for (const item of (await page.getTextContent()).items) {
        if (!('str' in item)) continue;
        letters += item.str.match(/W/g)?.length ?? 0;
        const end = Number(item.transform[4]) + item.width;
        expect(end, item.str).toBeLessThanOrEqual(right - 39);
      }
    }
    expect(letters).toBeGreaterThanOrEqual(3 * 200);
  });

  it('is refused beyond 60 pages (V68)', async () => {
    await expect(writeReport(withRows(6_000))).rejects.toMatchObject({ code: 'validation_failed' });
  });
});
