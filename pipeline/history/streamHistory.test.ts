import { mkdtemp, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { calculationHistory } from '../../contract/payloads/calculationHistory.ts';
import {
  type CompanyFundamentals,
  companyFundamentals,
} from '../../contract/payloads/companyFundamentals.ts';
import { type CoreHistoryRow, coreHistory } from '../../contract/payloads/coreHistory.ts';
import { type CovenantStress, covenantStress } from '../../contract/payloads/covenantStress.ts';
import { directoryStore } from '../../contract/store/directoryStore.ts';
import { type CanonicalValue, canonicalJson } from '../../contract/values/canonicalJson.ts';
import { ExactDecimal } from '../../contract/values/exactDecimal.ts';
import { costlyRuns } from '../../fixtures/rigs/costlyRuns.ts';
import { artifactText, damageArtifact, placeOf } from '../../fixtures/rigs/storedArtifacts.ts';
import { historyLinesOf, historyRowsOf, storedSegments } from '../../fixtures/rigs/storedHistory.ts';
import { realFiles } from '../effects.ts';
import { parseExact } from '../exactJson.ts';
import { type Artifact, sha256Hex } from '../release/artifact.ts';
import { publishRelease } from '../release/publishRelease.ts';
import { type ReleasePaths, releasePaths } from '../release/releasePaths.ts';
import { readManifest, readSlices } from '../release/releaseStore.ts';
import { rollbackRelease } from '../release/rollbackRelease.ts';
import { rowStore } from '../release/rowStore.ts';
import { openSigningKey, type SigningKey } from '../release/signingKey.ts';
import { checkStore } from '../stores/checkStore.ts';
import type { HistoryEntry } from './historyJournal.ts';
import { openLineSpool } from './lineSpool.ts';
import { streamHistory } from './streamHistory.ts';

let root: string;
let paths: ReleasePaths;
let key: SigningKey;
let warnings: string[];
const files = realFiles();

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'history-'));
  paths = releasePaths(join(root, 'artifacts'));
  key = await openSigningKey({ path: join(root, 'key.pem'), files });
  warnings = [];
});
afterEach(() => rm(root, { recursive: true, force: true }));

type Row = { readonly cik: string; readonly stress: number };

/** The artifacts of a slice with one row an issuer, full or backfilled. */
function artifactsOf(sourceDate: string, rows: readonly Row[], kind: 'full' | 'backfilled'): Artifact[] {
  const covenants = rows.map(
    ({ cik, stress }) =>
      ({
        ...covenantStress.example,
        cik,
        ticker: `T${Number(cik)}`,
        source_date: sourceDate,
        stress_50pct: stress,
        // more digits than a double holds
        total_long_term_debt: ExactDecimal.parse('9007199254740993'),
      }) as unknown as CovenantStress,
  );
  const filed = rows.map(
    ({ cik }) => ({ ...companyFundamentals.example, cik, ticker: `T${Number(cik)}` }) as CompanyFundamentals,
  );
  const singles = filed.map((value): Artifact => {
    const bytes = Buffer.from(canonicalJson(value as unknown as CanonicalValue));
    return {
      key: `fundamentals/${sourceDate}/CIK${value.cik}.json`,
      mediaType: 'application/json',
      bytes,
      coded: true,
    };
  });
  const beside = () => ({ unrankedReason: null });
  return [
    ...rowStore({
      store: covenantStress.stored.rows,
      parts: { slice: sourceDate },
      rows: covenants,
      meta: {},
      beside,
    }),
    ...(kind === 'full'
      ? singles
      : rowStore({
          store: companyFundamentals.stored.rows,
          parts: { slice: sourceDate },
          rows: filed,
          meta: {},
        })),
  ];
}

/** Publishes a slice; a full one with histories that go on from `known`. */
async function publish({
  sourceDate,
  rows,
  kind = 'full',
  known,
  put: noted = [],
}: {
  sourceDate: string;
  rows: readonly Row[];
  kind?: 'full' | 'backfilled';
  known?: HistoryEntry | null;
  /** Gets what is written, and what is only referred to. */
  put?: string[];
}): Promise<HistoryEntry> {
  const artifacts = artifactsOf(sourceDate, rows, kind);
  const slices = await readSlices(paths);
  const request = {
    paths,
    sourceDate,
    artifacts,
    slices,
    files,
    known: known ?? null,
    methodVersion: 'core-ltv-1.0',
    market: null,
    spoolDirectory: join(root, 'spool'),
    log: ({ level, message }: { level: string; message: string }) => {
      if (level === 'warn') warnings.push(message);
    },
    stopIfAsked: () => undefined,
  };
  const { release } = await publishRelease({
    paths,
    key,
    files,
    moveCurrent: kind === 'full',
    content: {
      sourceDate,
      generatedAt: '2026-02-08T07:00:00Z',
      sliceStatus: 'complete',
      artifacts,
      inputs: { rows: JSON.stringify(rows), slices: JSON.stringify(slices) },
      streamed:
        kind === 'full'
          ? (put) =>
              streamHistory(request, (file) => {
                noted.push(`${'held' in file ? 'held' : 'new'} ${file.key}`);
                return put(file);
              })
          : null,
    },
  });
  const now = Object.entries(await readSlices(paths)).filter(([date]) => date <= sourceDate);
  return {
    release,
    slices: Object.fromEntries(now.map(([date, name]) => [date, { release: name, ciks: [] }])),
  };
}

