import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { debtCoverages, figuresBases } from '../../data/contract/values/enums.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import {
  goldenContext,
  goldenPositions,
  gradedPosition,
  goldenParameters as parameters,
} from '../../fixtures/builders/goldenSlice.ts';
import { issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { readFacts } from '../../fixtures/builders/readTables.ts';
import { loadUniverse } from '../../pipeline/universe/universe.ts';
import { composeGraded } from '../composeSlice.ts';
import type { IssuerInputs } from '../filing/rows.ts';
import { gradePosition } from '../position/gradePosition.ts';
import { positionIssuer } from '../position/positionIssuer.ts';
import { figuresBasis, netDebtToCoins, treasuryRelevance } from './treasuryRelevance.ts';

const usd = (value: number) => ExactDecimal.fromNumber(value);
const relevance = (crypto: number, assets: number | null) =>
  treasuryRelevance(
    { crypto: usd(crypto), assets: assets === null ? null : usd(assets), basis: 'resolved' },
    parameters,
  );

describe('how much of an issuer its coins are (M3.24, M3.25)', () => {
  // coins and assets as filed, USD
  it.each([
    ['TSLA 2025-06-30', 1_235_000_000, 128_567_000_000, 0.009606, 'incidental'],
    ['CLSK 2025-06-30', 1_079_754_000, 3_101_817_000, 0.348104, 'core'],
    ['BTBT 2025-09-30', 423_682_364, 1_133_084_610, 0.373919, 'core'],
    ['MSTR 2025-09-30', 73_205_725_000, 73_619_038_000, 0.994386, 'core'],
    ['DFDV 2025-09-30', 453_719_000, 479_954_000, 0.945339, 'core'],
    ['a tenth of assets', 10, 100, 0.1, 'material'],
    ['just below a tenth', 99_999, 1_000_000, 0.099999, 'incidental'],
    ['no coins', 0, 100, 0, 'none'],
  ])('%s', (_, crypto, assets, share, word) => {
    expect(relevance(crypto, assets)).toEqual({ share, word });
  });

  it('says nothing without assets or without proof of the coins', () => {
    expect(relevance(5, null)).toEqual({ share: null, word: null });
    expect(relevance(5, 0)).toEqual({ share: null, word: null });
    for (const basis of ['crypto_unproven', 'both_unproven'] as const) {
      expect(treasuryRelevance({ crypto: usd(5), assets: usd(10), basis }, parameters).word).toBeNull();
    }
  });

  it('is one word for every share, and never a smaller one for more coins (M15.63)', () => {
    const order = ['none', 'incidental', 'material', 'core'];
    const amount = fc.nat({ max: 10 ** 9 });
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 1, max: 10 ** 9 }), (crypto, more, assets) => {
        const [less, all] = [relevance(crypto, assets), relevance(crypto + more, assets)];
        expect(order.indexOf(all.word ?? '')).toBeGreaterThanOrEqual(order.indexOf(less.word ?? ''));
        expect(order).toContain(less.word);
      }),
    );
  });
});

describe('net debt against coins (M3.26)', () => {
  it('is 0.110915 for MSTR 2025-09-30: 8,173,903 K less 54,285 K of cash over 73,205,725 K', () => {
    const mstr = {
      debt: usd(8_173_903_000),
      crypto: usd(73_205_725_000),
      liquid: { cash: usd(54_285_000), shortTermInvestments: usd(0) },
      areCoinsAtCost: false,
    };
    expect(netDebtToCoins({ ...mstr, basis: 'resolved' })).toBe(0.110915);
    expect(netDebtToCoins({ ...mstr, basis: 'debt_unproven' })).toBeNull();
    const withoutCash = { cash: null, shortTermInvestments: usd(0) };
    expect(netDebtToCoins({ ...mstr, liquid: withoutCash, basis: 'resolved' })).toBeNull();
  });

  // 10-Q 0001564590-21-021949: 1,661,914 K of notes, 82,544 K of cash, coins of 5.4 bn carried at 1,946,582 K
  it('is no figure over coins at cost: MSTR 2021-03-31 owed less than a third of them, not 0.811355', () => {
    const mstr = {
      debt: usd(1_661_914_000),
      crypto: usd(1_946_582_000),
      liquid: { cash: usd(82_544_000), shortTermInvestments: usd(0) },
      basis: 'resolved',
    } as const;
    expect(netDebtToCoins({ ...mstr, areCoinsAtCost: false })).toBe(0.811355);
    expect(netDebtToCoins({ ...mstr, areCoinsAtCost: true })).toBeNull();
  });
});

it('names which of two figures is unproven (M3.3c)', () => {
  for (const coverage of debtCoverages) {
    for (const isCryptoProven of [true, false]) {
      const basis = figuresBasis({ coverage, isCryptoProven });
      expect(figuresBases).toContain(basis);
      expect(basis === 'debt_unproven' || basis === 'both_unproven').toBe(
        coverage === 'low_confidence_missing_debt',
      );
      expect(basis === 'crypto_unproven' || basis === 'both_unproven').toBe(!isCryptoProven);
    }
  }
});

