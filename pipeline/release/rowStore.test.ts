import { describe, expect, it } from 'vitest';
import {
  type AlphaOpportunityRow,
  alphaOpportunities,
} from '../../data/contract/payloads/universe/alphaOpportunities.ts';
import { rowStoreIndex } from '../../data/contract/release/releaseFiles.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { rowStore } from './rowStore.ts';

const bmnr = alphaOpportunities.example.opportunities[0] as AlphaOpportunityRow;
const fund: AlphaOpportunityRow = { ...bmnr, ticker: 'FUND', cik: '0000000007' };
const meta = {
  market_regime: 'neutral',
  tower_status: 'insufficient_data',
  tower_coherence: null,
} as const;

const board = (rows: readonly AlphaOpportunityRow[]) =>
  rowStore({
    store: alphaOpportunities.stored.rows,
    parts: { slice: '2026-02-07' },
    rows,
    beside: (row) => ({
      issuerType: row.ticker === 'FUND' ? 'fund_vehicle' : 'operating_company',
      quality: 'high',
      failedGate: row.ticker === 'FUND' ? 'issuer_type' : null,
      failedGateBesidesType: null,
    }),
    meta,
  });

describe('rowStore', () => {
  it('writes each row once and says where it lies and what its columns are (I4.33)', () => {
    const [store, index] = board([bmnr, fund]);
    const { offsets, columns, ...rest } = rowStoreIndex.parse(JSON.parse(String(Buffer.from(index.bytes))));
    const bytes = Buffer.from(store.bytes);
    expect([store.key, index.key]).toEqual([
      'alpha-board/2026-02-07.ndjson',
      'alpha-board/2026-02-07.index.json',
    ]);
    expect([bmnr, fund].map((_, i) => bytes.toString('utf8', offsets[i], offsets[i + 1]))).toEqual(
      [bmnr, fund].map((row) => `${canonicalJson(row)}\n`),
    );
    expect(offsets).toHaveLength(3);
    expect(rest).toEqual({ schema_id: 'row_store_index.v1', rows: 2, meta });
    expect(columns).toEqual({
      cik: ['0001829311', '0000000007'],
      ticker: ['BMNR', 'FUND'],
      alpha_score: [87, 87],
      risk_tier: ['LOW', 'LOW'],
      debt_coverage_status: ['legitimate_zero_debt', 'legitimate_zero_debt'],
      quality: ['high', 'high'],
      issuer_type: ['operating_company', 'fund_vehicle'],
      failed_gate: [null, 'issuer_type'],
      failed_gate_besides_type: [null, null],
    });
  });

  it('keeps what holds for the whole store when there is no row', () => {
    const [store, index] = board([]);
    expect(store.bytes).toHaveLength(0);
    expect(rowStoreIndex.parse(JSON.parse(String(Buffer.from(index.bytes))))).toMatchObject({
      rows: 0,
      offsets: [0],
      meta,
    });
  });

  it('refuses a row its schema refuses, naming the store', () => {
    expect(() => board([{ ...bmnr, alpha_score: 101 }])).toThrowError(
      /alpha-board\/2026-02-07\.ndjson .*alpha_score/,
    );
  });
});
