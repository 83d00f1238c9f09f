import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Issuer } from '../../calculators/filing/rows.ts';
import { companyRows as companies } from '../../data/contract/payloads/universe/companies.ts';
import { liveRoutes } from '../../data/contract/routes/routes.ts';
import { companyRows } from '../compute/companyRows.ts';
import { sliceStatus } from '../history/sliceHistory.ts';
import { payloadBytes, validated } from './validated.ts';

const schema = z.object({
  a: z.number(),
  inner: z.array(z.object({ b: z.string() })).optional(),
  ok: z.boolean().optional(),
});
const check = (value: unknown) => validated({ schema, value, key: 'covenant/2025-11-14/CIK0001050446.json' });

describe('validated', () => {
  it('passes a payload its schema knows, in canonical form', () => {
    expect(Buffer.from(payloadBytes(check({ inner: [{ b: 'x' }], a: 1 }))).toString()).toBe(
      '{"a":1,"inner":[{"b":"x"}]}',
    );
  });

  it('refuses a wrong type, a member the contract does not name, and a reserved one (I5.47)', () => {
    expect(() => check({ a: '1' })).toThrow('CIK0001050446.json is not valid against its schema: a:');
    expect(() => check({ a: 1, inner: [{ b: 'x', c: 2 }] })).toThrow('inner.0.c is not in the contract');
    expect(() => check({ a: 1, ok: true })).toThrow('ok is a reserved member');
  });
});

describe('companyRows', () => {
  const issuer = (cik: string, ticker: string | null, entityName: string): Issuer => ({
    cik,
    ticker,
    entityName,
    aliases: ticker === 'MSTR' ? ['STRATEGY'] : [],
    exchange: null,
    issuerType: 'operating_company',
    issuerClass: null,
    primaryAsset: 'BTC',
  });
  const rows = companyRows({
    issuers: [
      issuer('0001050446', 'MSTR', 'Strategy Inc'),
      issuer('0000000009', null, 'Alpha Trust'),
      issuer('0001785459', 'BTCS', 'BTCS Inc.'),
    ],
    covered: new Map([
      [
        '0001050446',
        { period: '2025-09-30', filing_age_days: 45, quality_flag: 'Medium', treasury_relevance: 'core' },
      ],
      [
        '0001785459',
        { period: '2025-06-30', filing_age_days: 137, quality_flag: 'Low', treasury_relevance: null },
      ],
    ]),
    unranked: new Set(['0001785459']),
    reportPrices: new Map([
      ['0001050446', 0.6],
      ['0001785459', 0.45],
    ]),
    sourceDate: '2025-11-14',
    lastSourceDates: new Map([['0000000009', '2025-11-13']]),
    routes: liveRoutes,
  });

  it('lists every issuer by name, covered or not (I3.26, I4.F08.2)', () => {
    expect(
      rows.map((row) => [row.name, row.lookup_ticker, row.coverage_status, row.last_source_date]),
    ).toEqual([
      ['Alpha Trust', '0000000009', 'not_covered', '2025-11-13'],
      ['BTCS Inc.', 'BTCS', 'partial', '2025-11-14'],
      ['Strategy Inc', 'MSTR', 'covered', '2025-11-14'],
    ]);
    expect(rows.map((row) => [row.period, row.filing_age_days, row.quality_flag])).toEqual([
      [null, null, null],
      ['2025-06-30', 137, 'Low'],
      ['2025-09-30', 45, 'Medium'],
    ]);
    expect(rows[2]?.supported_routes).toContain('GET /v1/covenant-stress/{ticker}');
    expect(rows[0]?.unavailable_routes).toContainEqual({
      route: 'GET /v1/covenant-stress/{ticker}',
      reason_code: 'issuer_without_coverage',
    });
  });

  it('says what the report of an issuer costs, null where there is none (I4.R29.4)', () => {
    expect(rows.map((row) => row.report_price_usd)).toEqual([null, 0.45, 0.6]);
  });

  it('names the ranking of an issuer without a rank with the reason of its 404 (I7.6)', () => {
    const ranking = 'GET /v1/peer-ranking/{ticker}';
    expect(rows[1]?.unavailable_routes).toEqual(
      [ranking, 'GET /mpp/v1/peer-ranking/{ticker}'].map((route) => ({
        route,
        reason_code: 'issuer_not_ranked',
      })),
    );
    expect(rows[1]?.supported_routes).toContain('GET /v1/covenant-stress/{ticker}');
    expect(rows[1]?.supported_routes).not.toContain(ranking);
    expect(rows[2]?.unavailable_routes).toEqual([]);
  });

  it('is found by ticker, alias, name and CIK digits, in lower case', () => {
    expect(rows.map((row) => companies.columns.search(row, null))).toEqual([
      '\nalpha trust\n0000000009',
      'btcs\nbtcs inc.\n0001785459',
      'mstr\nstrategy\nstrategy inc\n0001050446',
    ]);
  });
});

describe('sliceStatus', () => {
  const parameters = { partialSlice: 0.9 };
  it('is partial below 90 % of the issuers of the slice before (I2.46)', () => {
    const ciks = Array.from({ length: 10 }, (_, i) => String(i));
    const history = [{ sourceDate: '2025-11-13', release: 'r', ciks }];
    expect(sliceStatus({ history, parameters, ciks: new Set(ciks.slice(1)) })).toBe('complete');
    expect(sliceStatus({ history, parameters, ciks: new Set([...ciks.slice(2), 'new', 'newer']) })).toBe(
      'partial',
    );
    expect(sliceStatus({ history: [], parameters, ciks: new Set() })).toBe('complete');
  });
});
