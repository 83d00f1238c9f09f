import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { addDays } from '../exact/civilDate.ts';
import type { Split } from './splits.ts';
import { hasUnknownSplit, type StockRow, splitFactor, splitKind, stockBook } from './stockBook.ts';

const row = (ticker: string, date: string, close: number, source = 'dat-tracker'): StockRow => ({
  ticker,
  date,
  close,
  source,
  licence: null,
});

/** Single closes of ../shared/data/stocks, source dat-tracker: both series are adjusted for their splits. */
const strategy = [
  row('MSTR', '2024-03-28', 170.46),
  row('MSTR', '2024-08-06', 136.92),
  row('MSTR', '2024-08-07', 124.69),
  row('MSTR', '2024-08-08', 135.99),
  row('MSTR', '2024-08-09', 135.37),
];
const kulr = [
  row('KULR', '2024-12-31', 28.4),
  row('KULR', '2025-06-18', 6.88),
  row('KULR', '2025-06-20', 6.92),
  row('KULR', '2025-06-23', 6.69),
  row('KULR', '2025-06-24', 6.54),
  row('KULR', '2025-09-30', 4.16),
];
const tenForOne: Split = { date: '2024-08-08', ratio: 10, source: 'registry' };
const oneForEight: Split = { date: '2025-06-23', ratio: 0.125, source: 'fact' };

const bookOf = (rows: readonly StockRow[], splits: readonly Split[], unknownBefore: string | null = null) =>
  stockBook(rows, new Map([[rows[0]?.ticker ?? '', { splits, unknownBefore }]]));

function answer(book: ReturnType<typeof bookOf>, ticker: string, date: string): string {
  const found = book.close(ticker, date);
  if (found.kind === 'none') return found.reason;
  return `${found.close.date} ${found.close.close} ${found.close.basis}`;
}

describe('the close of a stock (M18.48)', () => {
  it.each([
    ['MSTR', '2024-03-28', '2024-03-28 1704.6 multiplied_back'],
    ['MSTR', '2024-03-31', '2024-03-28 1704.6 multiplied_back'],
    ['MSTR', '2024-04-01', '2024-03-28 1704.6 multiplied_back'],
    ['MSTR', '2024-04-02', 'price_missing'],
    ['MSTR', '2024-08-07', '2024-08-07 1246.9 multiplied_back'],
    ['MSTR', '2024-08-08', '2024-08-08 135.99 as_filed'],
    ['KULR', '2024-12-31', '2024-12-31 3.55 multiplied_back'],
    ['KULR', '2025-09-30', '2025-09-30 4.16 as_filed'],
    ['BTCS', '2025-09-30', 'price_missing'],
  ])('of %s on %s is %s', (ticker, date, expected) => {
    const facts = new Map([
      ['MSTR', { splits: [tenForOne], unknownBefore: null }],
      ['KULR', { splits: [oneForEight], unknownBefore: null }],
    ]);
    expect(answer(stockBook([...strategy, ...kulr], facts), ticker, date)).toBe(expected);
  });

  it('is not known on the very day that a filing gives for the split', () => {
    expect(answer(bookOf(kulr, [oneForEight]), 'KULR', '2025-06-23')).toBe('price_basis_unknown');
    const registered: Split = { ...oneForEight, source: 'registry' };
    expect(answer(bookOf(kulr, [registered, oneForEight]), 'KULR', '2025-06-23')).toBe(
      '2025-06-23 6.69 as_filed',
    );
  });

  it('is as filed where the series shows the jump of the market', () => {
    const traded = strategy.map((one) => (one.date < '2024-08-08' ? { ...one, close: one.close * 10 } : one));
    expect(answer(bookOf(traded, [tenForOne]), 'MSTR', '2024-03-28')).toBe('2024-03-28 1704.6 as_filed');
  });

  it('takes one source a stock, and no other where it has no close', () => {
    const both = [
      row('X', '2025-09-29', 5, 'b'),
      row('X', '2025-09-30', 6, 'a'),
      row('X', '2025-09-20', 4, 'b'),
    ];
    expect(answer(bookOf(both, []), 'X', '2025-09-30')).toBe('2025-09-29 5 as_filed');
    expect(answer(bookOf(both.slice(1), []), 'X', '2025-09-30')).toBe('price_missing');
  });

  it('has no basis before covers that a split nobody states lies between', () => {
    expect(answer(bookOf(kulr, [oneForEight], '2025-08-12'), 'KULR', '2025-06-24')).toBe(
      'price_basis_unknown',
    );
    expect(answer(bookOf(kulr, [oneForEight], '2025-08-12'), 'KULR', '2025-09-30')).toBe(
      '2025-09-30 4.16 as_filed',
    );
  });

  it('refuses closes that are none', () => {
    const none = [row('X', '2025-09-30', 0), row('X', '2025-09-30', Number.NaN), row('X', '2025-09-30', -1)];
    expect(answer(bookOf(none, []), 'X', '2025-09-30')).toBe('price_missing');
  });
});

