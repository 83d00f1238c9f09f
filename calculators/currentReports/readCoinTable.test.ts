import { describe, expect, it } from 'vitest';
import { readHtml, registryWords, reportContext } from '../../fixtures/rigs/reportBlocks.ts';

import { readDocument } from './readDocument.ts';

const words = registryWords();
const october = reportContext(words, { filed: '2023-11-03' });
const table = (...rows: string[]) =>
  `<table>${rows
    .map(
      (row) =>
        `<tr>${row
          .split('|')
          .map((cell) => `<td>${cell}</td>`)
          .join('')}</tr>`,
    )
    .join('')}</table>`;

describe('a table of measures as rows', () => {
  it('states flows of its months and stocks of their ends, and nothing of columns that compare', () => {
    const html = table(
      '|October 2023|September 2023|Month/Month',
      'Bitcoin Produced|458|362|27',
      'Bitcoin Held|7,345|7,327|18',
      'Bitcoin Sold|-|340|',
    );
    const { stated, refused } = readHtml(html, october);
    expect(stated).toEqual([
      'production BTC 458 2023-10-01..2023-10-31 High',
      'production BTC 362 2023-09-01..2023-09-30 High',
      'holdings BTC 7345 ..2023-10-31 Medium',
      'holdings BTC 7327 ..2023-09-30 Medium',
      'sale BTC 0 2023-10-01..2023-10-31 High',
      'sale BTC 340 2023-09-01..2023-09-30 High',
    ]);
    expect(refused).toEqual(['undated_column BTC 27', 'undated_column BTC 18']);
  });

  it('takes no price in another currency beside its coins', () => {
    const html = table('|BTC Acquired|Average Price (JPY)', 'October 2023|458|5,200,000');
    const { statements } = readDocument(new TextEncoder().encode(html), october);
    expect(statements.map(({ units, avgPrice }) => [units?.toString(), avgPrice])).toEqual([['458', null]]);
  });

  it.each([
    'Average Bitcoin Produced per Day',
    'Bitcoin Sold - Net Proceeds',
    'Bitcoin Mined year-to-date',
    'Bitcoin mined by hosted customers',
    'Bitcoin equivalent held',
    'Restricted bitcoin held',
    'Bitcoin mined and held',
  ])('refuses the label %s', (label) => {
    const { stated, refused } = readHtml(
      table('|October 2023|September 2023', `${label}|17.0|16.7`),
      october,
    );
    expect(stated).toEqual([]);
    expect(refused).toEqual(['refused_label BTC 17', 'refused_label BTC 16.7']);
  });

  it('dates a flow under the last day of a month by the month where the report is of a month, else not at all', () => {
    const rows = table('Metric|10/31/2023|9/30/2023', 'Bitcoin Produced|1,202|1,242');
    expect(readHtml(`<p>Production Updates for October 2023</p>${rows}`, october).stated).toEqual([
      'production BTC 1202 2023-10-01..2023-10-31 Medium',
      'production BTC 1242 2023-09-01..2023-09-30 Medium',
    ]);
    expect(readHtml(rows, october).stated).toEqual([]);
  });

  it('reads years under three months ended as two periods', () => {
    const head = '<tr><td></td><td colspan=2>Three months ended June 30,</td></tr>';
    const rows = table('|2023|2022', 'BTC sold|1,018|1,109').replace('<table>', `<table>${head}`);
    expect(readHtml(rows, october).stated).toEqual([
      'sale BTC 1018 2023-04-01..2023-06-30 High',
      'sale BTC 1109 2022-04-01..2022-06-30 High',
    ]);
  });
});

describe('a financial statement', () => {
  it('counts no coins: by its scale, a line of it, or a negative number of coins', () => {
    const head = '|Three months ended June 30, 2023';
    expect(readHtml(`<p>(in thousands)</p>${table(head, 'Bitcoin mined|844')}`, october).stated).toEqual([]);
    expect(readHtml(table(head, 'Bitcoin mined|844', 'Net cash used|17'), october).stated).toEqual([]);
    expect(readHtml(table(head, 'Bitcoin mined|(844)'), october).stated).toEqual([]);
    expect(readHtml(table(head, 'Bitcoin mined|844', 'Shares (in thousands)|17'), october).stated).toEqual([
      'production BTC 844 2023-04-01..2023-06-30 High',
    ]);
  });
});

