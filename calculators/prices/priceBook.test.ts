import { describe, expect, it } from 'vitest';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { dailyChange, priceBook } from './priceBook.ts';

const parameters = registryParameters;
const row = (date: string, close: number, source = 'cryptocompare', asset = 'BTC') => ({
  date,
  asset,
  close,
  source,
});

describe('price book (M2.13)', () => {
  const threeSources = [
    row('2025-09-30', 113_780.95, 'yahoo'),
    row('2025-09-30', 114_024.23, 'coingecko'),
    row('2025-09-30', 114_078.18),
  ];

  it('takes the first source of the order, whatever the order of rows', () => {
    for (const rows of [threeSources, threeSources.toReversed()]) {
      expect(priceBook(rows, parameters).close('BTC', '2025-09-30')).toEqual({
        asset: 'BTC',
        date: '2025-09-30',
        close: 114_078.18,
        source: 'cryptocompare',
        conflict: false,
      });
    }
  });

  it('takes a source the order does not name only where no other has the day', () => {
    const book = priceBook(
      [...threeSources, row('2025-09-30', 1, 'venue'), row('2025-10-01', 2, 'venue')],
      parameters,
    );
    expect(book.close('BTC', '2025-09-30')).toMatchObject({ source: 'cryptocompare', conflict: true });
    expect(book.close('BTC', '2025-10-01')).toMatchObject({ source: 'venue', close: 2 });
  });

  it('falls back at most three days and never forward', () => {
    const book = priceBook([row('2025-09-30', 100)], parameters);
    expect(book.close('BTC', '2025-10-03')).toMatchObject({ date: '2025-09-30' });
    expect(book.close('BTC', '2025-10-04')).toBeNull();
    expect(book.close('BTC', '2025-09-29')).toBeNull();
    expect(book.close('ETH', '2025-09-30')).toBeNull();
    expect(book.closeOn('BTC', '2025-10-01')).toBeNull();
  });

  it('notes a conflict above 2 %, never averages', () => {
    const at = (second: number) =>
      priceBook([row('2025-09-30', 100), row('2025-09-30', second, 'coingecko')], parameters).close(
        'BTC',
        '2025-09-30',
      );
    expect(at(102)).toMatchObject({ close: 100, conflict: false });
    expect(at(102.1)).toMatchObject({ close: 100, conflict: true });
  });

  it('reads no close that is not a positive number', () => {
    const book = priceBook([row('2025-09-30', 0), row('2025-09-29', -1), row('2025-09-28', 5)], parameters);
    expect(book.close('BTC', '2025-09-30')).toMatchObject({ date: '2025-09-28' });
  });

  it('reads no refused close and names the days it passed over (M2.13b)', () => {
    const refused = { refused: true as const };
    const book = priceBook(
      [
        row('2025-09-27', 100),
        { ...row('2025-09-28', 1e9), ...refused },
        { ...row('2025-09-29', 1e9), ...refused },
        row('2025-09-30', 101, 'yahoo'),
        { ...row('2025-09-30', 1e9), ...refused },
      ],
      parameters,
    );
    expect(book.close('BTC', '2025-09-29')).toMatchObject({ date: '2025-09-27', close: 100 });
    expect(book.refused('BTC', '2025-09-29')).toEqual(['2025-09-29', '2025-09-28']);
    expect(book.close('BTC', '2025-09-30')).toMatchObject({ source: 'yahoo', conflict: false });
    expect(book.refused('BTC', '2025-09-30')).toEqual(['2025-09-30']);
    expect(book.refused('BTC', '2025-09-27')).toEqual([]);
    expect(book.closeOn('BTC', '2025-09-28')).toBeNull();
    // what is refused is there
    expect(book.isMissing('BTC', '2025-09-28')).toBe(false);
  });

  it('gives the bitcoin changes of 2026-02-07 (M3.19)', () => {
    const prices = priceBook(
      [row('2026-02-07', 69_984.73), row('2026-02-06', 70_535.76), row('2026-01-31', 78_664.02)],
      parameters,
    );
    const bitcoin = { asset: 'BTC', date: '2026-02-07', prices, parameters };
    expect(dailyChange(bitcoin, 1)).toBe(-0.78);
    expect(dailyChange(bitcoin, 7)).toBe(-11.03);
    expect(dailyChange(bitcoin, 2)).toBeNull();
    expect(dailyChange({ ...bitcoin, asset: 'ETH' }, 1)).toBeNull();
  });
});
