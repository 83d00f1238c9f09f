import { describe, expect, it } from 'vitest';
import {
  type AlphaOpportunityRow,
  alphaOpportunities,
} from '../../data/contract/payloads/universe/alphaOpportunities.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { readList, rowStore } from './rowStore.ts';

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
      issuer_type: row.ticker === 'FUND' ? 'fund_vehicle' : 'operating_company',
      quality: 'high',
      failed_gate: row.ticker === 'FUND' ? 'issuer_type' : null,
      failed_gate_besides_type: null,
    }),
    meta,
  });

const key = 'alpha-board/2026-02-07.ndjson';
const read = async (artifacts: ReturnType<typeof board>) => {
  const bytesOf = new Map(artifacts.map((artifact) => [artifact.key, artifact.bytes]));
  const list = await readList(alphaOpportunities.stored.rows, key, async (name) => bytesOf.get(name) ?? null);
  if (list === null) throw new Error('no list');
  return list;
};
const columns = Object.keys(
  alphaOpportunities.stored.rows.columns,
) as (keyof typeof alphaOpportunities.stored.rows.columns)[];

describe('rowStore', () => {
  it('writes each row once, and beside the rows what they do not say (I4.33)', async () => {
    const artifacts = board([bmnr, fund]);
    expect(artifacts.map((artifact) => artifact.key)).toEqual([key, 'alpha-board/2026-02-07.about.json']);
    const list = await read(artifacts);
    expect([list.count, list.meta]).toEqual([2, meta]);
    expect([bmnr, fund].map((_, row) => list.line(row).toString('utf8'))).toEqual(
      [bmnr, fund].map((row) => canonicalJson(row)),
    );
    expect(Object.fromEntries(columns.map((column) => [column, list.column(column)]))).toEqual({
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
    expect(['0000000007', '0000000008'].map(list.rowOfCik)).toEqual([1, -1]);
  });

  it('keeps what holds for the whole list when there is no row', async () => {
    const artifacts = board([]);
    expect(artifacts[0].bytes).toHaveLength(0);
    expect(await read(artifacts)).toMatchObject({ count: 0, meta });
  });

  it.each([
    ['a row more than is known beside them', (bytes: Buffer) => Buffer.concat([bytes, bytes])],
    ['a last row that is cut short', (bytes: Buffer) => bytes.subarray(0, -1)],
  ])('is refused with %s', async (_, change) => {
    const [list, ...about] = board([bmnr]);
    const changed = { ...list, bytes: change(Buffer.from(list.bytes)) };
    await expect(read([changed, ...about])).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('refuses a row its schema refuses, naming the list', () => {
    expect(() => board([{ ...bmnr, alpha_score: 101 }])).toThrowError(
      /alpha-board\/2026-02-07\.ndjson .*alpha_score/,
    );
  });
});
