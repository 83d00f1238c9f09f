import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MarketRegime } from '../../data/contract/values/enums.ts';
import { goldenDailyCloses, goldenParameters as parameters } from '../../fixtures/builders/goldenSlice.ts';
import { addDays, daysBetween } from '../exact/civilDate.ts';
import { roundHalfUp } from '../exact/decimals.ts';
import type { PriceRow } from '../filing/rows.ts';
import { priceBook } from '../prices/priceBook.ts';
import { confirmation, regimeBook } from './marketRegime.ts';

const closes = await goldenDailyCloses();
const book = (rows: readonly PriceRow[]) => regimeBook({ prices: priceBook(rows, parameters), parameters });
const regimes = book(closes);
const [first, last] = ['2024-05-09', '2026-02-07'];
const days: string[] = [];
for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);

/** date | RV30 | RV90 | M | S | mean correlation | raw | confirmed (M3.23) */
const golden = `
2024-05-31 | 0.5254 | 0.6205 | 0.1579 | 0.0166 | 0.6981 | bullish_low_vol | bullish_low_vol
2024-06-30 | 0.3292 | 0.4783 | -0.0711 | -0.045 | 0.7022 | bearish_falling_vol | bearish_falling_vol
2024-09-30 | 0.4277 | 0.5413 | 0.0733 | 0.0379 | 0.7103 | bullish_low_vol | bullish_low_vol
2024-11-30 | 0.6052 | 0.4804 | 0.3741 | 0.36 | 0.5042 | bullish_rising_vol | bullish_rising_vol
2024-12-31 | 0.4482 | 0.4867 | -0.0399 | 0.1126 | 0.6853 | neutral | neutral
2025-03-31 | 0.6794 | 0.518 | -0.0408 | -0.1163 | 0.8593 | high_synchronization_risk | high_synchronization_risk
2025-06-30 | 0.3182 | 0.414 | 0.024 | 0.0841 | 0.8735 | neutral | neutral
2025-07-31 | 0.2619 | 0.313 | 0.095 | 0.0662 | 0.7074 | bullish_low_vol | bullish_low_vol
2025-09-30 | 0.2447 | 0.2893 | 0.0536 | -0.005 | 0.7312 | neutral | neutral
2025-10-31 | 0.4196 | 0.3555 | -0.0766 | -0.0394 | 0.8909 | high_synchronization_risk | high_synchronization_risk
2025-11-22 | 0.4263 | 0.3907 | -0.2308 | -0.2281 | 0.8374 | bearish_high_vol | bearish_high_vol
2025-12-31 | 0.3444 | 0.4128 | 0.0141 | -0.1192 | 0.8743 | neutral | neutral
2026-01-31 | 0.4377 | 0.4216 | -0.1136 | -0.1397 | 0.8623 | bearish_high_vol | neutral
2026-02-05 | 0.6721 | 0.5087 | -0.3298 | -0.3003 | 0.9065 | high_synchronization_risk | high_synchronization_risk
2026-02-07 | 0.807 | 0.5616 | -0.2312 | -0.214 | 0.9288 | high_synchronization_risk | high_synchronization_risk
`;

describe('the market regime by date (M3.23)', () => {
  it.each(
    golden
      .trim()
      .split('\n')
      .map((line) => line.split(' | ')),
  )('%s', (date, ...cells) => {
    const { inputs, raw, confirmed } = regimes.on(date);
    const figures = [
      ...[inputs?.shortVolatility, inputs?.longVolatility, inputs?.momentum, inputs?.trend],
      inputs?.correlation,
    ].map((value) => roundHalfUp(value ?? Number.NaN, 4));
    expect(figures).toEqual(cells.slice(0, 5).map(Number));
    expect([raw, confirmed]).toEqual(cells.slice(5));
  });

  it('labels 640 days as calibrated, with 64 switches instead of 102', () => {
    const counted = (labels: readonly (string | null)[]) =>
      Object.fromEntries([...new Set(labels)].map((l) => [l, labels.filter((other) => other === l).length]));
    const switches = (labels: readonly (string | null)[]) =>
      labels.slice(1).filter((label, i) => label !== labels[i]).length;
    const confirmed = days.map((day) => regimes.on(day).confirmed);
    expect(counted(confirmed)).toEqual({
      neutral: 240,
      bullish_low_vol: 161,
      bearish_high_vol: 78,
      bullish_rising_vol: 55,
      high_synchronization_risk: 54,
      bearish_falling_vol: 52,
    });
    expect([switches(days.map((day) => regimes.on(day).raw)), switches(confirmed)]).toEqual([102, 64]);
  });
});

