import { describe, expect, it } from 'vitest';
import { marketRow } from '../../../fixtures/builders/marketRow.ts';
import { registryParameters } from '../../../fixtures/builders/registryParameters.ts';
import { latestQuality } from './qualityWarnings.ts';
import { rankProducts } from './rankProducts.ts';

const parameters = registryParameters;
const at = Date.parse('2024-01-02T00:00:00Z');

describe('ranking (M8.18)', () => {
  it('puts the highest pressure first, ties by P and then by id, and what cannot be judged last', () => {
    const ranked = rankProducts(
      [
        marketRow({ product: 'C', pressure: 0.2 }),
        marketRow({ product: 'STALE', pressure: 3, start: Date.parse('2023-12-29T00:00:00Z') }),
        marketRow({ product: 'B', pressure: 2.6 }),
        marketRow({ product: 'NONE', pressure: null }),
        marketRow({ product: 'A', pressure: 3.2 }),
        marketRow({ product: 'D', pressure: 0.2 }),
      ],
      { at, parameters },
    );
    expect(
      ranked.map(({ row, rank, rankingScore, rankingBand, percentile, quality }) => [
        rank,
        row.product,
        rankingScore,
        rankingBand,
        percentile,
        quality.status,
      ]),
    ).toEqual([
      [1, 'A', 100, 'extreme', 87.5, 'ok'],
      [2, 'B', 100, 'extreme', 62.5, 'ok'],
      [3, 'C', 54, 'balanced', 25, 'ok'],
      [4, 'D', 54, 'balanced', 25, 'ok'],
      [null, 'NONE', 0, 'insufficient_evidence', null, 'ok'],
      [null, 'STALE', 0, 'insufficient_evidence', null, 'stale'],
    ]);
  });

  it('is empty without rows', () => {
    expect(rankProducts([], { at, parameters })).toEqual([]);
  });

  it.each([
    ['1d', 1440, 48],
    ['1h', 60, 6],
    ['15m', 15, 2],
  ] as const)('calls a %s row stale after its hours, not at them (M8.7)', (bucketLength, minutes, hours) => {
    const row = marketRow({ bucketLength, start: 0 });
    const end = minutes * 60_000;
    const quality = (after: number) => latestQuality(row, { at: end + after, parameters });
    expect(quality(hours * 3_600_000)).toMatchObject({ status: 'ok', rowAgeMinutes: hours * 60 });
    expect(quality(hours * 3_600_000 + 60_000)).toMatchObject({
      status: 'stale',
      flags: ['stale_factor_row'],
    });
  });
});
