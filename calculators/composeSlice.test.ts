import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readiness as payload } from '../data/contract/payloads/universe/readiness.ts';
import { riskDistribution } from '../data/contract/payloads/universe/riskDistribution.ts';
import { topStressedRow } from '../data/contract/payloads/universe/topStressed.ts';
import { canonicalJson } from '../data/contract/values/canonicalJson.ts';
import { goldenCloses } from '../fixtures/builders/goldenIssuers.ts';
import { issuerInputs } from '../fixtures/builders/issuerInputs.ts';
import { registryParameters } from '../fixtures/builders/registryParameters.ts';
import { composeSlice } from './composeSlice.ts';
import { type IssuerPosition, positionIssuer } from './position/positionIssuer.ts';
import { priceBook } from './prices/priceBook.ts';
import type { SliceContext } from './slice/assessIssuers.ts';

const parameters = registryParameters;
const context: SliceContext = {
  sourceDate: '2026-02-07',
  asOf: '2026-02-07T07:12:40Z',
  prices: priceBook(goldenCloses, parameters),
  parameters,
  backfilled: false,
};

/** An issuer with some debt and coins; every third keeps its debt to itself. */
function position(input: {
  n: number;
  debt: number;
  coins: number;
  asset?: string;
  filed?: string;
}): IssuerPosition {
  const cik = String(input.n).padStart(10, '0');
  const debt = input.n % 3 === 2 ? {} : { NotesPayableCurrent: input.debt };
  return positionIssuer(
    issuerInputs({
      issuer: { cik, ticker: `T${input.n}`, primaryAsset: input.asset ?? 'BTC' },
      filing: { cik, filed: input.filed ?? '2025-11-03' },
      balance: { ...debt, CryptoAssetFairValue: input.coins, StockholdersEquity: 10 ** 9 },
    }),
    context,
  );
}

const somePositions = fc
  .array(
    fc.record({
      debt: fc.nat({ max: 5_000 }),
      coins: fc.nat({ max: 5_000 }),
      asset: fc.constantFrom('BTC', 'DOGE'),
    }),
    { maxLength: 12 },
  )
  .map((rows) => rows.map((row, n) => position({ n, ...row })));
const compose = (positions: readonly IssuerPosition[]) => composeSlice(positions, { context, history: [] });

describe('slice', () => {
  it('keeps every payload within its schema and its counts together (M15.60, I2.46, I2.47)', () => {
    fc.assert(
      fc.property(somePositions, (positions) => {
        const slice = compose(positions);
        const readiness = payload.stored.object.schema.parse(slice.readiness);
        const total = positions.length;
        expect(
          readiness.resolved_nonzero_count +
            readiness.legitimate_zero_debt_count +
            readiness.low_confidence_missing_debt_count +
            readiness.resolved_zero_count,
        ).toBe(total);
        expect((readiness.medium_quality_count ?? 0) + (readiness.low_quality_count ?? 0)).toBe(total);
        for (const distribution of [slice.riskDistribution.filing, slice.riskDistribution.live]) {
          const { meta, ...tiers } = riskDistribution.schema.parse(distribution);
          expect(Object.values(tiers).reduce((sum, tier) => sum + tier.count, 0)).toBe(meta.total);
          expect(meta.total).toBe(total);
        }
        expect(slice.topStressed.length + slice.excludedUnclassified).toBe(total);
      }),
      { numRuns: 40 },
    );
  });

  it('is the same for any order of issuers (M15.2)', () => {
    fc.assert(
      fc.property(somePositions, (positions) => {
        const bytes = (some: readonly IssuerPosition[]) => {
          const { readiness, covenantRows, topStressed, peerRankings } = compose(some);
          return canonicalJson({ readiness, covenantRows, topStressed, peerRankings });
        };
        expect(bytes(positions.toReversed())).toBe(bytes(positions));
      }),
      { numRuns: 40 },
    );
  });

  it('orders rows by filing stress, then ticker (I2.6), and ranks tiered issuers live where live (I2.49)', () => {
    fc.assert(
      fc.property(somePositions, (positions) => {
        const { covenantRows, topStressed } = compose(positions);
        covenantRows.slice(1).forEach((row, i) => {
          const before = covenantRows[i];
          expect((before?.stress_50pct ?? 0) >= row.stress_50pct).toBe(true);
          if (before?.stress_50pct === row.stress_50pct) expect(before.ticker < row.ticker).toBe(true);
        });
        const sortValue = (row: (typeof topStressed)[number]) => row.live_stress_50pct ?? row.stress_50pct;
        topStressed.forEach((row, i) => {
          topStressedRow.parse(row);
          expect(row.rank).toBe(i + 1);
          expect(row.sort_basis).toBe(row.live_stress_50pct === null ? 'filing' : 'live');
          const next = topStressed[i + 1];
          if (next !== undefined) expect(sortValue(row)).toBeGreaterThanOrEqual(sortValue(next));
        });
      }),
      { numRuns: 40 },
    );
  });

  it('sums the slice up when it is empty', () => {
    const slice = compose([]);
    expect(slice.readiness).toMatchObject({
      row_count: 0,
      filing_source_date: null,
      live_prices_active: false,
      live_price_source: null,
      high_stress_ratio: null,
      avg_live_stress_50pct: null,
      tower_status: 'insufficient_data',
      tower_coherence: null,
    });
    expect(slice.riskDistribution.filing.LOW).toEqual({ count: 0, percentage: 0 });
    expect(slice.topStressed).toEqual([]);
  });

  it('names the newest filing and the coverage of live closes, and replaces its own date in the history', () => {
    const positions = [
      position({ n: 0, debt: 10, coins: 100, filed: '2025-11-14' }),
      position({ n: 1, debt: 10, coins: 100, asset: 'DOGE' }),
    ];
    const { readiness } = composeSlice(positions, {
      context,
      history: [
        { sourceDate: '2026-02-06', ciks: ['0000000000'] },
        { sourceDate: '2026-02-07', ciks: ['0000000000', '0000000009'] },
      ],
    });
    expect(readiness).toMatchObject({
      filing_source_date: '2025-11-14',
      live_prices_active: true,
      live_price_source: 'cryptocompare',
      live_price_coverage_count: 1,
      time_windows: { latest_week: { source_date_count: 2, row_count: 3, distinct_issuer_count: 2 } },
    });
  });
});
