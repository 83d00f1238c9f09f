import { expect, it } from 'vitest';
import { composeGraded } from '../../calculators/composeSlice.ts';
import { alphaOpportunities } from '../../data/contract/payloads/universe/alphaOpportunities.ts';
import {
  goldenDate as d,
  goldenContext,
  goldenPositions,
  goldenParameters as parameters,
} from '../../fixtures/builders/goldenSlice.ts';
import { readList } from '../release/rowStore.ts';
import { peerRankings } from './issuer/issuerStanding.ts';
import { alphaAudit, alphaBoard, alphaSignals } from './universe/alphaBoard.ts';

const slice = composeGraded(goldenPositions(), { context: await goldenContext(), history: [] });
const facts = { sourceDate: d, slice, issuers: [], history: [], parameters };
const madeFor = async (input: { backfilled: boolean }) => {
  const made = [alphaBoard, alphaAudit, alphaSignals, peerRankings].map((one) =>
    one.make({ slice: facts }, input),
  );
  return (await Promise.all(made)).flat().filter((artifact) => 'bytes' in artifact);
};
const artifacts = await madeFor({ backfilled: false });
const textOf = (key: string, from = artifacts) => {
  const artifact = from.find((one) => one.key === key);
  if (artifact === undefined) throw new Error(`no artifact ${key}`);
  return Buffer.from(artifact.bytes).toString();
};
const json = (key: string) => JSON.parse(textOf(key));

it('makes one audit for each view, one payload for each issuer and two lists (I4.R06, I4.R07, I4.R09, I4.R10)', () => {
  const keys = artifacts.map(({ key }) => key);
  const views = [
    'default',
    'all',
    'operating_company',
    'foreign_issuer',
    'etf_trust',
    'fund_vehicle',
    'product',
  ];
  expect(keys.filter((key) => key.startsWith(`alpha-board-audit/${d}/`))).toEqual(
    [...views, 'unresolved_identifier'].map((view) => `alpha-board-audit/${d}/${view}.json`),
  );
  expect(keys.filter((key) => key.startsWith('alpha-signals/')).length).toBe(13);
  expect(keys.filter((key) => key.startsWith('peer-ranking/')).length).toBe(13);
  for (const store of ['alpha-board', 'alpha-board-audit']) {
    expect(keys).toContain(`${store}/${d}.ndjson`);
  }
  expect(keys.filter((key) => key.endsWith('.about.json'))).toEqual([`alpha-board/${d}.about.json`]);
});

it('keeps the state of the market and the gates beside the board (I2.12, I4.R06.2)', async () => {
  const board = await readList(alphaOpportunities.stored.rows, `alpha-board/${d}.ndjson`, async (key) =>
    Buffer.from(textOf(key)),
  );
  expect(board?.meta).toEqual({
    market_regime: 'high_synchronization_risk',
    tower_status: 'insufficient_data',
    tower_coherence: null,
  });
  const gates = board?.column('failed_gate') ?? [];
  expect(board?.column('ticker').filter((_, i) => gates[i] !== null)).toEqual(['CLSK']);
  expect(textOf(`alpha-board/${d}.ndjson`).split('\n')[0]).toBe(
    '{"alpha_score":87,"board_rank":1,"cik":"0001829311","data_quality_notes":[],' +
      '"debt_coverage_status":"legitimate_zero_debt","entity_name":"BMNR","filed":"2025-11-03",' +
      '"filing_age_days":69,"live_stress_50pct":0,"next_report_due":"2026-05-29",' +
      '"research_posture":"resilience_candidate","resilience_percentile":88.46,"risk_tier":"LOW","stress_50pct":0,' +
      '"ticker":"BMNR","treasury_strength":"strong"}',
  );
});

it('counts only the rows of the type a view asks for', () => {
  const total = (view: string) => json(`alpha-board-audit/${d}/${view}.json`).identity_summary.total_rows;
  expect(['default', 'all', 'operating_company', 'etf_trust'].map(total)).toEqual([13, 13, 13, 0]);
});

it('ranks MSTR as the interface shows it (I2.50)', () => {
  expect(json(`peer-ranking/${d}/CIK0001050446.json`)).toMatchObject({
    stressed_leverage_50pct: 0.36401,
    stress_50pct: 0.223313,
    risk_tier: 'LOW',
    live_risk_tier: 'LOW',
    mp_z: -0.1409,
    core_tier: 'Tower',
    resonance_status: 'Neutral',
    peer_rank: 7,
    peer_count: 13,
    percentile: 50,
    peer_percentile: 50,
    total_peers: 13,
    rank_direction: '1_is_highest_risk',
    percentile_direction: 'higher_is_more_resilient',
    ranking_status: 'precomputed',
    ranking_source: 'live',
  });
});

it('backfills the same rows as stores, by CIK (I4.36)', async () => {
  const backfilled = await madeFor({ backfilled: true });
  expect(backfilled.map(({ key }) => key)).toEqual(
    ['alpha-board.ndjson', 'alpha-board.about.json', 'alpha-signals.ndjson', 'peer-ranking.ndjson'].map(
      (name) => name.replace('.', `/${d}.`),
    ),
  );
  for (const name of ['alpha-signals', 'peer-ranking']) {
    const rows = textOf(`${name}/${d}.ndjson`, backfilled).trimEnd().split('\n');
    const ciks = rows.map((row) => String(JSON.parse(row).cik));
    expect(ciks).toEqual(ciks.toSorted());
    for (const [i, cik] of ciks.entries()) expect(textOf(`${name}/${d}/CIK${cik}.json`)).toBe(rows[i]);
  }
  expect(textOf(`alpha-board/${d}.ndjson`, backfilled)).toBe(textOf(`alpha-board/${d}.ndjson`));
});
