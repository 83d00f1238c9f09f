import { beforeAll, describe, expect, it } from 'vitest';
import { issuerFieldMap as payload } from '../../data/contract/payloads/issuer/issuerFieldMap.ts';
import { goldenFieldMap, goldenFieldMapRows } from '../../fixtures/builders/goldenFieldMap.ts';
import { goldenContext } from '../../fixtures/builders/goldenSlice.ts';
import { figure } from '../../fixtures/builders/goldenTables.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import type { FieldMapRow } from './fieldMapRow.ts';

// MSTR over 26 days, all thirteen golden filings known, no events supplied (METHODOLOGY M12.11, M9.12).

/** date | field_pressure | stored_energy | E_total | R_s | delta_L | compression | release | price_echo */
const table = `
2026-01-13 |  |  | 0.814889 | 0.164470 |  |  |  | 
2026-01-14 |  |  | 1.635504 | 0.238434 | -0.004329 |  |  | 
2026-01-15 |  |  | 0.862165 | 0.170513 | 0.003743 |  |  | 
2026-01-16 |  |  | 1.201765 | 0.204298 | 0.000174 |  |  | 
2026-01-17 | 0.388260 | 0.576153 | 1.287689 | 0.208973 | 0.001132 | 0 |  | 0.000000
2026-01-18 | 1.000000 | 0.000000 | 0.478226 | 0.122903 | 0.004220 | 1 | 0 | 0.000000
2026-01-19 | 1.000000 | 0.000000 | 0.311888 | 0.099597 | 0.003153 | 1 | 0 | 0.000000
2026-01-20 | 1.000000 | 0.000000 | 0.039657 | 0.004725 | 0.013209 | 1 | 0 | 0.000000
2026-01-21 | 0.896802 | 0.013775 | 0.061640 | 0.029767 | -0.003391 | 0 | 0 | 0.121977
2026-01-22 | 0.772502 | 0.053719 | 0.125384 | 0.058488 | -0.000330 | 0 | 0 | 0.133989
2026-01-23 | 0.787999 | 0.047310 | 0.115156 | 0.054855 | -0.000071 | 0 | 0 | 0.136598
2026-01-24 | 0.786020 | 0.048897 | 0.117689 | 0.055637 | 0.001274 | 1 | 0 | 0.090296
2026-01-25 | 1.000000 | 0.000833 | 0.040986 | -0.003949 | 0.008343 | 1 | 0 | 0.000000
2026-01-26 | 0.892742 | 0.009259 | 0.054433 | 0.024336 | -0.005645 | 0 | 0 | 0.163418
2026-01-27 | 0.831085 | 0.028273 | 0.084776 | 0.042031 | -0.002790 | 0 | 0 | 0.246549
2026-01-28 | 0.746628 | 0.062396 | 0.139231 | 0.061815 | -0.000149 | 0 | 0 | 0.251030
2026-01-29 | 1.000000 | 0.104838 | 0.206962 | -0.080562 | 0.015728 | 1 | 0 | 0.000000
2026-01-30 | 0.957617 | 0.076095 | 0.161093 | -0.069386 | 0.001410 | 1 | 0 | 0.000000
2026-01-31 | 1.000000 | 0.952265 | 1.559327 | -0.239072 | 0.021059 | 1 | 0 | 0.000000
2026-02-01 | 1.000000 | 1.000000 | 2.661797 | -0.310592 | 0.007381 | 1 | 0 | 0.000000
2026-02-02 | 0.934205 | 0.786574 | 2.102163 | -0.278184 | -0.007490 | 0 | 0 | 0.088822
2026-02-03 | 1.000000 | 1.000000 | 3.648913 | -0.361893 | 0.012882 | 1 | 0 | 0.000000
2026-02-04 | 1.000000 | 1.000000 | 6.321635 | -0.469617 | 0.012249 | 1 | 0 | 0.000000
2026-02-05 | 1.000000 | 1.000000 | 12.032897 | -0.601437 | 0.056710 | 1 | 0 | 0.000000
2026-02-06 | 0.798324 | 0.534712 | 6.452589 | -0.466924 | -0.044413 | 0 | 1 | 0.226291
2026-02-07 | 0.807541 | 0.552579 | 6.666873 | -0.472604 | 0.002843 | 1 | 0 | 0.210148
`;
const golden = table
  .trim()
  .split('\n')
  .map((line) => line.split(' | ').map((cell) => cell.trim()));

let rows: FieldMapRow[];
let prices: PriceBook;

beforeAll(async () => {
  prices = (await goldenContext()).prices;
  rows = await goldenFieldMapRows();
});

const mapOf = (some: readonly FieldMapRow[]) => goldenFieldMap(some, prices);

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
      energy_latest_vs_peak: -0.447421,
      pressure_latest_vs_peak: -0.192459,
      price_echo_latest_vs_start: 0.210148,
    });
  });

  it('is a payload of the contract, with the words of the latest point', () => {
    const map = payload.schema.parse(mapOf(rows));
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
