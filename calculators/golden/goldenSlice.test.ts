import { beforeAll, describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { goldenIssuers } from '../../fixtures/builders/goldenIssuers.ts';
import { goldenContext, goldenPositions } from '../../fixtures/builders/goldenSlice.ts';
import {
  byTicker,
  figure,
  filingTable,
  liveTable,
  motionTable,
} from '../../fixtures/builders/goldenTables.ts';
import { composeGraded, type IssuerResult, type Slice } from '../composeSlice.ts';
import { roundHalfUp } from '../exact/decimals.ts';
import type { Assessment } from '../slice/assessIssuers.ts';
import type { StandingStatistics } from '../standing/standings.ts';

const tickers = goldenIssuers().map(({ inputs }) => inputs.ticker);
let slice: Slice;

beforeAll(async () => {
  slice = composeGraded(goldenPositions(), { context: await goldenContext(), history: [] });
});

function issuer(ticker: string): IssuerResult {
  const found = slice.issuers.find((one) => one.stress.ticker === ticker);
  if (found === undefined) throw new Error(`no golden issuer ${ticker}`);
  return found;
}

function comparison({ standing, figures }: Assessment) {
  const six = (value: number | null | undefined) => (value == null ? null : roundHalfUp(value, 6));
  const raw = standing?.raw;
  return [
    ...[six(raw?.ap), six(raw?.ecs), six(raw?.lsi)],
    ...[standing?.apZ, standing?.ecsZ, standing?.lsiZ, standing?.mpZ, standing?.ownZ, standing?.stZ],
    ...[standing?.resonance, figures.riskTier, figures.tierReasons.join(',')],
  ];
}

function golden(table: string, ticker: string) {
  const cells = byTicker(table).get(ticker) ?? [];
  return [...cells.slice(0, 9).map(figure), ...cells.slice(9)];
}

describe.each(tickers)('golden issuer %s among the thirteen (M12.11)', (ticker) => {
  it('stands where the printed digits say at its period end', () => {
    expect(comparison(issuer(ticker).assessed.base)).toEqual(golden(filingTable, ticker));
  });

  it('stands where the printed digits say at the closes of 2026-02-07', () => {
    const { live } = issuer(ticker).assessed;
    expect(live && comparison(live)).toEqual(golden(liveTable, ticker));
  });

  it('moves and ranks by the printed digits', () => {
    const { stress } = issuer(ticker);
    const ranking = slice.peerRankings.find((row) => row.ticker === ticker);
    const [day, week, velocity, rank, percentile] = byTicker(motionTable).get(ticker) ?? [];
    expect(stress.live_stress_delta_24h).toBe(figure(day));
    expect(stress.live_stress_delta_7d).toBe(figure(week));
    expect(stress.stress_velocity).toBe(velocity);
    expect([ranking?.peer_rank, ranking?.percentile]).toEqual([figure(rank), figure(percentile)]);
    expect([ranking?.peer_count, ranking?.total_peers]).toEqual([13, 13]);
  });
});

it('keeps the median, MAD and n of each indicator (M12.11)', () => {
  const printed = (statistics: StandingStatistics) =>
    Object.fromEntries(
      Object.entries(statistics).map(([name, section]) => [
        name,
        [section?.n, roundHalfUp(section?.median ?? 0, 6), roundHalfUp(section?.mad ?? 0, 6)],
      ]),
    );
  expect(printed(slice.statistics.base)).toEqual({
    ap: [13, 0.105851, 0.105851],
    ecs: [13, 0.517612, 0.397784],
    lsi: [12, 0.109771, 0.100151],
  });
  expect(printed(slice.statistics.live)).toEqual({
    ap: [13, 0.167212, 0.167212],
    ecs: [13, 0.190776, 0.649942],
    lsi: [12, 0.158628, 0.143558],
  });
});

it('sums the slice up to the printed aggregates (M12.11, M5.14)', () => {
  expect(slice.readiness).toMatchObject({
    row_count: 13,
    market_regime: 'high_synchronization_risk',
    resolved_nonzero_count: 10,
    legitimate_zero_debt_count: 3,
    tower_status: 'insufficient_data',
    tower_coherence: null,
    tower_resolved_nonzero_count: 4,
    tower_high_stress_count: 2,
    tower_linkbase_backed_count: 4,
    tower_stress_resonance: 0.5,
    tower_avg_mp_z: 2.0968,
    high_stress_ratio: 0.6,
    avg_live_stress_50pct: 0.644222,
    raw_avg_live_stress_50pct: 1.088923,
    high_stress_avg_live_stress_50pct: 1.730588,
  });
  expect(slice.riskDistribution.filing).toMatchObject({
    CRITICAL: { count: 1, percentage: 7.69 },
    HIGH: { count: 4, percentage: 30.77 },
    MODERATE: { count: 0, percentage: 0 },
    LOW: { count: 8, percentage: 61.54 },
  });
});

it('orders the most stressed like the ranks, ties broken by ecs_z (I2.49, M4.2)', () => {
  const ranked = slice.topStressed.map((row) => row.ticker);
  expect(ranked).toEqual('UPXI CLSK DFDV FLD NAKA BTCS MSTR KULR FGNX BTBT HSDT BMNR LITS'.split(' '));
  expect(slice.topStressed[0]).toMatchObject({ ecs_z: -0.7956, live_ecs_z: -1.2329, live_st_z: 1.8567 });
});

it('reads the equity FGNX files: without it BTCS would be HIGH, one fact of one issuer moves another (T24)', async () => {
  expect(slice.statistics.live.ecs?.n).toBe(13);
  expect(issuer('BTCS').assessed.live?.standing?.ownZ).toBe(1.0193);
  expect(issuer('BTCS').stress).toMatchObject({
    live_risk_tier: 'CRITICAL',
    live_risk_tier_reasons: ['adverse_resonance'],
  });
  const withoutEquity = goldenPositions().map((position) =>
    position.issuer.ticker === 'FGNX'
      ? { ...position, balance: { ...position.balance, equity: null } }
      : position,
  );
  const wrong = composeGraded(withoutEquity, { context: await goldenContext(), history: [] });
  const btcs = wrong.issuers.find((one) => one.stress.ticker === 'BTCS');
  expect(wrong.statistics.live.ecs?.n).toBe(12);
  expect(btcs?.assessed.live?.standing?.ownZ).toBe(0.9974);
  expect(btcs?.stress.live_risk_tier).toBe('HIGH');
});

it('moves assets and equity with coins that the balance sheet carries below fair value (M3.12, M12.4)', async () => {
  const k = 1000n;
  const usd = (thousands: bigint) => new ExactDecimal(thousands * k, 0);
  const [strategy] = goldenPositions();
  if (strategy === undefined) throw new Error('MSTR is the first golden issuer');
  const { issuers } = composeGraded(
    [
      {
        ...strategy,
        filing: { ...strategy.filing, period: '2024-12-31' },
        debt: { ...strategy.debt, total: usd(7_191_675n) },
        holdings: { ...strategy.holdings, amount: usd(41_790_421n), carried: usd(23_909_373n) },
        balance: { ...strategy.balance, assets: usd(25_843_685n), equity: usd(18_229_984n) },
      },
    ],
    { context: await goldenContext(), history: [] },
  );
  const base = issuers[0]?.assessed.base;
  expect(base?.assets?.toString()).toBe('43724733000');
  expect(base?.figures.stress50).toBe(0.344178);
  expect(roundHalfUp(base?.standing?.raw.ecs ?? 0, 6)).toBe(0.666498);
  // E* is 36,111,032 thousand
  expect(base?.figures.shockedEquity?.toString()).toBe('15215821500');
});
