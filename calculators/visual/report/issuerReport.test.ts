import { describe, expect, it } from 'vitest';
import { capital } from '../../../data/contract/payloads/issuer/capital.ts';
import { covenantStress } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import { issuerFacts as facts } from '../../../fixtures/visual/issuerFacts.ts';
import { reportPage } from '../page/briefPage.ts';
import { tableCsv } from '../page/figureCard.ts';
import { writeReport } from '../pdf/writeReport.ts';
import { type IssuerFacts, issuerReport } from './issuerReport.ts';

const cardOf = (id: string, given: Partial<IssuerFacts> = {}) =>
  issuerReport({ ...facts, ...given }).cards.find((card) => card.id === id);

describe('the page of an issuer (V57)', () => {
  it('shows debt over coins today and after falls of 30, 50 and 70 %', () => {
    // 8,173,903,000 over 73,205,725,000 is 0.1117, over seven, five and three tenths of it 0.1595, 0.2233, 0.3722
    expect(cardOf('ratios')?.table?.rows.map((row) => row.slice(0, 2))).toEqual([
      ['today', '0.11'],
      ['\u221230\u00a0%', '0.16'],
      ['\u221250\u00a0%', '0.22'],
      ['\u221270\u00a0%', '0.37'],
    ]);
  });

  it('gives no ratio of figures that are not proven, and says that the amounts are lower bounds', () => {
    const stress = { ...covenantStress.example, figures_basis: 'debt_unproven' as const };
    const report = issuerReport({ ...facts, stress });
    const ratios = report.cards.find(({ id }) => id === 'ratios');
    expect(ratios?.heading).toBe('No ratio: debt or coins are not proven');
    expect(ratios?.table?.rows.flatMap((row) => row.slice(1))).toEqual(Array(8).fill('not known'));
    expect(ratios?.table?.raw?.rows.flatMap((row) => row.slice(1))).toEqual(Array(8).fill(null));
    expect(report.keyFigures[0]?.note).toBe('proven part, a lower bound');
    expect(report.cards.find(({ id }) => id === 'unknown')?.paragraphs[0]).toMatch(/not proven/);
  });

  it('puts the rank into words', () => {
    expect(cardOf('peers')?.heading).toBe('Rank 6 of 11 by stress');
    expect(cardOf('peers')?.paragraphs[0]).toContain('5 of 11 ranked issuers are more at risk, 5 less.');
    expect(cardOf('peers', { ranking: null, unranked: 'Its coins are incidental.' })?.paragraphs).toEqual([
      'Its coins are incidental.',
    ]);
  });

  it('tells no loan from none: a loan that is not tagged is not known', () => {
    expect(cardOf('calls')?.paragraphs[0]).toMatch(/says nothing of loans that are not tagged/);
  });

  it('lists notes with how well each principal is proven, and reads what is not filed never as none (V57b)', () => {
    const cards = issuerReport({ ...facts, capital: capital.example }).cards;
    const owed = cards.find(({ id }) => id === 'owed');
    expect(owed?.table?.rows[0]).toEqual([
      'Two Thousand Thirty Convertible Notes',
      '800.0\u00a0M',
      'proven',
      '0.6\u00a0%',
      '2030-03-15',
    ]);
    const runway = cards.find(({ id }) => id === 'runway');
    const unknown = runway?.table?.rows.filter(([, amount]) => amount === 'not known') ?? [];
    expect(unknown.map(([, , proof]) => proof)).not.toContain('proven');
    const none = { ...capital.example, instruments: [], instruments_absent: 'not_filed' as const };
    const without = issuerReport({ ...facts, capital: none }).cards.find(({ id }) => id === 'owed');
    expect(without?.paragraphs[0]).toBe('Notes and loans: not filed as a fact.');
  });

  it('sets the closes of the day beside a filed recovery: the same fall against the same claims', () => {
    const cards = issuerReport({ ...facts, capital: capital.example }).cards;
    expect(cards.find(({ id }) => id === 'claims')?.paragraphs[1]).toBe(
      'At the closes of 2026-02-07 the coins are worth 44.9\u00a0B, 22.5\u00a0B after the same fall, against filed claims of 3.1\u00a0B.',
    );
  });

  it('links its filings, and escapes what a filer wrote', () => {
    const page = reportPage(issuerReport(facts));
    expect(page).toContain(
      '<a href="https://www.sec.gov/a">10-Q of <span class="day">2025-11-03</span>: balance sheet</a>',
    );
    expect(page).toContain('8-K of <span class="day">2026-01-20</span>: &lt;b&gt;bold&lt;/b&gt;');
    expect(page).not.toContain('<script');
  });

  it('is written as PDF with equal bytes for equal facts', async () => {
    const [first, second] = await Promise.all([
      writeReport(issuerReport(facts)),
      writeReport(issuerReport(facts)),
    ]);
    expect(Buffer.from(first).equals(Buffer.from(second))).toBe(true);
  });
});

describe('a table to take along (V57a)', () => {
  const origin = {
    fileName: 'mstr-2026-02-07-ratios',
    source: '10-Q 0001193125-25-262568',
    day: '2026-02-07',
  };
  const textOf = (address: string) => decodeURIComponent(address.replace('data:text/csv;charset=utf-8,', ''));

  it('holds numbers as published, with unit, source and slice on every row', () => {
    const table = cardOf('ratios')?.table;
    expect(table == null ? '' : textOf(tableCsv(table, origin)).split('\r\n').slice(0, 4)).toEqual([
      'fall_pct,stress_filed,stress_live,unit,source,slice',
      `0,${8173903000 / 73205725000},${(covenantStress.example.live_stress_50pct ?? Number.NaN) / 2},"debt over coins, ratio",10-Q 0001193125-25-262568,2026-02-07`,
      `30,0.159509,${covenantStress.example.live_stress_30pct},"debt over coins, ratio",10-Q 0001193125-25-262568,2026-02-07`,
      `50,0.223313,${covenantStress.example.live_stress_50pct},"debt over coins, ratio",10-Q 0001193125-25-262568,2026-02-07`,
    ]);
  });

  it('is offered by the page under the name of issuer, date and table', () => {
    expect(reportPage(issuerReport(facts))).toMatch(
      /<a download="mstr-2026-02-07-ratios\.csv" href="data:text\/csv;charset=utf-8,fall_pct%2C/,
    );
  });

  it('quotes commas and quotes, leaves the unknown empty and starts no formula', () => {
    const columns = [{ label: 'a', align: 'start' as const }];
    const raw = {
      columns: ['a', 'b'],
      rows: [
        ['=1+1', null],
        ['x "y", z', 5],
      ],
      unit: 'USD',
    };
    expect(textOf(tableCsv({ caption: '', columns, rows: [], raw }, origin))).toBe(
      "a,b,unit,source,slice\r\n'=1+1,,USD,10-Q 0001193125-25-262568,2026-02-07\r\n" +
        '"x ""y"", z",5,USD,10-Q 0001193125-25-262568,2026-02-07\r\n',
    );
  });
});
