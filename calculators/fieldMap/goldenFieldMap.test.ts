import { beforeAll, describe, expect, it } from 'vitest';
import { type IssuerFieldMap, issuerFieldMap as schema } from '../../contract/issuerFieldMap.ts';
import { goldenContext, goldenParameters, goldenPositions } from '../../fixtures/builders/goldenSlice.ts';
import { addDays } from '../civilDate.ts';
import { composeGraded } from '../composeSlice.ts';
import { figure } from '../golden/goldenTables.ts';
import type { PriceBook } from '../priceBook.ts';
import { type FieldMapRow, fieldMapRow } from './fieldMapRow.ts';
import { issuerFieldMap } from './issuerFieldMap.ts';

// MSTR over 26 days, all thirteen golden filings known, no events supplied (METHODOLOGY M12.11, M9.12).

/** date | field_pressure | stored_energy | E_total | R_s | delta_L | compression | release | price_echo */
const table = `
2026-01-13 |  |  | 0.819067 | 0.174098 |  |  |  | 
2026-01-14 |  |  | 1.639454 | 0.251336 | -0.004329 |  |  | 
2026-01-15 |  |  | 0.866173 | 0.179970 | 0.003743 |  |  | 
2026-01-16 |  |  | 1.205370 | 0.214340 | 0.000174 |  |  | 
2026-01-17 | 0.388199 | 0.576183 | 1.291760 | 0.220838 | 0.001132 | 0 |  | 0.000000
2026-01-18 | 1.000000 | 0.000000 | 0.482560 | 0.130501 | 0.004220 | 1 | 0 | 0.000000
2026-01-19 | 1.000000 | 0.000000 | 0.315025 | 0.103852 | 0.003153 | 1 | 0 | 0.000000
2026-01-20 | 1.000000 | 0.000000 | 0.040611 | 0.004782 | 0.013209 | 1 | 0 | 0.000000
2026-01-21 | 0.897154 | 0.013948 | 0.062911 | 0.030250 | -0.003391 | 0 | 0 | 0.121977
2026-01-22 | 0.779431 | 0.053399 | 0.125987 | 0.058926 | -0.000330 | 0 | 0 | 0.133989
2026-01-23 | 0.793984 | 0.047001 | 0.115759 | 0.055266 | -0.000071 | 0 | 0 | 0.136598
2026-01-24 | 0.791074 | 0.048685 | 0.118450 | 0.056167 | 0.001274 | 1 | 0 | 0.090296
2026-01-25 | 1.000000 | 0.000462 | 0.041350 | -0.003967 | 0.008343 | 1 | 0 | 0.000000
2026-01-26 | 0.892902 | 0.009144 | 0.055231 | 0.024581 | -0.005645 | 0 | 0 | 0.163418
2026-01-27 | 0.823178 | 0.029062 | 0.087077 | 0.043322 | -0.002790 | 0 | 0 | 0.246549
2026-01-28 | 0.742776 | 0.062885 | 0.141155 | 0.063377 | -0.000149 | 0 | 0 | 0.251030
2026-01-29 | 1.000000 | 0.104414 | 0.207553 | -0.081177 | 0.015728 | 1 | 0 | 0.000000
2026-01-30 | 0.954708 | 0.076210 | 0.162459 | -0.070571 | 0.001410 | 1 | 0 | 0.000000
2026-01-31 | 1.000000 | 0.952346 | 1.563263 | -0.251284 | 0.021059 | 1 | 0 | 0.000000
2026-02-01 | 1.000000 | 1.000000 | 2.668771 | -0.338784 | 0.007381 | 1 | 0 | 0.000000
2026-02-02 | 0.934968 | 0.786911 | 2.108740 | -0.301605 | -0.007490 | 0 | 0 | 0.088822
2026-02-03 | 1.000000 | 1.000000 | 3.656133 | -0.396296 | 0.012882 | 1 | 0 | 0.000000
2026-02-04 | 1.000000 | 1.000000 | 6.329402 | -0.519011 | 0.012249 | 1 | 0 | 0.000000
2026-02-05 | 1.000000 | 1.000000 | 12.043001 | -0.694979 | 0.056710 | 1 | 0 | 0.000000
2026-02-06 | 0.799746 | 0.534917 | 6.460894 | -0.520888 | -0.044413 | 0 | 1 | 0.226291
2026-02-07 | 0.808806 | 0.552785 | 6.675348 | -0.528750 | 0.002843 | 1 | 0 | 0.210148
`;
const golden = table
  .trim()
  .split('\n')
  .map((line) => line.split(' | ').map((cell) => cell.trim()));