describe('rows that are not judged (M3.27)', () => {
  const covenantMembers = [
    'covenant_headroom_50pct',
    'reference_covenant_ltv',
    'charge_level',
    'discharge_risk',
    'breach_probability_1y',
  ];
  const usdOf = (value: bigint) => new ExactDecimal(value, 0);
  type Stated = Parameters<typeof gradedPosition>[0];
  const stated = (change: Partial<Stated>) =>
    gradedPosition({
      ticker: 'ODD',
      cik: '0000000001',
      period: '2025-09-30',
      mix: [{ asset: 'BTC', amount: usdOf(1n) }],
      currentDebt: usdOf(8_000n),
      noncurrentDebt: usdOf(0n),
      crypto: usdOf(1_000n),
      assets: usdOf(2_000n),
      equity: usdOf(900n),
      currentLiabilities: usdOf(10n),
      cash: usdOf(5n),
      dataSource: 'linkbase_rollup',
      quality: 'High',
      coverage: 'resolved_nonzero',
      coreTier: 'Tower',
      basis: 'fair_value_implied_btc',
      ...change,
    });
  const compose = async (...more: ReturnType<typeof stated>[]) =>
    composeGraded([...goldenPositions(), ...more], { context: await goldenContext(), history: [] });

  it.each<[string, Partial<Stated>]>([
    ['coins of 1 % of assets with much debt (TSLA, IBM)', { assets: usdOf(100_000n) }],
    ['unproven debt (FLD by companyfacts)', { coverage: 'low_confidence_missing_debt' }],
    ['unproven coins (BTCS by companyfacts)', { isCryptoProven: false }],
    ['coins at cost whose band is CRITICAL (MSTR 2022)', { basis: 'carrying_value_lower_bound' }],
  ])(
    '%s: UNCLASSIFIED, in no ranking, average or z, and no other figure moves (M15.67)',
    async (_, change) => {
      const [without, slice] = [await compose(), await compose(stated(change))];
      const row = slice.covenantRows.find(({ ticker }) => ticker === 'ODD');
      expect(row).toMatchObject({ risk_tier: 'UNCLASSIFIED', risk_tier_reasons: [] });
      expect(slice.covenantRows.at(-1)?.ticker).toBe('ODD');
      expect(slice.topStressed).toEqual(without.topStressed);
      expect(slice.statistics).toEqual(without.statistics);
      expect(slice.peerRankings.map(({ ticker, percentile }) => [ticker, percentile])).toEqual(
        without.peerRankings.map(({ ticker, percentile }) => [ticker, percentile]),
      );
      const aggregates = ({ readiness }: typeof slice) => [
        readiness.high_stress_ratio,
        readiness.raw_avg_live_stress_50pct,
        readiness.tower_high_stress_count,
        readiness.tower_avg_mp_z,
      ];
      expect(aggregates(slice)).toEqual(aggregates(without));
      expect(slice.board.find((entry) => entry.row.ticker === 'ODD')?.boardRank).toBeNull();
    },
  );

  it('leaves out covenant, live and shocked figures of unproven coins, and keeps the ratio (M3.3c, M15.64)', async () => {
    const slice = await compose(stated({ isCryptoProven: false }));
    const row = slice.covenantRows.find(({ ticker }) => ticker === 'ODD');
    expect(row).toMatchObject({
      figures_basis: 'crypto_unproven',
      stress_50pct: 16,
      shocked_equity_50pct: null,
      uses_live_prices: false,
      live_stress_50pct: null,
      treasury_relevance: null,
      resolution_status: 'unresolved',
    });
    for (const member of covenantMembers) {
      expect(row).not.toHaveProperty(member);
    }
    expect(slice.unranked.get('0000000001')).toBe('figures_unproven');
  });

  it.each<[string, Partial<Stated>, boolean]>([
    ['incidental coins (TSLA)', { assets: usdOf(100_000n) }, false],
    ['debt without coins', { crypto: usdOf(0n), mix: [] }, false],
    [
      'debt without coins beside assets that are not filed',
      { crypto: usdOf(0n), mix: [], assets: null },
      false,
    ],
    [
      'neither debt nor coins',
      { crypto: usdOf(0n), mix: [], currentDebt: usdOf(0n), coverage: 'resolved_zero' },
      false,
    ],
    ['coins of a tenth of assets', { assets: usdOf(10_000n) }, true],
  ])('of %s has covenant figures: only where coins are measured (M3.25)', async (_, change, isMeasured) => {
    const { covenantRows } = await compose(stated(change));
    const row = covenantRows.find(({ ticker }) => ticker === 'ODD');
    for (const member of covenantMembers) expect(member in (row ?? {})).toBe(isMeasured);
    const live = [row?.live_charge_level, row?.live_discharge_risk, row?.live_covenant_headroom_50pct];
    expect(live.every((member) => (member !== null) === isMeasured)).toBe(true);
    expect(row?.live_breach_probability_1y !== null).toBe(isMeasured);
  });

  it('gives a cost that is LOW a tier and a place, but no live value (M3.10b, M3.18b: MSTR 2021)', async () => {
    const slice = await compose(stated({ basis: 'carrying_value_lower_bound', currentDebt: usdOf(100n) }));
    const row = slice.covenantRows.find(({ ticker }) => ticker === 'ODD');
    expect(row).toMatchObject({ risk_tier: 'LOW', stress_50pct: 0.2, live_stress_50pct: null });
    expect(row).not.toHaveProperty('covenant_headroom_50pct');
    expect(slice.topStressed.find(({ ticker }) => ticker === 'ODD')).toMatchObject({
      // at least: 1 − 0.2 / 0.65
      covenant_headroom_50pct: 0.692308,
      charge_level: 'Low',
    });
  });

  it('asks no review of data that are fine: incidental coins are monitored (IBM, NVDA)', async () => {
    const slice = await compose(stated({ assets: usdOf(100_000n) }));
    const signals = slice.alphaSignals.find(({ ticker }) => ticker === 'ODD');
    expect(signals?.research_posture).toBe('monitor');
    expect(signals?.data_quality_notes).toContain('coins_incidental:0.01');
    expect(slice.unranked.get('0000000001')).toBe('coins_incidental');
  });

  it('never moves a row between tiers when proof weakens (M15.64)', () => {
    const amount = fc.bigInt({ min: 0n, max: 10_000n }).map(usdOf);
    fc.assert(
      fc.property(amount, amount, amount, (debt, crypto, assets) => {
        const tierless = { currentDebt: debt, crypto, assets };
        const strong = stated(tierless);
        const weaker = [
          stated({ ...tierless, coverage: 'low_confidence_missing_debt' }),
          stated({ ...tierless, isCryptoProven: false }),
        ];
        for (const one of weaker) expect([one.isUnclassified, one.isJudged]).toEqual([true, false]);
        const bound = stated({ ...tierless, basis: 'carrying_value_lower_bound' });
        if (strong.isUnclassified) expect(bound.isUnclassified).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});

const universe = await loadUniverse(
  fileURLToPath(new URL('../../data/registry/universe.csv', import.meta.url)),
);

/** The newest balance sheet that a filer's quoted facts hold on a day, as its companyfacts state it. */
async function filedBy(ticker: string, date: string): Promise<IssuerInputs> {
  const issuer = universe.find((row) => row.ticker === ticker);
  if (issuer === undefined) throw new Error(`${ticker} is not in the universe`);
  const known = (await readFacts(ticker)).filter((fact) => fact.filed <= date && /^10-/.test(fact.form));
  const totals = known.filter(({ concept, start }) => concept === 'Assets' && start === null);
  const [newest] = totals.toSorted((a, b) => b.end.localeCompare(a.end));
  if (newest === undefined) throw new Error(`no balance sheet of ${ticker} is quoted`);
  const { accession, form, filed, end } = newest;
  const facts = known
    .filter((fact) => fact.accession === accession)
    .map((fact) => ({ ...fact, value: ExactDecimal.parse(fact.value) }));
  const filing = { cik: issuer.cik, accession, form, filed, period: end, acceptedAt: `${filed}T23:59:59Z` };
  return issuerInputs({ issuer, filing, facts });
}

describe('issuers of the universe with few coins or none, by what they filed', () => {
  it.each([
    // 1,235 of 128,567 M; debt and finance leases are lines of its own, which companyfacts do not have
    ['TSLA', '2025-06-30', '0.009606', 'incidental'],
    ['NVDA', '2025-10-26', '0', 'none'],
    ['IBM', '2025-06-30', '0', 'none'],
  ])('%s of %s heads no list: share %s, %s', async (ticker, period, share, relevance) => {
    const context = await goldenContext();
    const inputs = await filedBy(ticker, '2025-11-30');
    expect(inputs.filing.period).toBe(period);
    const graded = gradePosition(positionIssuer(inputs, context), context);
    const without = composeGraded(goldenPositions(), { context, history: [] });
    const slice = composeGraded([...goldenPositions(), graded], { context, history: [] });
    const row = slice.covenantRows.find((found) => found.ticker === ticker);
    expect(row).toMatchObject({ risk_tier: 'UNCLASSIFIED', treasury_relevance: relevance });
    expect(String(row?.crypto_share_of_assets)).toBe(share);
    expect(slice.covenantRows.at(-1)?.ticker).toBe(ticker);
    expect(slice.topStressed).toEqual(without.topStressed);
    expect(slice.statistics).toEqual(without.statistics);
    expect(slice.peerRankings.find((found) => found.ticker === ticker)?.percentile ?? null).toBeNull();
    expect(slice.board.find((entry) => entry.row.ticker === ticker)?.boardRank ?? null).toBeNull();
  });
});