async function historiesOf(release: string): Promise<Record<string, string>> {
  const { manifest } = await readManifest(paths, release);
  const texts: Record<string, string> = {};
  for (const { key: name } of manifest.artifacts) {
    if (!/^(core|calc)-history\//.test(name)) continue;
    texts[name] = await artifactText({ root: paths.root, release, key: name });
  }
  return texts;
}

/** What the histories of a release are when every slice is read. */
async function fromScratch(sourceDate: string, rows: readonly Row[]): Promise<Record<string, string>> {
  const slices = await readSlices(paths);
  const texts: Record<string, string> = {};
  await streamHistory(
    {
      paths,
      sourceDate,
      slices,
      files,
      known: null,
      methodVersion: 'core-ltv-1.0',
      market: null,
      artifacts: artifactsOf(sourceDate, rows, 'full'),
      spoolDirectory: join(root, 'spool'),
      log: () => undefined,
      stopIfAsked: () => undefined,
    },
    async (file) => {
      texts[file.key] = 'held' in file ? 'held' : Buffer.concat(file.bytes).toString('utf8');
    },
  );
  return texts;
}

const A = '0000000001';
const B = '0000000002';
const core23 = coreHistory.stored.history;
const calculations24 = calculationHistory.stored.history;
const stored = (release: string) => ({ root: paths.root, release });
const coreRows = (release: string, cik: string) =>
  historyRowsOf<CoreHistoryRow>({ ...stored(release), history: core23 }, cik);

describe('streamHistory', () => {
  it('holds one row a slice, as that slice published it, with its payload hash (I2.53, M15.56)', async () => {
    const first = await publish({ sourceDate: '2025-11-13', rows: [{ cik: A, stress: 0.1 }] });
    const rows = [
      { cik: A, stress: 0.2 },
      { cik: B, stress: 0.3 },
    ];
    const { release } = await publish({ sourceDate: '2025-11-14', rows, known: first });
    const core = await coreRows(release, A);
    expect(core.map((row) => [row.source_date, row.stress_50pct])).toEqual([
      ['2025-11-13', 0.1],
      ['2025-11-14', 0.2],
    ]);
    // every digit that was filed (M10.8)
    const [oldest] = await historyLinesOf({ ...stored(release), history: core23 }, A);
    expect(oldest).toContain('"total_long_term_debt":9007199254740993,');
    const key = 'covenant-slice/2025-11-13.ndjson';
    const published = (await artifactText({ root: paths.root, release: '2025-11-13.1', key })).trimEnd();
    const [compact, full] = await historyLinesOf({ ...stored(release), history: calculations24 }, A);
    for (const line of [compact, full]) {
      const row = JSON.parse(line ?? '');
      expect(row.payload_sha256).toBe(sha256Hex(published));
      expect(
        canonicalJson((parseExact(line ?? '') as { covenant_stress: CanonicalValue }).covenant_stress),
      ).toBe(published);
    }
    expect(JSON.parse(compact ?? '')).toMatchObject({ fundamentals: null, alpha_signals: null });
    expect(JSON.parse(full ?? '').fundamentals).toEqual(companyFundamentals.example.fundamentals);
    expect(JSON.parse(full ?? '').source_fields.facts).toHaveProperty('revenue');
    expect((await coreRows(release, B)).map((row) => row.source_date)).toEqual(['2025-11-14']);
  });

  it('keeps an issuer that has no row any more', async () => {
    let known = await publish({ sourceDate: '2025-11-12', rows: [{ cik: B, stress: 1 }] });
    known = await publish({ sourceDate: '2025-11-13', rows: [{ cik: A, stress: 2 }], known });
    known = await publish({ sourceDate: '2025-12-01', rows: [{ cik: A, stress: 4 }], known });
    expect(await coreRows(known.release, B)).toMatchObject([{ source_date: '2025-11-12', stress_50pct: 1 }]);
  });

  it('writes the day alone and its lists, refers to the rest, and closes a month in the next (ST9)', async () => {
    const rows = [{ cik: A, stress: 0.5 }];
    let known = await publish({ sourceDate: '2025-11-13', rows });
    const written = async (sourceDate: string) => {
      const put: string[] = [];
      known = await publish({ sourceDate, rows, known, put });
      return put;
    };
    expect(await written('2025-11-14')).toEqual([
      ...['held core-history/2025-11-13.ndjson', 'held core-history/2025-11-13.index.json'],
      ...['held calc-history/2025-11-13.ndjson', 'held calc-history/2025-11-13.index.json'],
      ...['new core-history/2025-11-14.ndjson', 'new core-history/2025-11-14.index.json'],
      ...['new calc-history/2025-11-14.ndjson', 'new calc-history/2025-11-14.index.json'],
      ...['new core-history/2025-11-14.segments.json', 'new calc-history/2025-11-14.segments.json'],
    ]);
    const days = await coreRows(known.release, A);
    expect((await written('2025-12-01')).filter((put) => put.includes('core-history'))).toEqual([
      ...['new core-history/2025-11.ndjson', 'new core-history/2025-11.index.json'],
      ...['new core-history/2025-12-01.ndjson', 'new core-history/2025-12-01.index.json'],
      'new core-history/2025-12-01.segments.json',
    ]);
    expect((await coreRows(known.release, A)).slice(0, 2)).toEqual(days);
    expect((await storedSegments({ ...stored(known.release), history: core23 })).segments).toMatchObject([
      { rows: 2, first_source_date: '2025-11-13', last_source_date: '2025-11-14' },
      { rows: 1, first_source_date: '2025-12-01', last_source_date: '2025-12-01' },
    ]);
    const next = (await written('2025-12-02')).filter((put) => /core-history\/2025-1[12]\.ndjson/.test(put));
    expect(next).toEqual(['held core-history/2025-11.ndjson']);
  });

  it('writes a month again when a date of it was backfilled, and no other', async () => {
    const rows = [{ cik: A, stress: 0.5 }];
    let known = await publish({ sourceDate: '2025-10-31', rows });
    known = await publish({ sourceDate: '2025-11-14', rows, known });
    known = await publish({ sourceDate: '2025-12-01', rows, known });
    await publish({ sourceDate: '2025-11-20', rows, kind: 'backfilled' });
    const put: string[] = [];
    await publish({ sourceDate: '2025-12-02', rows, known, put });
    expect(put.filter((one) => /core-history.*ndjson/.test(one))).toEqual([
      'held core-history/2025-10.ndjson',
      'new core-history/2025-11.ndjson',
      'held core-history/2025-12-01.ndjson',
      'new core-history/2025-12-02.ndjson',
    ]);
  });

  it('gives the bytes of reading every slice again, whatever was added, backfilled or built anew', async () => {
    const dates = ['2025-10-30', '2025-10-31', '2025-11-12', '2025-11-30', '2025-12-01', '2026-01-01'];
    const step = fc.record({
      sourceDate: fc.constantFrom(...dates),
      ciks: fc.uniqueArray(fc.constantFrom(A, B, '0000000003'), { minLength: 1 }),
      stress: fc.integer({ min: 1, max: 999 }).map((n) => n / 1000),
      forgets: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 7 }), async (steps) => {
        await rm(paths.root, { recursive: true, force: true });
        let known: HistoryEntry | null = null;
        let newest = '';
        for (const { sourceDate, ciks, stress, forgets } of steps) {
          const rows = ciks.map((cik) => ({ cik, stress }));
          const kind = sourceDate < newest ? 'backfilled' : 'full';
          const done: HistoryEntry = await publish({ sourceDate, rows, kind, known: forgets ? null : known });
          if (kind === 'backfilled') continue;
          newest = sourceDate;
          known = done;
          expect(await historiesOf(done.release)).toEqual(await fromScratch(sourceDate, rows));
        }
        expect(warnings).toEqual([]);
      }),
      costlyRuns(20),
    );
  });

  it.each([
    ['a list', 'calc-history/2025-11-13.segments.json', '2025-11-14'],
    ['a day that a month is made of', 'calc-history/2025-11-13.ndjson', '2025-12-01'],
    ['the index of that day', 'core-history/2025-11-13.index.json', '2025-12-01'],
  ])('makes histories from every slice again when %s is damaged, and says so', async (_, key, next) => {
    const rows = [{ cik: A, stress: 0.5 }];
    const first = await publish({ sourceDate: '2025-11-13', rows });
    damageArtifact({ root: paths.root, release: first.release, key });
    const second = await publish({ sourceDate: next, rows, known: first });
    expect(await historiesOf(second.release)).toEqual(await fromScratch(next, rows));
    expect(warnings).toEqual([
      `histories are made from every slice again: of 2025-11-13.1, ${key} is missing or has another hash`,
    ]);
  });

  describe('a segment that is held', () => {
    const rows = [{ cik: A, stress: 0.5 }];
    const segment = 'core-history/2025-11-13.ndjson';
    const nights = async () => {
      const first = await publish({ sourceDate: '2025-11-13', rows });
      return { first, second: await publish({ sourceDate: '2025-11-14', rows, known: first }) };
    };

    it('is made again from its slice when a byte of what the night before wrote was flipped', async () => {
      const { second } = await nights();
      const own = 'core-history/2025-11-14.ndjson';
      damageArtifact({ root: paths.root, release: second.release, key: own });
      const third = await publish({ sourceDate: '2025-11-15', rows, known: second });
      expect(warnings).toEqual([
        `histories are made from every slice again: of 2025-11-14.1, ${own} is missing or has another hash`,
      ]);
      expect(await historiesOf(third.release)).toEqual(await fromScratch('2025-11-15', rows));
    });

    it('is named by fsck when it is older, and made again when its month is put together', async () => {
      const { second } = await nights();
      damageArtifact({ root: paths.root, release: '2025-11-13.1', key: segment });
      const third = await publish({ sourceDate: '2025-11-15', rows, known: second });
      expect(warnings).toEqual([]);
      expect(await problemsOf()).toContain(
        `2025-11-13.1: ${segment}: its hash is not the one in the manifest`,
      );
      const month = await publish({ sourceDate: '2025-12-01', rows, known: third });
      expect(warnings).toEqual([
        `histories are made from every slice again: of 2025-11-15.1, ${segment} is missing or has another hash`,
      ]);
      expect(await historiesOf(month.release)).toEqual(await fromScratch('2025-12-01', rows));
    });

    it('ends the night when its pack is cut, for its slice is gone with it', async () => {
      const { second } = await nights();
      const { path, object } = placeOf({ root: paths.root, release: second.release, key: segment });
      await truncate(path, object.offset + 10);
      expect(await problemsOf()).toContain(`2025-11-13.1: ${segment}: pack 2025-11-13.1 is cut short`);
      // the release that draws on it is promoted as long as nothing has to be read of it
      const third = await publish({ sourceDate: '2025-11-15', rows, known: second });
      await expect(publish({ sourceDate: '2025-12-01', rows, known: third })).rejects.toMatchObject({
        code: 'validation_failed',
      });
      expect(Object.keys(await readSlices(paths))).toEqual(['2025-11-13', '2025-11-14', '2025-11-15']);
    });

    const problemsOf = async () => {
      const store = directoryStore({ root: paths.root, keepOpen: 2 });
      const stopIfAsked = () => undefined;
      return (await checkStore({ store, publicKeys: null, stopIfAsked })).problems;
    };
  });

  it('refuses a slice that is not what its manifest says', async () => {
    const rows = [{ cik: A, stress: 0.5 }];
    await publish({ sourceDate: '2025-11-13', rows });
    const key = 'covenant-slice/2025-11-13.ndjson';
    damageArtifact({ root: paths.root, release: '2025-11-13.1', key });
    await expect(publish({ sourceDate: '2025-11-14', rows })).rejects.toMatchObject({
      code: 'validation_failed',
    });
    expect(Object.keys(await readSlices(paths))).toEqual(['2025-11-13']);
  });

  it('keeps the histories of the slice a rollback publishes again (I3.28)', async () => {
    const rows = [{ cik: A, stress: 0.5 }];
    const first = await publish({ sourceDate: '2025-11-13', rows });
    await publish({ sourceDate: '2025-11-14', rows, known: first });
    const back = await rollbackRelease({ paths, to: null, key, files });
    expect(await historiesOf(back.release)).toEqual(await historiesOf('2025-11-13.1'));
  });
});

describe('openLineSpool', () => {
  it('gives the same lines from memory and from segment files, by date', async () => {
    const directory = join(root, 'segments');
    const spools = [1_000_000, 40].map((heldBytes) => openLineSpool({ directory, files, heldBytes }));
    for (const sourceDate of ['2025-03-01', '2025-01-01', '2025-02-01']) {
      for (const cik of [B, A]) {
        const line = { sourceDate, texts: [`${cik} ${sourceDate} é\n`, 'x\ny\n'] };
        for (const spool of spools) await spool.add(cik, line);
      }
    }
    const [held, spilled] = spools;
    expect(spilled?.ciks()).toEqual([A, B]);
    expect(await spilled?.lines(A)).toEqual(await held?.lines(A));
    expect((await spilled?.lines(A))?.map(({ sourceDate }) => sourceDate)).toEqual([
      '2025-01-01',
      '2025-02-01',
      '2025-03-01',
    ]);
    for (const spool of spools) await spool.close();
    await expect(readFile(join(directory, '0.json'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
