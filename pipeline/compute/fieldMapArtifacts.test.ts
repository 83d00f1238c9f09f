import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CovenantStress, covenantStress } from '../../contract/payloads/covenantStress.ts';
import type { IssuerFieldMap } from '../../contract/payloads/issuerFieldMap.ts';
import { goldenContext, goldenParameters } from '../../fixtures/builders/goldenSlice.ts';
import { realFiles } from '../effects.ts';
import { sha256Hex } from '../release/artifact.ts';
import { publishRelease } from '../release/publishRelease.ts';
import { releasePaths } from '../release/releasePaths.ts';
import { openSigningKey } from '../release/signingKey.ts';
import { fieldMapArtifacts } from './fieldMapArtifacts.ts';
import { type FieldMapCache, openFieldMapCache } from './fieldMapCache.ts';
import { fieldMapMembers } from './fieldMapHistory.ts';
import type { SliceHistory } from './sliceHistory.ts';

const A = '0001050446';
const B = '0000000002';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'field-map-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const stress = (cik: string, date: string, more: Partial<CovenantStress> = {}): CovenantStress =>
  covenantStress.schema.parse({
    ...covenantStress.example,
    cik,
    ticker: cik === A ? 'MSTR' : 'TWO',
    source_date: date,
    uses_live_prices: true,
    live_stress_50pct: 0.3,
    live_st_z: 0.1,
    live_mp_z: 1,
    ...more,
  });

