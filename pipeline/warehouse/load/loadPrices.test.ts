import { describe, expect, it } from 'vitest';
import { parseCloses } from './loadPrices.ts';

const parse = (text: string) => parseCloses({ path: '/in/prices/BTC.csv', name: 'prices/BTC.csv', text });

describe('parseCloses', () => {
  it('reads closes as filed and refuses a bad row with its file and line', () => {
    const { closes, refused } = parse(
      [
        'date,asset,close,source',
        '2025-09-30,BTC,114078.18,cryptocompare',
        '2025-09-30,BTC,114024.23,coingecko',
        '2025-02-30,BTC,1,yahoo',
        '2025-10-01,ETH,1,yahoo',
        '2025-10-02,BTC,0,yahoo',
        '2025-10-03,BTC,-5,yahoo',
        '2025-10-04,BTC,1e999,yahoo',
        '2025-10-05,BTC,NaN,yahoo',
        '2025-10-06,BTC,0x10,yahoo',
        '2025-10-07,BTC,1.547e-05,coingecko',
        '2025-10-08,BTC,5',
        '2025-10-09,BTC,5,',
      ].join('\n'),
    );
    expect(closes.map((c) => [c.date, c.close, c.source])).toEqual([
      ['2025-09-30', 114078.18, 'cryptocompare'],
      ['2025-09-30', 114024.23, 'coingecko'],
      ['2025-10-07', 0.00001547, 'coingecko'],
    ]);
    expect(refused.map((r) => r.name)).toEqual(
      [4, 5, 6, 7, 8, 9, 10, 12, 13].map((n) => `prices/BTC.csv:${n}`),
    );
    expect(refused[1]?.reason).toBe('asset "ETH" is not BTC, the name of the file');
  });

  it('takes an equal row once and refuses a second close for the same day and source', () => {
    const { closes, refused } = parse(
      'date,asset,close,source\n2025-10-01,BTC,5,a\n2025-10-01,BTC,5.0,a\n2025-10-01,BTC,6,a\n',
    );
    expect(closes).toHaveLength(1);
    expect(refused).toEqual([
      {
        name: 'prices/BTC.csv:4',
        reason: 'close 6 differs from 5, given before for the same day and source',
      },
    ]);
  });

  it('refuses a file without the columns or with broken quoting', () => {
    expect(() => parse('day,price\n2025-10-01,5\n')).toThrow('lacks the column date, asset, close, source');
    expect(() => parse('date,asset,close,source\n"2025-10-01,BTC,5,a\n')).toThrow('is not CSV');
  });
});