describe('what a series does at a split', () => {
  const around = (before: number, after: number) => [
    row('X', '2025-06-20', before),
    row('X', '2025-06-24', after),
    row('X', '2025-06-25', after),
  ];
  const split: Split = { date: '2025-06-23', ratio: 0.25, source: 'fact' };

  it.each([
    ['the whole ratio up', 5, 20, 'traded'],
    ['half its logarithm up', 5, 10, 'traded'],
    ['a little less than half', 5, 9.99, 'adjusted'],
    ['nothing', 5, 5, 'adjusted'],
    ['the ratio in the other direction', 20, 5, 'adjusted'],
  ])('%s', (_, before, after, expected) => {
    expect(splitKind(around(before, after), split)).toBe(expected);
  });

  it('does not tell without closes on both sides, or where the ratio shows weeks later', () => {
    expect(splitKind([row('X', '2025-06-20', 5)], split)).toBe('unknown');
    expect(splitKind([row('X', '2025-06-25', 5)], split)).toBe('unknown');
    const late = [...around(5, 5), row('X', '2025-08-01', 5), row('X', '2025-08-04', 20)];
    expect(splitKind(late, split)).toBe('unknown');
    // BMNR rose eightfold on a day weeks after one for twenty: no jump of the ratio
    expect(
      splitKind([...around(5, 5), row('X', '2025-08-01', 5), row('X', '2025-08-04', 40)], {
        ...split,
        ratio: 0.05,
      }),
    ).toBe('adjusted');
  });

  it('gives the same traded closes whichever basis the file is on', () => {
    const ratios = fc.constantFrom(2, 3, 4, 10, 20, 0.5, 0.25, 0.125, 0.1, 0.05);
    const closes = fc.array(fc.integer({ min: 90, max: 110 }), { minLength: 30, maxLength: 30 });
    fc.assert(
      fc.property(ratios, closes, fc.integer({ min: 6, max: 24 }), (ratio, cents, at) => {
        const day = (i: number) => addDays('2025-03-01', i);
        const date = day(at);
        const registered: Split = { date, ratio, source: 'registry' };
        const adjusted = cents.map((cent, i) => row('X', day(i), cent));
        const traded = adjusted.map((one) => (one.date < date ? { ...one, close: one.close * ratio } : one));
        for (let i = 0; i < cents.length; i += 1) {
          const [a, b] = [adjusted, traded].map((rows) => bookOf(rows, [registered]).close('X', day(i)));
          if (a?.kind !== 'close' || b?.kind !== 'close') throw new Error('no close');
          expect(a.close.close.toNumber()).toBeCloseTo(b.close.close.toNumber(), 6);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('counts over splits', () => {
  it('are multiplied by those between two days', () => {
    const splits = [tenForOne, { ...oneForEight, date: '2024-12-01' }];
    expect(splitFactor(splits, { after: '2024-08-07', upTo: '2024-08-08' }).toString()).toBe('10');
    expect(splitFactor(splits, { after: '2024-08-08', upTo: '2024-12-31' }).toString()).toBe('0.125');
    expect(splitFactor(splits, { after: '2024-01-01', upTo: '2024-12-31' }).toString()).toBe('1.25');
  });

  const pair = (earlier: string, later: string, splits: readonly Split[] = []) =>
    hasUnknownSplit({
      earlier: { count: ExactDecimal.parse(earlier), date: '2025-05-15' },
      later: { count: ExactDecimal.parse(later), date: '2025-08-12' },
      splits,
    });

  it.each([
    ['one for eight that nothing states (KULR covers)', '298466335', '41108543', true],
    ['ten for one with a percent of new shares', '17737431', '179000000', true],
    ['an offering that doubles the count and more (BTCS covers)', '21095390', '48052778', false],
    ['an offering of five times the count (LITS covers)', '6662857', '35655155', false],
    ['a merger (FLD covers)', '14349106', '46888876', false],
    ['a steady count', '1000', '1010', false],
  ])('differ by a split: %s', (_, earlier, later, expected) => {
    expect(pair(earlier, later)).toBe(expected);
  });

  it('do not where the split is known', () => {
    expect(pair('298466335', '41108543', [oneForEight])).toBe(false);
  });
});
