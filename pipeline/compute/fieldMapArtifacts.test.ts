import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSegmentIndex } from '../../data/contract/history/segmentIndex.ts';
import { segmentList } from '../../data/contract/history/segmentList.ts';
import { type CovenantStress, covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { IssuerFieldMap } from '../../data/contract/payloads/issuer/issuerFieldMap.ts';
import { goldenContext, goldenParameters } from '../../fixtures/builders/goldenSlice.ts';
import { releasePaths } from '../dataLayout.ts';
import { realFiles } from '../effects.ts';
import type { SliceHistory } from '../history/sliceHistory.ts';
import { artifactBytes, sha256Hex } from '../release/artifact.ts';
import { publishRelease } from '../release/publishRelease.ts';
import { openSigningKey } from '../release/signingKey.ts';
import { fieldMapArtifacts } from './fieldMapArtifacts.ts';
import { openFieldMapCache, openPointCache } from './fieldMapCache.ts';
import { fieldMapMembers } from './fieldMapHistory.ts';
import type { PointRequest } from './pointSegments.ts';

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

type Kept = PointRequest['kept'];
type Given = Partial<PointRequest>;

async function artifactsOf(history: SliceHistory, covenantRows: readonly CovenantStress[], given: Given) {
  return fieldMapArtifacts({
    paths: releasePaths(root),
    kept: null,
    history,
    covenantRows,
    choreographies: new Map(),
    sourceDate: '2026-02-07',
    asOf: '2026-02-08T09:00:00Z',
    prices: (await goldenContext()).prices,
    closes: () => () => 'closes',
    parameters: goldenParameters,
    ...given,
  });
}

/** The maps as they are answered: the points of the segments in what is stored beside them, by key. */
async function maps(
  history: SliceHistory,
  covenantRows: readonly CovenantStress[],
  kept: Kept = null,
): Promise<Map<string, IssuerFieldMap>> {
  const artifacts = await artifactsOf(history, covenantRows, { kept });
  const text = new Map<string, string>();
  for (const one of artifacts)
    if (!('leftOut' in one)) text.set(one.key, Buffer.from(await artifactBytes(one)).toString('utf8'));
  const json = (key: string) => JSON.parse(text.get(key) ?? '');
  const points = new Map<string, IssuerFieldMap['points']>();
  for (const { key } of segmentList.parse(json('issuer-field-map/2026-02-07.segments.json')).segments) {
    const index = readSegmentIndex(json(key.replace('.ndjson', '.index.json')));
    if ('fault' in index) throw new Error(index.fault);
    for (const [cik, { start, end }] of index.value.shares) {
      const lines = text.get(key)?.slice(start, end).trim().split('\n') ?? [];
      points.set(cik, [...(points.get(cik) ?? []), ...lines.map((line) => JSON.parse(line))]);
    }
  }
  return new Map(
    covenantRows.map(({ cik }) => {
      const key = `issuer-field-map/2026-02-07/CIK${cik}.json`;
      return [key, { ...json(key), points: points.get(cik)?.slice(-400) ?? [] }];
    }),
  );
}

describe('fieldMapArtifacts', () => {
  it('leaves out the map of one issuer alone where it cannot be made (M6.6c)', async () => {
    const broken = { ...stress(A, '2026-02-07'), entity_name: 5 as never };
    const made = await artifactsOf([], [broken, stress(B, '2026-02-07')], {});
    const key = (cik: string) => `issuer-field-map/2026-02-07/CIK${cik}.json`;
    const leftOut = made.flatMap((one) => ('leftOut' in one ? [one] : []));
    expect(leftOut).toMatchObject([{ key: key(A), leftOut: { what: 'the field map of MSTR' } }]);
    expect(made.map((one) => one.key)).toContain(key(B));
  });

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

  describe('with what earlier nights read and made', () => {
    const directory = () => join(root, 'field-maps');
    const kept = (version = 'one'): Kept => ({
      rows: openFieldMapCache({ root: directory(), members: fieldMapMembers, files: realFiles() }),
      points: openPointCache({ root: directory(), files: realFiles() }),
      version,
    });
    const rows = [stress(A, '2026-02-07'), stress(B, '2026-02-07')];
    const past = async () => [
      await promote('2026-01-31', [stress(A, '2026-01-31', { live_st_z: 1.2, period: '2025-09-30' })]),
      await promote('2026-02-05', [stress(A, '2026-02-05', { live_st_z: 2, uses_live_prices: false })]),
      await promote('2026-02-06', [stress(A, '2026-02-06'), stress(B, '2026-02-06')]),
    ];
    const named = async (ending: string) =>
      (await readdir(directory())).filter((name) => name.endsWith(ending));
    const points = () => named('.points');
    const heads = async () =>
      Promise.all((await named('.head')).map((name) => readFile(join(directory(), name))));

    it('makes the same maps, and opens no build that was read', async () => {
      const history = await past();
      const expected = await maps(history, rows);
      expect(await maps(history, rows, kept())).toEqual(expected);
      expect(await points()).toEqual(['2026-01.points', '2026-02-05.points', '2026-02-06.points']);
      await rm(releasePaths(root).releases, { recursive: true });
      expect(await maps(history, rows, kept())).toEqual(expected);
      // the rows alone are enough as well
      for (const name of await points()) await rm(join(directory(), name));
      expect(await maps(history, rows, kept())).toEqual(expected);
    });

    it('keeps no rows of slices that no point depends on any more', async () => {
      const history = await past();
      await maps(history, rows, kept());
      await writeFile(join(directory(), '2024-01-31.json'), 'old');
      await writeFile(join(directory(), '2025-12.json'), 'of another form');
      await maps(history, rows, kept());
      expect(await named('.json')).toEqual(['2026-01-31.json', '2026-02-05.json', '2026-02-06.json']);
    });

    it('refuses points that were changed where they are read, and makes them anew the next time', async () => {
      const history = await past();
      const expected = await maps(history, rows, kept());
      const path = join(directory(), '2026-01.points');
      const text = await readFile(path, 'utf8');
      await writeFile(path, text.replace('2026-01-31', '2026-01-30'));
      await expect(maps(history, rows, kept())).rejects.toMatchObject({
        code: 'validation_failed',
        message: 'The kept points of 2026-01 were changed, and no release holds them whole.',
      });
      expect(await maps(history, rows, kept())).toEqual(expected);
      expect(await readFile(path, 'utf8')).toBe(text);
    });

    it('makes the points of a segment once', async () => {
      const history = await past();
      await maps(history, rows, kept());
      const asked: string[] = [];
      const { points: made, version } = kept() ?? {};
      if (made === undefined || version === undefined) throw new Error('nothing is kept');
      const reading: NonNullable<Kept>['rows'] = {
        rows: async (slice, read) => {
          asked.push(slice.sourceDate);
          return read();
        },
        prune: async () => undefined,
      };
      await maps(history, rows, { points: made, rows: reading, version });
      // the rows that the points of the slice itself depend on
      expect(asked).toEqual(['2026-01-31', '2026-02-05', '2026-02-06']);
    });

    it.each([
      ['another build answers for', async () => promote('2026-02-05', [changed]), null],
      ['another program makes', null, 'two'],
    ])('makes points anew that %s', async (_, anew, version) => {
      const history = await past();
      await maps(history, rows, kept());
      const before = await heads();
      const slice = await anew?.();
      const now = history.map((one) => (one.sourceDate === slice?.sourceDate ? slice : one));
      const expected = await maps(now, rows);
      expect(await maps(now, rows, kept(version ?? 'one'))).toEqual(expected);
      const after = await heads();
      // the month before holds no point of the date
      expect(after.map((file, i) => file.equals(before[i] as Buffer))).toEqual([
        version === null,
        false,
        false,
      ]);
    });
    const changed = stress(A, '2026-02-05', { live_stress_50pct: 0.7 });

    it.each([
      ['2026-02-06.json', 'was changed', (text: string) => text.replace('0.3', '0.4')],
      ['2026-02-06.json', 'is cut', (text: string) => text.slice(0, -10)],
      [
        '2026-02-06.json',
        'has other members',
        () => withHash('{"members":["cik"],"release":"2026-02-06.1","rows":[]}'),
      ],
      ['2026-02-06.json', 'is no JSON', () => withHash('{')],
      ['2026-02-06.points', 'was changed', (text: string) => text.replace('"E_total":', '"E_total":1')],
      ['2026-02-06.points', 'is cut', (text: string) => text.slice(0, -10)],
      ['2026-02-06.points', 'is empty', () => ''],
      ['2026-02-06.head', 'was changed', (text: string) => text.replace('"points":1', '"points":2')],
      ['2026-02-06.head', 'is cut', (text: string) => text.slice(0, -10)],
      ['2026-02-06.head', 'is empty', () => ''],
      ['2026-02-06.head', 'says something else', () => withHash('{}')],
    ])('reads the builds where the file %s %s', async (file, _, damage) => {
      const history = await past();
      const expected = await maps(history, rows, kept());
      if (file.endsWith('.json')) for (const name of await points()) await rm(join(directory(), name));
      const path = join(directory(), file);
      await writeFile(path, damage(await readFile(path, 'utf8')));
      expect(await maps(history, rows, kept())).toEqual(expected);
    });

    const withHash = (body: string) => `${sha256Hex(body)}\n${body}`;
  });

  it('says which release is missing', async () => {
    const gone = [{ sourceDate: '2026-02-06', release: '2026-02-06.1', ciks: [A] }];
    await expect(maps(gone, [stress(A, '2026-02-07')])).rejects.toThrow(/2026-02-06 in release 2026-02-06.1/);
  });
});
