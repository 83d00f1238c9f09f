import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { addDays } from '../exact/civilDate.ts';
import { implausibleCloses } from './implausibleCloses.ts';

const bounds = registryParameters.closeBounds;
const start = '2025-09-01';

/** One close a day from 2025-09-01 on; null leaves the day out. */
function series(closes: readonly (number | null)[], { asset = 'BTC', source = 'yahoo' } = {}) {
  return closes.flatMap((close, i) =>
    close === null ? [] : [{ date: addDays(start, i), asset, close, source }],
  );
}
const refusedDays = (...of: ReturnType<typeof series>[]) =>
  implausibleCloses(of.flat(), bounds).map(({ date, source }) => `${date.slice(8)} ${source}`);

describe('closes that are not plausible (M2.13b)', () => {
  it.each([
    ['× 1000', 114_078_180],
    ['× 0.001', 114.07818],
    ['× 10', 1_140_781.8],
    ['× 1e290', 1e290],
    ['1e-300', 1e-300],
    ['5e-324', 5e-324],
  ])('a lone close %s is refused and the next one is not', (_, close) => {
    expect(refusedDays(series([112_000, 113_000, 114_000, close, 114_100]))).toEqual(['04 yahoo']);
  });

  it('names what it is compared with', () => {
    expect(implausibleCloses(series([114_000, 114_000_000]), bounds)).toEqual([
      {
        date: '2025-09-02',
        asset: 'BTC',
        close: 114_000_000,
        source: 'yahoo',
        reason: 'is not between 1e-10 and 10000000 USD',
      },
    ]);
    expect(implausibleCloses(series([114_000, 114]), bounds)[0]?.reason).toBe(
      'is 0.001 times the 114000 of 2025-09-01',
    );
  });

  it.each([
    ['BTC 2020-03-12, × 0.628', [7_911.43, 4_970.79, 5_563.71]],
    ['SOL 2022-11-09, × 0.577', [24.2, 13.97, 17.6]],
    ['TRX 2024-12-03, × 1.94 and back', [0.2195, 0.4269, 0.3284]],
    ['DOGE 2021-01-28, × 4.6', [0.0075, 0.0345, 0.047]],
  ])('a real move passes: %s', (_, closes) => {
    expect(refusedDays(series(closes))).toEqual([]);
  });

  it('a crash like that of LUNA passes at once with two sources, with one from its third day on', () => {
    const crash = [77.4, 64.2, 30.3, 17.8, 1.08, 0.0039, 0.00021, 0.00019, 0.00021, 0.0002];
    const second = series(
      crash.map((close) => close * 1.01),
      { source: 'coingecko' },
    );
    expect(refusedDays(series(crash), second)).toEqual([]);
    expect(refusedDays(series(crash))).toEqual(['05 yahoo', '06 yahoo', '07 yahoo', '08 yahoo']);
  });

  it('a lost decimal point is not believed for its number of days, nor for a second source of one day', () => {
    const shifted = [100, 101, 102, 10_100, 10_200, 10_300, 10_200, 10_100, 103];
    const refused = ['04 yahoo', '05 yahoo', '06 yahoo', '07 yahoo', '08 yahoo'];
    expect(refusedDays(series(shifted))).toEqual(refused);
    const other = series(shifted, { source: 'coingecko' });
    expect(refusedDays(series(shifted), other)).toEqual([
      '04 yahoo',
      '04 coingecko',
      '05 yahoo',
      '05 coingecko',
      // both sources on the third day: a redenomination
      '09 yahoo',
      '09 coingecko',
    ]);
  });

  it('all coins shifted alike confirm nothing', () => {
    const shifted = ['BTC', 'ETH', 'SOL'].map((asset) =>
      series([100, 101, 102, 102_000, 103], { asset, source: 'cryptocompare' }),
    );
    expect(refusedDays(...shifted)).toEqual(Array(3).fill('04 cryptocompare'));
  });

  it('of two sources that contradict each other the one near the day before stands', () => {
    const other = series([100, 101, 250], { source: 'coingecko' });
    expect(refusedDays(series([100, 101, 102]), other)).toEqual(['03 coingecko']);
    // the first close of a series has none before it to be judged by
    expect(refusedDays(series([100, 101]), series([100_000], { source: 'coingecko' }))).toEqual([
      '01 yahoo',
      '01 coingecko',
    ]);
  });

  it('a first row that is wrong gives way to the three that follow it', () => {
    expect(refusedDays(series([100_000, 100, 101, 102, 103]))).toEqual(['02 yahoo', '03 yahoo']);
  });

  it('a gap widens the bound by its days, to 100 times at most', () => {
    const gap = (days: number) => Array<null>(days).fill(null);
    expect(refusedDays(series([100, 100, 100, ...gap(13), 3_000]))).toEqual([]);
    expect(refusedDays(series([100, 100, 100, ...gap(27), 100_500]))).toHaveLength(1);
  });

  it('is told by what was known on the day: later closes change nothing', () => {
    const close = fc.constantFrom(100, 101, 130, 1_000, 0.1, 100_000, 400, 1e-12);
    fc.assert(
      fc.property(
        fc.array(fc.option(close, { freq: 10 }), { maxLength: 20 }),
        fc.array(fc.option(close, { freq: 3 }), { maxLength: 20 }),
        fc.nat({ max: 20 }),
        (a, b, days) => {
          const rows = [...series(a), ...series(b, { source: 'coingecko' })];
          const end = addDays(start, days);
          const known = implausibleCloses(rows, bounds).filter(({ date }) => date <= end);
          expect(
            implausibleCloses(
              rows.filter(({ date }) => date <= end),
              bounds,
            ),
          ).toEqual(known);
        },
      ),
    );
  });

  it('lets through no close whose neighbours on both sides are a thousandth of it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.8, max: 1.25, noNaN: true }), { minLength: 8, maxLength: 40 }),
        fc.nat(),
        fc.constantFrom(1_000, 0.001),
        (moves, n, scale) => {
          let level = 100;
          const closes = moves.map((move) => (level *= move));
          const at = 3 + (n % (closes.length - 4));
          expect(refusedDays(series(closes.map((c, i) => (i === at ? c * scale : c))))).toHaveLength(1);
        },
      ),
    );
  });
});