let rows: FieldMapRow[];
let prices: PriceBook;

beforeAll(async () => {
  prices = (await goldenContext()).prices;
  const days = Array.from({ length: 26 }, (_, i) => addDays('2026-01-13', i));
  rows = await Promise.all(
    days.map(async (sourceDate) => {
      const context = await goldenContext({ sourceDate });
      const slice = composeGraded(goldenPositions(), { context, history: [] });
      const mstr = slice.issuers.find(({ stress }) => stress.ticker === 'MSTR');
      if (mstr === undefined) throw new Error('MSTR has no row');
      return fieldMapRow(mstr.stress, []);
    }),
  );
});

const mapOf = (some: readonly FieldMapRow[]): IssuerFieldMap =>
  issuerFieldMap(some, {
    ticker: 'MSTR',
    companyName: 'Strategy Inc',
    filingForm: '10-Q',
    priceSource: 'cryptocompare',
    rawPaths: [],
    choreography: { events: [], chains: [] },
    prices,
    parameters: goldenParameters,
    generatedAt: '2026-02-08T09:00:00Z',
  });

describe('the field map of MSTR from 2026-01-13 to 2026-02-07 (M9.12)', () => {
  it('gives the printed digits at every point', () => {
    const figures = mapOf(rows).points.map((p) => [
      ...[p.date, p.field_pressure, p.stored_energy, p.E_total, p.R_s, p.delta_L],
      ...[p.compression, p.release, p.price_echo],
    ]);
    expect(figures).toEqual(golden.map(([date, ...cells]) => [date, ...cells.map(figure)]));
  });

  it('reads as Pressure Building, five compression bands, one release band', () => {
    const map = mapOf(rows);
    expect(map.summary?.current_read).toBe('Pressure Building');
    expect(map.points.at(-1)?.current_read).toBe('Pressure Building');
    expect(map.what_changed).toMatchObject({
      compression_band_count: 5,
      release_band_count: 1,
      filing_event_count: 0,
      energy_latest_vs_peak: -0.447215,
      pressure_latest_vs_peak: -0.191194,
      price_echo_latest_vs_start: 0.210148,
    });
  });

  it('is a payload of the contract, with the words of the latest point', () => {
    const map = schema.parse(mapOf(rows));
    // high is two thirds or more, low less than a third (M9.9): 0.808806, 0.552785, 0.210148
    expect(map.summary).toEqual({
      current_read: 'Pressure Building',
      issuer_state: 'Compression Watch / Pressure Building',
      latest_pressure_read: 'high',
      latest_energy_read: 'mid',
      latest_price_read: 'low',
      subscriber_takeaway:
        'Field pressure is high and stress rose, or pressure rose clearly over five points.',
      watch_next: ['next periodic report', 'release of the current compression'],
    });
    expect(map.what_changed?.read).toBe(
      '5 compression bands and 1 release band over 26 points; 0 filings in the same days.',
    );
    expect(map.confidence).toBe('Medium');
    expect(map.normalization).toEqual({ method: 'rolling_minmax', window: 30, ui_only: false });
  });

  it('changes no earlier point when later rows arrive (M15.53)', () => {
    expect(mapOf(rows.slice(0, 17)).points).toEqual(mapOf(rows).points.slice(0, 17));
  });
});
