import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeZip } from '../../../fixtures/builders/zipWriter.ts';
import { handMadeWarehouse } from '../../../fixtures/rigs/handMadeWarehouse.ts';
import { chooseFilingsToFetch } from './chooseFilingsToFetch.ts';
import { submissionsCandidates, warehouseCandidates } from './filingCandidates.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'candidates-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const columns = (rows: readonly (readonly [string, string, string, string, number])[]) => ({
  accessionNumber: rows.map((row) => row[0]),
  filingDate: rows.map((row) => row[1]),
  reportDate: rows.map((row) => row[2]),
  acceptanceDateTime: rows.map((row) => `${row[1]}T20:05:00.000Z`),
  form: rows.map((row) => row[3]),
  items: rows.map(() => ''),
  isXBRL: rows.map((row) => row[4]),
  primaryDocument: rows.map(() => 'a.htm'),
});

async function archive(files: Record<string, unknown>): Promise<string> {
  const path = join(directory, 'submissions.zip');
  const entries = Object.entries(files).map(([name, value]) => ({
    name,
    data: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
  }));
  await writeFile(path, writeZip(entries));
  return path;
}

const registrant = (cik: string, rows: Parameters<typeof columns>[0]) => ({
  cik,
  name: 'A',
  filings: { recent: columns(rows), files: [] },
});

describe('candidates in the submissions archive', () => {
  it('are the periodic filings of the registrants asked for, pages included', async () => {
    const archivePath = await archive({
      'CIK0001050446.json': registrant('0001050446', [
        ['0001050446-25-000003', '2025-07-31', '2025-06-30', '10-Q', 1],
        ['0001050446-25-000002', '2025-06-01', '', '8-K', 0],
      ]),
      'CIK0001050446-submissions-001.json': columns([
        ['0001050446-20-000001', '2020-02-01', '2019-12-31', '10-K', 1],
      ]),
      'CIK0000000009.json': registrant('0000000009', [['0000000009-25-000001', '2025-07-31', '', '10-Q', 1]]),
    });
    const { candidates, refused } = submissionsCandidates({ archivePath, ciks: ['0001050446'] });
    expect(refused).toEqual([]);
    expect(candidates).toContainEqual({
      cik: '0001050446',
      accession: '0001050446-25-000003',
      accessionStatus: 'filed',
      form: '10-Q',
      filed: '2025-07-31',
      // 20:05:00 fits both zones: the later reading (M1.44d)
      acceptedAt: '2025-08-01T00:05:00Z',
      period: '2025-06-30',
      isXbrl: true,
      hasBalanceSheet: null,
    });
    expect(candidates.map((c) => c.accession).sort()).toEqual([
      '0001050446-20-000001',
      '0001050446-25-000003',
    ]);
  });

  it('leave a damaged registrant out and say so', async () => {
    const archivePath = await archive({
      'CIK0000000001.json': '{"cik":',
      'CIK0000000002.json': registrant('0000000002', [
        ['0000000002-25-000001', '2025-07-31', '2025-06-30', '10-Q', 1],
      ]),
    });
    const { candidates, refused } = submissionsCandidates({
      archivePath,
      ciks: ['0000000001', '0000000002'],
    });
    expect(candidates.map((c) => c.cik)).toEqual(['0000000002']);
    expect(refused).toEqual([{ name: 'CIK0000000001.json', reason: expect.stringContaining('JSON') }]);
  });

  it('need an archive', () => {
    const archivePath = join(directory, 'none.zip');
    expect(() => submissionsCandidates({ archivePath, ciks: [] })).toThrow(
      expect.objectContaining({ code: 'input_missing' }),
    );
  });

  it('of a real archive give every registrant with XBRL reports something to fetch', async (ctx) => {
    const archivePath = fileURLToPath(
      new URL('../../../../shared/data/edgar/submissions.zip', import.meta.url),
    );
    const isThere = await access(archivePath).then(
      () => true,
      () => false,
    );
    if (!isThere) return ctx.skip('no submissions archive at hand beside the project');
    const { candidates, refused } = submissionsCandidates({
      archivePath,
      ciks: ['0000320193', '0001050446'],
    });
    expect(refused).toEqual([]);
    const chosen = chooseFilingsToFetch(candidates, { sourceDate: '2025-12-31' });
    expect(new Set(chosen.map((c) => c.cik))).toEqual(new Set(candidates.map((c) => c.cik)));
    for (const c of chosen) expect(c.isXbrl).toBe(true);
  });
});

describe('candidates in the warehouse', () => {
  it('know the balance sheets companyfacts carry, and that others are not known', async () => {
    const warehouse = await handMadeWarehouse();
    try {
      const fact = { cik: '0000000007', end: '2025-06-30', value: '5', form: '10-Q', filed: '2025-08-01' };
      const cover = { ...fact, concept: 'EntityPublicFloat', accession: '0000000007-25-000002' };
      await warehouse.putFacts([{ ...fact, concept: 'Assets', accession: '0000000007-25-000001' }, cover]);
      const candidates = await warehouseCandidates(warehouse.connection);
      expect(
        candidates.map((c) => [c.accession, c.hasBalanceSheet, c.isXbrl, c.acceptedAt, c.filed]),
      ).toEqual([
        ['0000000007-25-000001', true, null, null, '2025-08-01'],
        ['0000000007-25-000002', false, null, null, '2025-08-01'],
      ]);
    } finally {
      warehouse.close();
      await warehouse.remove();
    }
  });
});