describe('a table of measures as columns', () => {
  it('tells by its sign whether coins were bought or sold in a week', () => {
    const html = table(
      'Week|BTC Purchased/(Sold)|Total BTC Held',
      'July 7, 2023 to July 13, 2023|(25)|996.5',
      'July 14, 2023 to July 20, 2023|50|1,046.5',
    );
    expect(readHtml(html, october).stated).toEqual([
      'sale BTC 25 2023-07-07..2023-07-13 High',
      'holdings BTC 996.5 ..2023-07-13 High',
      'purchase BTC 50 2023-07-14..2023-07-20 High',
      'holdings BTC 1046.5 ..2023-07-20 High',
    ]);
  });

  it('reads balances rolled forward, and what lies between two of them as their flows', () => {
    const html = table(
      '|Quantity (BTC)|Amount (in thousands)',
      'Balance as of March 31, 2023|900|$80,000',
      'Bitcoin mined|130|12,000',
      'Bitcoin sold|(8.5)|(800)',
      'Balance as of June 30, 2023|1,021.5|$109,000',
    );
    expect(readHtml(html, october).stated).toEqual([
      'holdings BTC 900 ..2023-03-31 High',
      'production BTC 130 2023-04-01..2023-06-30 High',
      'sale BTC 8.5 2023-04-01..2023-06-30 High',
      'holdings BTC 1021.5 ..2023-06-30 High',
    ]);
  });

  it('counts the coins its rows name, dated by the line above it', () => {
    const html = `<p>Digital assets as of June 30, 2023:</p>${table('Asset|Quantity|Fair Value', 'Bitcoin|1,021.5|$109', 'Ethereum (ETH)|5,000|$12', 'Other|7|$1')}`;
    expect(readHtml(html, october).stated).toEqual([
      'holdings BTC 1021.5 ..2023-06-30 Medium',
      'holdings ETH 5000 ..2023-06-30 Medium',
    ]);
  });

  it('takes no row of a part for the whole, no number of a scale and no day after the filing', () => {
    const part = table('Custodian|BTC held as of June 30, 2023', 'Custodian A|600', 'Total|1,000');
    expect(readHtml(part, october)).toEqual({
      stated: ['holdings BTC 1000 ..2023-06-30 High'],
      refused: ['part BTC 600'],
    });
    const scaled = table('|BTC held as of June 30, 2023', 'Total|1.5 million');
    expect(readHtml(scaled, october).refused).toEqual(['rounded BTC 1500000']);
    const later = table('|BTC held as of December 31, 2023', 'Total|1,000');
    expect(readHtml(later, october).refused).toEqual(['future_day BTC 1000']);
  });

  it('refuses a number whose footnote counts options, and keeps one whose footnote does not', () => {
    const rows = table('|June 30, 2023|', 'Bitcoin Held (1)|1,000|');
    expect(readHtml(`${rows}<p>(1) Includes 200 bitcoin under call options.</p>`, october).stated).toEqual(
      [],
    );
    expect(readHtml(`${rows}<p>(1) Unaudited.</p>`, october).stated).toEqual([
      'holdings BTC 1000 ..2023-06-30 High',
    ]);
  });
});

describe('a table of shares sold', () => {
  const head = [
    '|During Period June 5, 2023 to June 11, 2023|',
    'Security|Shares Sold|Net Proceeds (in millions)',
  ];

  it('states each row that sold, by its ticker, and checks its total', () => {
    const context = october;
    const rows = ['ABCD Stock|100|$1.5', 'EFGH Stock|-|$-', 'Common ATM|40 WXYZ Shares|$0.6'];
    const html = (total: string) =>
      `<table>${`<tr><td></td><td colspan=2>During Period June 5, 2023 to June 11, 2023</td></tr>`}${table(...head.slice(1), ...rows, `Total||$${total}`).slice(7)}`;
    expect(readHtml(html('2.1'), context).stated).toEqual([
      'atm ABCD 100 2023-06-05..2023-06-11 High',
      'atm WXYZ 40 2023-06-05..2023-06-11 High',
    ]);
    const notes = (total: string) =>
      readDocument(new TextEncoder().encode(html(total)), context).statements.flatMap((one) => one.notes);
    expect([notes('2.1'), notes('2.3'), notes('2.4')]).toEqual([
      [],
      [],
      ['total_mismatch', 'total_mismatch'],
    ]);
  });
});
