import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { compare, divide, exactly, multiply, quotient } from '../exact/fraction.ts';
import { priceBook } from '../prices/priceBook.ts';
import { assessStress, type StressPosition } from './assessStress.ts';
import { breachProbability } from './breachProbability.ts';
import { repriceHoldings } from './repriceHoldings.ts';
import { chargeLevel, covenantHeadroom, stressBand, stressRatio, stressTiers } from './stressRatio.ts';

const parameters = registryParameters;
const usd = (value: bigint) => new ExactDecimal(value, 0);
const debt = fc.bigInt({ min: 0n, max: 10n ** 12n }).map(usd);
const coins = fc.bigInt({ min: 1n, max: 10n ** 12n }).map(usd);
const exposure = fc.record({ debt, crypto: coins });
const equity = fc.option(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }).map(usd));
const bitcoin = [{ asset: 'BTC', amount: usd(1n) }];
const position = fc
  .record({ debt, crypto: coins, equity })
  .map((p): StressPosition => ({ ...p, mix: bitcoin }));
const assess = (p: StressPosition) => assessStress(p, { proof: 'proven', unclassified: false, parameters });
const levels = ['Low', 'Elevated', 'Critical'];
const risks = ['Low', 'Medium', 'High'];
const tiers: readonly string[] = stressTiers;

describe('stress', () => {
  it('rises with the shock, and is zero exactly without debt (M15.17)', () => {
    fc.assert(
      fc.property(exposure, (e) => {
        const [s30, s50, s70] = [0.3, 0.5, 0.7].map((fall) => stressRatio(e, fall, parameters));
        if (s30 === undefined || s50 === undefined || s70 === undefined) throw new Error('three shocks');
        expect(s30.numerator > 0n).toBe(e.debt.sign > 0);
        expect([s50, s70].every((s) => s.numerator > 0n)).toBe(e.debt.sign > 0);
        if (e.debt.sign === 0) return;
        const isCapped = compare(s70, exactly(parameters.stressCap)) === 0;
        expect(compare(s50, s30)).toBeGreaterThanOrEqual(isCapped ? 0 : 1);
        expect(compare(s70, s50)).toBeGreaterThanOrEqual(isCapped ? 0 : 1);
      }),
    );
  });

  it('undoes the shock to the same loan-to-value below the cap (M15.18)', () => {
    fc.assert(
      fc.property(exposure, (e) => {
        for (const fall of [0.3, 0.5, 0.7]) {
          const stress = stressRatio(e, fall, parameters);
          if (compare(stress, exactly(parameters.stressCap)) === 0) continue;
          const kept = exactly(Number((1 - fall).toFixed(2)));
          expect(compare(multiply(stress, kept), quotient(e.debt, e.crypto))).toBe(0);
        }
      }),
    );
  });

  it('leaves headroom below zero exactly when it is above the reference covenant (M15.19)', () => {
    fc.assert(
      fc.property(exposure, (e) => {
        const stress = stressRatio(e, 0.5, parameters);
        const headroom = covenantHeadroom(stress, parameters);
        expect(headroom.numerator < 0n).toBe(compare(stress, exactly(0.65)) > 0);
        expect(compare(headroom, exactly(1)) === 0).toBe(e.debt.sign === 0);
      }),
    );
  });

  it('ignores the unit of money (M15.20)', () => {
    fc.assert(
      fc.property(position, fc.bigInt({ min: 1n, max: 10n ** 6n }), (p, k) => {
        const scale = (value: ExactDecimal) => value.times(usd(k));
        const scaled = assess({
          ...p,
          debt: scale(p.debt),
          crypto: scale(p.crypto),
          equity: p.equity && scale(p.equity),
        });
        const plain = assess(p);
        expect({ ...scaled, shockedEquity: null, riskTier: null, tierReasons: null }).toEqual({
          ...plain,
          shockedEquity: null,
          riskTier: null,
          tierReasons: null,
        });
        // shocked equity is rounded to whole units, so only a half unit below zero may change its sign
        if (plain.shockedEquity?.sign !== 0) expect(scaled.riskTier).toBe(plain.riskTier);
      }),
    );
  });

  it('never falls with more debt and never rises with more coins (M15.21, M15.22)', () => {
    fc.assert(
      fc.property(exposure, debt, coins, (e, moreDebt, moreCoins) => {
        const stress = stressRatio(e, 0.5, parameters);
        const indebted = { ...e, debt: e.debt.plus(moreDebt) };
        const richer = { ...e, crypto: e.crypto.plus(moreCoins) };
        expect(compare(stressRatio(indebted, 0.5, parameters), stress)).toBeGreaterThanOrEqual(0);
        expect(compare(stressRatio(richer, 0.5, parameters), stress)).toBeLessThanOrEqual(0);
        const [before, after] = [e, indebted].map((x) => breachProbability(x, 0.6, parameters));
        expect(after).toBeGreaterThanOrEqual((before ?? 2) * (1 - 1e-12));
      }),
    );
  });

  it('gives a breach probability of one exactly from the reference covenant on (M15.22)', () => {
    fc.assert(
      fc.property(exposure, (e) => {
        const p = breachProbability(e, 0.6, parameters);
        expect(p).toBeGreaterThanOrEqual(0);
        expect(p).toBeLessThanOrEqual(1);
        if (compare(quotient(e.debt, e.crypto), exactly(0.65)) >= 0) expect(p).toBe(1);
      }),
    );
    const just = { debt: usd(649_999_999n), crypto: usd(1_000_000_000n) };
    expect(breachProbability(just, 0.6, parameters)).toBeLessThan(1);
    expect(breachProbability({ ...just, debt: usd(650_000_000n) }, 0.6, parameters)).toBe(1);
  });

  it('never grades an issuer better for more debt (M15.23)', () => {
    fc.assert(
      fc.property(position, debt, (p, more) => {
        const [before, after] = [assess(p), assess({ ...p, debt: p.debt.plus(more) })];
        expect(levels.indexOf(after.covenant?.chargeLevel ?? '')).toBeGreaterThanOrEqual(
          levels.indexOf(before.covenant?.chargeLevel ?? ''),
        );
        expect(risks.indexOf(after.covenant?.dischargeRisk ?? '')).toBeGreaterThanOrEqual(
          risks.indexOf(before.covenant?.dischargeRisk ?? ''),
        );
        expect(tiers.indexOf(after.riskTier)).toBeGreaterThanOrEqual(tiers.indexOf(before.riskTier));
      }),
    );
  });

  it('labels by the published numbers, a notch at most and only with debt (M15.3, M15.24, M15.25)', () => {
    fc.assert(
      fc.property(position, (p) => {
        const figures = assess(p);
        const band = stressBand(figures.stress50, parameters);
        const step = tiers.indexOf(figures.riskTier) - tiers.indexOf(band);
        const isNotched = figures.tierReasons.length > 0;
        expect(step).toBe(isNotched && band !== 'CRITICAL' ? 1 : 0);
        expect(isNotched).toBe(p.debt.sign > 0 && (figures.shockedEquity?.sign ?? 0) < 0);
        const charge = chargeLevel(figures.stress50, parameters);
        expect(figures.covenant?.chargeLevel).toBe(charge);
        expect(charge === 'Low').toBe(band === 'LOW');
        if (band === 'CRITICAL') expect(charge).toBe('Critical');
        if (charge === 'Critical') expect(['HIGH', 'CRITICAL']).toContain(band);
      }),
    );
  });

  it('never notches for equity that was not filed (M15.33)', () => {
    fc.assert(
      fc.property(position, (p) => {
        const figures = assess({ ...p, equity: null });
        expect(figures.tierReasons).toEqual([]);
        expect(figures.shockedEquity).toBeNull();
      }),
    );
  });
});

