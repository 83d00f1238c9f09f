import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fixtureNights } from './fixturesSource.ts';
import { directoryNights, planNights } from './nightSource.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'nights-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const now = new Date('2026-02-07T23:30:00-05:00');
const plan = ({ date, asOf }: { date?: string; asOf?: string }) =>
  planNights({ source: directoryNights(root), date: date ?? null, asOf: asOf ?? null, now });
const list = (text: string) => writeFile(join(root, 'nights.csv'), text);

describe('planNights', () => {
  it('runs every night of a nights.csv in order, and takes other columns as notes', async () => {
    await list(
      'source_date,as_of,note\n2025-11-14,2025-11-15T06:00:00Z,later\n2025-11-13,,"first, quietly"\n',
    );
    expect(await plan({})).toEqual([
      { sourceDate: '2025-11-13', asOf: null, note: 'first, quietly' },
      { sourceDate: '2025-11-14', asOf: '2025-11-15T06:00:00Z', note: 'later' },
    ]);
    expect(await plan({ date: '2025-11-14' })).toHaveLength(1);
    expect((await plan({ asOf: '2026-01-01T00:00:00Z' })).map((night) => night.asOf)).toEqual([
      '2026-01-01T00:00:00Z',
      '2026-01-01T00:00:00Z',
    ]);
  });

  it('wants a date for a directory without one (M0.13)', async () => {
    await expect(plan({})).rejects.toMatchObject({ code: 'usage' });
    expect(await plan({ date: '2025-11-19' })).toEqual([
      { sourceDate: '2025-11-19', asOf: null, note: null },
    ]);
  });

  it('takes today in UTC for edgar', async () => {
    const source = { ...directoryNights(root), kind: 'edgar' as const };
    expect(await planNights({ source, date: null, asOf: null, now })).toMatchObject([
      { sourceDate: '2026-02-08' },
    ]);
  });

  it.each([
    ['source_date\n2025-02-30\n', 'row 1 has no source_date'],
    ['source_date,as_of\n2025-11-14,yesterday\n', 'row 1 has no as_of'],
    ['source_date,as_of\n', 'it lists no night'],
    ['source_date\n"2025-11-14\n', 'it is not CSV'],
  ])('refuses %j', async (text, problem) => {
    await list(text);
    await expect(plan({})).rejects.toThrow(problem);
  });

  it('knows the nights of the fixtures, two of them consecutive', async () => {
    const nights = await planNights({ source: fixtureNights(), date: null, asOf: null, now });
    expect(nights.map((night) => night.sourceDate)).toEqual(['2025-11-13', '2025-11-14', '2026-02-07']);
  });
});
