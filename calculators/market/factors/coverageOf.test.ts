import { describe, expect, it } from 'vitest';
import { constituent, registryVersion } from '../../../fixtures/builders/marketSeries.ts';
import { registryParameters } from '../../../fixtures/builders/registryParameters.ts';
import { type Constituent, registryWeights } from '../baskets/product.ts';
import { issuerTruth } from '../readings/issuerTruth.ts';
import { appliedInputs, coverageOf, supportsPressure } from './coverageOf.ts';
import { inputIds, type ZScores } from './factorRow.ts';

const parameters = registryParameters;
const price = (staleMinutes: number) => ({ close: 1, staleMinutes, return7d: 0 });
const zOf = (missing: number) =>
  Object.fromEntries(inputIds.map((id, i) => [id, i < missing ? null : 1])) as ZScores;

function levels({
  constituents = [constituent('A', { weight: 0.9 }), constituent('B', { weight: 0.1 })],
  ages = [0, 0],
  missing = 0,
  historyRows = 30,
  isThere = true,
}: {
  readonly constituents?: readonly Constituent[];
  readonly ages?: readonly (number | null)[];
  readonly missing?: number;
  readonly historyRows?: number;
  readonly isThere?: boolean;
}) {
  return coverageOf({
    weights: isThere ? registryWeights({ constituents }, parameters) : null,
    prices: ages.map((age) => (age === null ? null : price(age))),
    zScores: zOf(missing),
    historyRows,
    bucketLength: '1d',
    parameters,
  });
}

describe('coverage of a row (M8.14)', () => {
  it('is available on all three levels from whole evidence, and supports a pressure then alone', () => {
    const whole = levels({});
    expect(Object.values(whole).map(({ status, reason }) => [status, reason])).toEqual(
      Array(3).fill(['available', null]),
    );
    expect(supportsPressure(whole)).toBe(true);
    for (const bare of [levels({ isThere: false }), levels({ missing: 2 }), levels({ ages: [null, 0] })])
      expect(supportsPressure(bare)).toBe(false);
  });

  it.each([
    ['available', [1440, null], null],
    ['partial', [1441, 0], '0.1 of the weight has a price of the last 24 hours; 0.9 is needed.'],
    ['missing', [null, null], '0 of the weight has a price of the last 24 hours; 0.9 is needed.'],
  ])('level 2 is %s with closes %o minutes old', (status, ages, reason) => {
    expect(levels({ ages }).level_2_public_market).toMatchObject({ status, reason });
  });

  it.each([
    ['available', [0.95], null],
    ['partial', [0.94], '0.94 of the weight is mapped to a known constituent; 0.95 is needed.'],
    ['partial', [0.5, null], 'A weight is missing, negative or stands twice, or all are zero.'],
    ['missing', [null, null], 'A weight is missing, negative or stands twice, or all are zero.'],
  ])('level 3 is %s with weights %o', (status, weights, reason) => {
    const constituents = weights.map((weight, i) => constituent(`C${i}`, { weight }));
    expect(levels({ constituents }).level_3_basket_pressure).toMatchObject({ status, reason });
  });

  it('levels 2 and 3 are missing without a registry', () => {
    const { level_2_public_market: two, level_3_basket_pressure: three } = levels({ isThere: false });
    expect([two, three]).toMatchObject(
      Array(2).fill({ status: 'missing', reason: 'No registry version is in force.' }),
    );
  });

  it('level 4 of one underlying counts six inputs, which breadth is none of (M8.4f)', () => {
    const applied = appliedInputs({ rows: [{ constituent: constituent('BTC', { weight: 1 }), weight: 1 }] });
    expect(applied).toEqual(inputIds.filter((id) => id !== 'breadth'));
    expect(appliedInputs(null)).toEqual(inputIds);
    const alone = [constituent('BTC', { weight: 1 })];
    const four = (missing: number) =>
      levels({ constituents: alone, ages: [0], missing }).level_4_perp_dislocation;
    expect(four(1).status).toBe('available');
    expect(four(2)).toMatchObject({ status: 'partial', reason: expect.stringMatching(/^4 of 6 inputs/) });
  });

  it.each([
    ['available', 1, 30, null],
    ['partial', 2, 30, '5 of 7 inputs have a z-score; without one: funding_annualized, basis_bps.'],
    ['missing', 7, 30, `0 of 7 inputs have a z-score; without one: ${inputIds.join(', ')}.`],
    ['partial', 0, 29, '29 of at least 30 available buckets are there.'],
    ['missing', 7, 0, '0 of at least 30 available buckets are there.'],
  ])('level 4 is %s with %d inputs missing and %d buckets', (status, missing, historyRows, reason) => {
    expect(levels({ missing, historyRows }).level_4_perp_dislocation).toMatchObject({ status, reason });
  });
});

describe('the issuers behind a basket (M8.14 level 1)', () => {
  const version = registryVersion({
    constituents: [
      constituent('AAA', { kind: 'stock', cik: '0000000001', weight: 0.5 }),
      constituent('BBB', { kind: 'stock', cik: '0000000002', weight: 0.3 }),
      constituent('CCC', { kind: 'stock', weight: 0.2 }),
    ],
  });
  const truth = (
    tiers: Record<string, string> | null,
    kind: 'equity_basket' | 'coin_basket' = 'equity_basket',
  ) =>
    issuerTruth({
      product: { kind },
      version,
      tiers: tiers === null ? null : new Map(Object.entries(tiers)),
      parameters,
    });

  it.each([
    ['available', { '0000000001': 'LOW' }, 0.5],
    ['partial', { '0000000001': 'UNCLASSIFIED', '0000000002': 'HIGH' }, 0.3],
    ['missing', { '0000000001': 'UNCLASSIFIED' }, 0],
    ['missing', null, null],
  ])('are %s with tiers %o', (status, tiers, coveredWeight) => {
    const { level, coveredWeight: covered, overlay } = truth(tiers);
    expect([level.status, covered]).toEqual([status, coveredWeight]);
    expect(overlay.map(({ ticker, risk_tier: tier }) => [ticker, tier])).toEqual([
      ['AAA', tiers?.['0000000001'] ?? null],
      ['BBB', (tiers as Record<string, string> | null)?.['0000000002'] ?? null],
    ]);
  });

  it('are not applicable to coins, and missing without a registry', () => {
    expect(truth({ '0000000001': 'LOW' }, 'coin_basket').level).toMatchObject({
      status: 'not_applicable',
      reason: 'Coins have no filings.',
    });
    const none = issuerTruth({ product: { kind: 'coin' }, version: null, tiers: null, parameters });
    expect(none.level).toMatchObject({ status: 'missing', reason: 'No registry version is in force.' });
  });
});
