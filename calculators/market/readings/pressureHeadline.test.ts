import { describe, expect, it } from 'vitest';
import { marketRow } from '../../../fixtures/builders/marketRow.ts';
import { marketProduct, marketSeries } from '../../../fixtures/builders/marketSeries.ts';
import { registryParameters } from '../../../fixtures/builders/registryParameters.ts';
import { factorRows } from '../factors/factorRows.ts';
import { pressureHeadline, spectraRead } from './pressureHeadline.ts';
import { qualityWarnings } from './qualityWarnings.ts';

const parameters = registryParameters;

describe('the words of a row', () => {
  it.each([
    [
      1.066667,
      1,
      'Pressure is building at 1.07; carry (funding and basis against their own window) is 1.00: long side.',
    ],
    [
      -0.98,
      -0.2,
      'Pressure is relief at −0.98; carry (funding and basis against their own window) is −0.20: short side.',
    ],
    [2.5, null, 'Pressure is extreme at 2.50; neither funding nor basis has a z-score.'],
    [null, 1, 'No pressure read: the evidence is not complete.'],
  ])('at P %s and carry %s are: %s', (pressure, carry, sentence) => {
    const zScores = { ...marketRow().zScores, funding_annualized: 1, basis_bps: 1 };
    const row = marketRow({ pressure, zScores, groups: { carry, positioning: 0, market: 0 } });
    expect(pressureHeadline(row, parameters)).toBe(sentence);
  });

  it('say first that the observations are made up, with a pressure or without', () => {
    const quality = { ...marketRow().quality, flags: ['synthetic'] };
    const said = (pressure: number | null) =>
      pressureHeadline(
        marketRow({ pressure, quality, groups: { carry: 1, positioning: 0, market: 0 } }),
        parameters,
      );
    expect(said(0.2)).toMatch(/^Made-up observations \(synthetic\)\. Pressure is balanced at 0\.20;/);
    expect(said(null)).toMatch(/^Made-up observations \(synthetic\)\. No pressure read/);
  });

  it('say nothing of funding in an hour without a payment: BTC on 2024-10-17 at 23:00, its basis −2.07 bp', () => {
    const zScores = { ...marketRow().zScores, funding_annualized: null, basis_bps: 2.3956 };
    const groups = { carry: 2.3956, positioning: -0.89365, market: -0.3204 };
    expect(pressureHeadline(marketRow({ pressure: 0.39385, zScores, groups }), parameters)).toBe(
      'Pressure is balanced at 0.39; carry (basis against its own window) is 2.40: long side.',
    );
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
    expect(qualityWarnings(['index_missing', 'late_source', 'stale_factor_row'])).toEqual([
      'The bucket has no index price: no basis, no z-scores, no pressure.',
      'The observations are marked: late source.',
      'The latest row is older than its bucket length allows.',
    ]);
    expect(qualityWarnings(flags)).not.toContainEqual(expect.stringContaining('are marked'));
    expect(qualityWarnings(['open_interest_invalid'])).toEqual([
      'The venue gave a value that cannot be: open interest.',
    ]);
  });
});