describe('live overlay', () => {
  const close = fc.integer({ min: 1, max: 20_000_000 }).map((cents) => cents / 100);
  const reprice = (crypto: ExactDecimal, reference: number, today: number) =>
    repriceHoldings({
      crypto,
      mix: bitcoin,
      period: '2025-09-30',
      date: '2026-02-07',
      prices: priceBook(
        [
          { date: '2025-09-30', asset: 'BTC', close: reference, source: 'cryptocompare' },
          { date: '2026-02-07', asset: 'BTC', close: today, source: 'cryptocompare' },
        ],
        parameters,
      ),
      parameters,
    });

  it('reproduces the filed value at the reference close (M15.29)', () => {
    fc.assert(
      fc.property(coins, close, (crypto, price) => {
        expect(reprice(crypto, price, price)?.crypto.toString()).toBe(crypto.toString());
      }),
    );
  });

  it('doubles with the price, up to the rounding to whole USD (M15.30)', () => {
    fc.assert(
      fc.property(coins, close, close, (crypto, reference, price) => {
        const once = reprice(crypto, reference, price)?.crypto ?? usd(0n);
        const twice = reprice(crypto, reference, Number((price * 2).toFixed(2)))?.crypto ?? usd(0n);
        const drift = twice.minus(once.plus(once));
        expect(drift.compare(usd(1n))).toBeLessThanOrEqual(0);
        expect(drift.compare(usd(-1n))).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('is absent without a mix, without coins, and when any close is missing or stale (M3.18)', () => {
    const rows = [
      { date: '2025-09-30', asset: 'BTC', close: 114_078.18, source: 'cryptocompare' },
      { date: '2026-02-05', asset: 'BTC', close: 62_853.69, source: 'cryptocompare' },
    ];
    const at = (date: string, mix = bitcoin, crypto = usd(100n)) =>
      repriceHoldings({
        crypto,
        mix,
        period: '2025-09-30',
        date,
        prices: priceBook(rows, parameters),
        parameters,
      });
    expect(at('2026-02-05')).not.toBeNull();
    expect(at('2026-02-06')?.live[0]?.date).toBe('2026-02-05');
    expect(at('2026-02-07')).toBeNull();
    expect(at('2026-02-05', [])).toBeNull();
    expect(at('2026-02-05', bitcoin, usd(0n))).toBeNull();
    expect(at('2026-02-05', [...bitcoin, { asset: 'SOL', amount: usd(1n) }])).toBeNull();
  });
});

it('caps debt without coins and never divides by them (M3.3)', () => {
  const capped = stressRatio({ debt: usd(1n), crypto: usd(0n) }, 0.5, parameters);
  expect(compare(capped, divide(exactly(1000), exactly(1)))).toBe(0);
});
