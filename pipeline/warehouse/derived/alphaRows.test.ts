import { afterEach, beforeEach, expect, it } from 'vitest';
import { composeGraded } from '../../../calculators/composeSlice.ts';
import { goldenContext, goldenDate, goldenPositions } from '../../../fixtures/builders/goldenSlice.ts';
import { type HandMadeWarehouse, handMadeWarehouse } from '../../../fixtures/rigs/handMadeWarehouse.ts';
import { readRows } from '../build/readRows.ts';
import { writeAlphaRows } from './alphaRows.ts';

let warehouse: HandMadeWarehouse;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
});
afterEach(() => warehouse.remove());

const slice = composeGraded(goldenPositions(), { context: await goldenContext(), history: [] });
const write = () =>
  writeAlphaRows(warehouse.connection, slice, { sourceDate: goldenDate, methodVersion: 'm-1.0' });

it('writes scores, ranks and gates of the golden slice behind view alpha, once', async () => {
  await write();
  await write();
  const rows = await readRows(
    warehouse.connection,
    `SELECT ticker, alpha_score, regime_fit, stress_alignment, own_z, market_z, peer_rank, peer_percentile, board_rank,
      raw_rank, failed_gate FROM alpha ORDER BY raw_rank`,
  );
  expect(rows.length).toBe(13);
  expect(rows[0]).toEqual({
    ticker: 'BMNR',
    alpha_score: 87,
    regime_fit: 69,
    stress_alignment: 100,
    own_z: -0.6865,
    market_z: 1.4278,
    peer_rank: 12,
    peer_percentile: 88.46,
    board_rank: 1,
    raw_rank: 1,
    failed_gate: null,
  });
  expect(rows.at(-1)).toMatchObject({ ticker: 'CLSK', board_rank: null, failed_gate: 'stale_filing' });
});

it('keeps every part under its own name', async () => {
  await write();
  const differing = await readRows(
    warehouse.connection,
    `SELECT ticker FROM alpha WHERE NOT (
      debt_cleanliness = coverage_points + source_points + quality_points
      AND stress_resilience = (50 * inverse_live_stress + 15 * delta_stability_proxy + 20 * debt_buffer_strength
        + 15 * treasury_cushion + 50) // 100
      AND regime_fit = (45 * stress_alignment + 25 * peer_relative_strength + 15 * treasury_regime_bonus
        + 15 * tower_participation_modifier + 50) // 100
      AND treasury_strength_score = (40 * asset_ratio + 40 * net_coverage + 20 * disclosure + 50) // 100
      AND alpha_score = (debt_cleanliness + stress_resilience + regime_fit + treasury_strength_score) // 4
      AND alpha_score = (payload::JSON ->> '$.alpha_score')::INTEGER)`,
  );
  expect(differing).toEqual([]);
});

it('keeps the statistics that z-scores are recomputed from (M3.15)', async () => {
  await write();
  const rows = await readRows(
    warehouse.connection,
    `SELECT basis, indicator, issuers, round(median, 6) AS median, round(mad, 6) AS mad FROM cross_sections
    ORDER BY basis, indicator`,
  );
  expect(rows.map((row) => Object.values(row))).toEqual([
    ['filing', 'ap', 13, 0.105851, 0.105851],
    ['filing', 'ecs', 13, 0.517612, 0.397784],
    ['filing', 'lsi', 12, 0.109771, 0.100151],
    ['live', 'ap', 13, 0.167212, 0.167212],
    ['live', 'ecs', 13, 0.190776, 0.649942],
    ['live', 'lsi', 12, 0.158628, 0.143558],
  ]);
});