describe('a regime that cannot be read', () => {
  it('is null before 91 closes, and not a day longer (M3.21)', () => {
    expect(regimes.on('2024-05-07')).toEqual({ inputs: null, raw: null, confirmed: null });
    expect(regimes.on('2024-05-08').confirmed).not.toBeNull();
  });

  it('is null where a close is older than the live limit, or missing beyond the lookback (M2.13, M3.18)', () => {
    const without = (asset: string, ...missing: string[]) =>
      book(closes.filter((row) => row.asset !== asset || !missing.includes(row.date)));
    const gap = ['2026-02-06', '2026-02-07'];
    expect(without('AVAX', ...gap).on('2026-02-07').confirmed).toBeNull();
    expect(without('AVAX', '2026-02-07').on('2026-02-07').confirmed).not.toBeNull();
    const hole = ['2026-01-20', '2026-01-21', '2026-01-22', '2026-01-23'];
    expect(without('AVAX', ...hole).on('2026-02-07').confirmed).toBeNull();
    expect(without('AVAX', ...hole.slice(1)).on('2026-02-07').confirmed).not.toBeNull();
    expect(book(closes.filter((row) => row.asset !== 'LINK')).on('2026-02-07').raw).toBeNull();
  });

  it('is null where prices stand still', () => {
    const still = closes.map((row) => (row.date > '2025-06-01' ? { ...row, close: 1 } : row));
    expect(book(still).on('2026-02-07').raw).toBeNull();
  });
});

describe('confirmation', () => {
  const start = '2026-01-01';
  const labelled = (raws: readonly (MarketRegime | null)[]) => {
    const rawOn = (date: string) => raws[daysBetween(start, date)] ?? null;
    const confirmedOn = confirmation(rawOn, parameters);
    return raws.map((_, i) => confirmedOn(addDays(start, i)));
  };
  const labels = fc.constantFrom<MarketRegime>('high_synchronization_risk', 'neutral', 'bullish_low_vol');

  it('enters synchronization at once and publishes no blip of a day (M15.32)', () => {
    fc.assert(
      fc.property(fc.array(labels, { minLength: 1, maxLength: 40 }), (raws) => {
        const confirmed = labelled(raws);
        expect(confirmed[0]).toBe(raws[0]);
        raws.forEach((raw, i) => {
          if (raw === 'high_synchronization_risk') expect(confirmed[i]).toBe(raw);
          else if (i > 0 && confirmed[i] !== confirmed[i - 1]) {
            expect([raw, raws[i - 1]]).toEqual([confirmed[i], confirmed[i]]);
          }
        });
      }),
    );
  });

  it('has the same label whatever comes later, and whatever day is asked for first (M15.55)', () => {
    fc.assert(
      fc.property(fc.array(fc.option(labels), { minLength: 2, maxLength: 40 }), (raws) => {
        const whole = labelled(raws);
        raws.forEach((_, i) => {
          expect(labelled(raws.slice(0, i + 1)).at(-1)).toBe(whole[i]);
        });
      }),
    );
  });

  it('starts again after a day that cannot be read (M3.21, M3.22)', () => {
    const raws = ['neutral', null, 'bullish_low_vol', 'neutral'] as const;
    expect(labelled(raws)).toEqual(['neutral', null, 'bullish_low_vol', 'bullish_low_vol']);
  });
});
