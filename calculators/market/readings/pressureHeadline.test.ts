import { describe, expect, it } from 'vitest';
import registry from '../../../data/registry/parameters.json' with { type: 'json' };
import { marketRow } from '../../../fixtures/builders/marketRow.ts';
import { marketProduct, marketSeries } from '../../../fixtures/builders/marketSeries.ts';
import { parseParameters } from '../../parameters/parameters.ts';
import { factorRows } from '../factors/factorRows.ts';
import { pressureHeadline, spectraRead } from './pressureHeadline.ts';
import { qualityWarnings } from './qualityWarnings.ts';

const parameters = parseParameters(registry);

describe('the words of a row', () => {
  it.each([
    [1.066667, 1, 'Pressure is building at 1.07; funding and basis lean to the long side.'],
    [-0.000001, -0.2, 'Pressure is balanced at 0.00; funding and basis lean to the short side.'],
    [2.5, null, 'Pressure is extreme at 2.50; neither funding nor basis is known.'],
    [null, 1, 'No pressure read: the evidence is not complete.'],
  ])('at P %s and carry %s are: %s', (pressure, carry, sentence) => {
    const row = marketRow({ pressure, groups: { carry, positioning: 0, market: 0 } });
    expect(pressureHeadline(row, parameters)).toBe(sentence);
  });

  it('name the three largest parts of P, with their signs', () => {
    const attribution = [
      { factor: 'funding_annualized', contribution: 0.2 },
      { factor: 'basis_bps', contribution: -0.001 },
      { factor: 'oi_change_24h', contribution: -0.25 },
      { factor: 'breadth', contribution: 0.004 },
    ] as const;
    expect(spectraRead({ attribution })).toBe(
      'Largest parts of pressure: open interest −0.25, funding +0.20, breadth 0.00.',
    );
    expect(spectraRead({ attribution: [] })).toBeNull();
  });

  it('has a sentence for every flag a row can set, and names those of a loader', () => {
    const [bare] = factorRows({
      product: marketProduct({ versions: [] }),
      bucketLength: '1d',
      series: [
        marketSeries('2024-01-01', {
          buckets: [{ index: null, openInterest: 0, fundingRate: null, volumeUsd: null, synthetic: true }],
        }),
      ],
      closes: { coin: new Map(), stock: new Map() },
      from: 0,
      to: Number.MAX_SAFE_INTEGER,
      parameters,
    });
    const flags = bare?.quality.flags ?? [];
    expect(flags).toEqual([
      'funding_missing',
      'index_missing',
      'insufficient_history',
      'open_interest_invalid',
      'open_interest_missing',
      'registry_missing',
      'synthetic',
      'volume_incomplete',
    ]);
    expect(qualityWarnings(['index_missing', 'clock_gap', 'stale_factor_row'])).toEqual([
      'The bucket has no index price: no basis, no z-scores, no pressure.',
      'The observations are marked: clock gap.',
      'The latest row is older than its bucket length allows.',
    ]);
    expect(qualityWarnings(flags)).not.toContainEqual(expect.stringContaining('are marked'));
    expect(qualityWarnings(['open_interest_invalid'])).toEqual([
      'The venue gave a value that cannot be: open interest.',
    ]);
  });
});