async function promote(date: string, rows: readonly unknown[]): Promise<SliceHistory[number]> {
  const lines = rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`);
  const files = realFiles();
  const { release } = await publishRelease({
    paths: releasePaths(root),
    key: await openSigningKey({ path: join(root, 'key.pem'), files }),
    moveCurrent: true,
    files,
    content: {
      sourceDate: date,
      generatedAt: `${date}T07:00:00Z`,
      sliceStatus: 'complete',
      artifacts: [
        {
          key: `covenant-slice/${date}.ndjson`,
          mediaType: 'application/x-ndjson',
          bytes: Buffer.from(lines.join('')),
          coded: false,
        },
      ],
      inputs: {},
    },
  });
  const ciks = rows.flatMap((row) => (typeof row === 'string' ? [A] : [(row as CovenantStress).cik]));
  return { sourceDate: date, release, ciks };
}

async function maps(
  history: SliceHistory,
  covenantRows: readonly CovenantStress[],
  fieldMapCache: FieldMapCache | null = null,
): Promise<Map<string, IssuerFieldMap>> {
  const artifacts = await fieldMapArtifacts({
    paths: releasePaths(root),
    fieldMapCache,
    history,
    covenantRows,
    choreographies: new Map(),
    sourceDate: '2026-02-07',
    asOf: '2026-02-08T09:00:00Z',
    prices: (await goldenContext()).prices,
    parameters: goldenParameters,
  });
  return new Map(artifacts.map(({ key, bytes }) => [key, JSON.parse(Buffer.from(bytes).toString('utf8'))]));
}

describe('fieldMapArtifacts', () => {
  it('has a point for every date an issuer has a row, the slice itself last', async () => {
    const history = [
      await promote('2026-02-04', [
        stress(A, '2026-02-04', { live_stress_50pct: 0.36 }),
        stress(B, '2026-02-04'),
      ]),
      await promote('2026-02-06', [stress(A, '2026-02-06', { live_stress_50pct: 0.35 })]),
    ];
    const rows = [stress(A, '2026-02-07', { live_stress_50pct: 0.37 }), stress(B, '2026-02-07')];
    const made = await maps(history, rows);
    expect([...made.keys()]).toEqual([
      `issuer-field-map/2026-02-07/CIK${A}.json`,
      `issuer-field-map/2026-02-07/CIK${B}.json`,
    ]);
    const [mstr, two] = [...made.values()];
    expect(mstr?.points.map(({ date, delta_L }) => [date, delta_L])).toEqual([
      ['2026-02-04', null],
      ['2026-02-06', -0.01],
      ['2026-02-07', 0.02],
    ]);
    expect(two?.points.map(({ date }) => date)).toEqual(['2026-02-04', '2026-02-07']);
    expect(mstr?.summary?.current_read).toBe('Needs Core Confirmation');
    expect(mstr?.lineage?.raw_paths).toEqual(['calc-history/2026-02-07.segments.json']);
  });

  it('makes the map of a first night from one row', async () => {
    const [map] = (await maps([], [stress(A, '2026-02-07')])).values();
    expect(map).toMatchObject({ confidence: 'Low', events: [], chains: [] });
    expect(map?.points).toMatchObject([{ delta_L: null, field_pressure: null, price_echo: null }]);
  });

  it.each([
    ['cut JSON', '{"source_date":"2026-02-06"'],
    ['a row of another date', stress(A, '2026-02-05')],
    ['a text for a figure', { ...stress(A, '2026-02-06'), live_st_z: 'NaN' }],
  ])('does not draw over %s in an earlier slice', async (_, row) => {
    const history = [await promote('2026-02-06', [row])];
    await expect(maps(history, [stress(A, '2026-02-07')])).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });

  it('reads no slice that is older than the newest rows of every issuer', async () => {
    // 435 rows are enough for 400 points; the release of the oldest slice does not exist
    const release = '2024-01-01.1';
    const oldest = { sourceDate: '2024-01-01', release, ciks: [A, B] };
    const near: SliceHistory[number][] = [];
    for (const date of ['2026-02-05', '2026-02-06']) near.push(await promote(date, [stress(A, date)]));
    const many = Array.from({ length: 217 }, () => near).flat();
    const [map] = (await maps([oldest, ...many], [stress(A, '2026-02-07')])).values();
    expect(map?.points).toHaveLength(400);
    // an issuer with fewer rows is looked for further back
    const both = [stress(A, '2026-02-07'), stress(B, '2026-02-07')];
    await expect(maps([oldest, ...many], both)).rejects.toThrow(/2024-01-01 in release 2024-01-01.1/);
  });

  describe('with the rows that earlier nights read', () => {
    const directory = () => join(root, 'field-maps');
    const cache = () =>
      openFieldMapCache({ root: directory(), members: fieldMapMembers, files: realFiles() });
    const rows = [stress(A, '2026-02-07'), stress(B, '2026-02-07')];
    const past = async () => [
      await promote('2026-01-31', [stress(A, '2026-01-31', { live_st_z: 1.2, period: '2025-09-30' })]),
      await promote('2026-02-05', [stress(A, '2026-02-05', { live_st_z: 2, uses_live_prices: false })]),
      await promote('2026-02-06', [stress(A, '2026-02-06'), stress(B, '2026-02-06')]),
    ];

    it('makes the same maps, and opens no build that was read', async () => {
      const history = await past();
      const expected = await maps(history, rows);
      expect(await maps(history, rows, cache())).toEqual(expected);
      await rm(releasePaths(root).releases, { recursive: true });
      expect(await maps(history, rows, cache())).toEqual(expected);
    });

    it('reads a date again that another build answers for', async () => {
      const history = await past();
      await maps(history, rows, cache());
      const anew = await promote('2026-02-05', [stress(A, '2026-02-05', { live_stress_50pct: 0.7 })]);
      const now = history.map((slice) => (slice.sourceDate === anew.sourceDate ? anew : slice));
      const expected = await maps(now, rows);
      expect(expected).not.toEqual(await maps(history, rows));
      expect(await maps(now, rows, cache())).toEqual(expected);
    });

    it.each([
      ['was changed', (text: string) => text.replace('0.3', '0.4')],
      ['is cut', (text: string) => text.slice(0, -10)],
      ['has other members', () => withHash('{"members":["cik"],"slices":{}}')],
      ['is no JSON', () => withHash('{')],
    ])('reads the builds where its file %s', async (_, damage) => {
      const history = await past();
      const expected = await maps(history, rows, cache());
      const path = join(directory(), '2026-02.json');
      await writeFile(path, damage(await readFile(path, 'utf8')));
      expect(await maps(history, rows, cache())).toEqual(expected);
    });

    const withHash = (body: string) => `${sha256Hex(body)}\n${body}`;
  });

  it('says which release is missing', async () => {
    const gone = [{ sourceDate: '2026-02-06', release: '2026-02-06.1', ciks: [A] }];
    await expect(maps(gone, [stress(A, '2026-02-07')])).rejects.toThrow(/2026-02-06 in release 2026-02-06.1/);
  });
});
