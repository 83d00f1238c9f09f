import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type CompanyFundamentals,
  companyFundamentals,
} from '../../contract/payloads/companyFundamentals.ts';
import { type CovenantStress, covenantStress } from '../../contract/payloads/covenantStress.ts';
import { rowStoreIndex } from '../../contract/release/releaseFiles.ts';
import { type CanonicalValue, canonicalJson } from '../../contract/values/canonicalJson.ts';
import { ExactDecimal } from '../../contract/values/exactDecimal.ts';
import { costlyRuns } from '../../fixtures/rigs/costlyRuns.ts';
import { artifactText, damageArtifact } from '../../fixtures/rigs/storedArtifacts.ts';
import { realFiles } from '../effects.ts';
import { parseExact } from '../exactJson.ts';
import { type Artifact, sha256Hex } from '../release/artifact.ts';
import { publishRelease } from '../release/publishRelease.ts';
import { type ReleasePaths, releasePaths } from '../release/releasePaths.ts';
import { readManifest, readSlices } from '../release/releaseStore.ts';
import { rollbackRelease } from '../release/rollbackRelease.ts';
import { rowStore } from '../release/rowStore.ts';
import { openSigningKey, type SigningKey } from '../release/signingKey.ts';
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
}: {
  sourceDate: string;
  rows: readonly Row[];
  kind?: 'full' | 'backfilled';
  known?: HistoryEntry | null;
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
      streamed: kind === 'full' ? (put) => streamHistory(request, put) : null,
    },
  });
  const now = Object.entries(await readSlices(paths)).filter(([date]) => date <= sourceDate);
  return {
    schema_id: 'history_journal.v1',
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
      artifacts: artifactsOf(sourceDate, rows, 'full'),
      spoolDirectory: join(root, 'spool'),
      log: () => undefined,
      stopIfAsked: () => undefined,
    },
    async (file) => {
      texts[file.key] = Buffer.concat(file.bytes).toString('utf8');
    },
  );
  return texts;
}

const A = '0000000001';
const B = '0000000002';
const lines = (text: string | undefined) => (text ?? '').trimEnd().split('\n');

describe('streamHistory', () => {
  it('holds one row a slice, as that slice published it, with its payload hash (I2.53, M15.56)', async () => {
    const first = await publish({ sourceDate: '2025-11-13', rows: [{ cik: A, stress: 0.1 }] });
    const rows = [
      { cik: A, stress: 0.2 },
      { cik: B, stress: 0.3 },
    ];
    const { release } = await publish({ sourceDate: '2025-11-14', rows, known: first });
    const texts = await historiesOf(release);
    const core = lines(texts[`core-history/CIK${A}.ndjson`]).map((line) => JSON.parse(line));
    expect(core.map((row) => [row.source_date, row.stress_50pct])).toEqual([
      ['2025-11-13', 0.1],
      ['2025-11-14', 0.2],
    ]);
    // every digit that was filed (M10.8)
    expect(texts[`core-history/CIK${A}.ndjson`]).toContain('"total_long_term_debt":9007199254740993,');
    const store = await artifactText({
      root: paths.root,
      release: '2025-11-13.1',
      key: 'covenant-slice/2025-11-13.ndjson',
    });
    const [compact, full] = lines(texts[`calc-history/CIK${A}.ndjson`]);
    for (const line of [compact, full]) {
      const row = JSON.parse(line ?? '');
      expect(row.payload_sha256).toBe(sha256Hex(store.trimEnd()));
      expect(
        canonicalJson((parseExact(line ?? '') as { covenant_stress: CanonicalValue }).covenant_stress),
      ).toBe(store.trimEnd());
    }
    expect(JSON.parse(compact ?? '')).toMatchObject({ fundamentals: null, alpha_signals: null });
    expect(JSON.parse(full ?? '').fundamentals).toEqual(companyFundamentals.example.fundamentals);
    expect(JSON.parse(full ?? '').source_fields.facts).toHaveProperty('revenue');
    const index = rowStoreIndex.parse(JSON.parse(texts[`core-history/CIK${B}.index.json`] ?? ''));
    expect(index.meta).toEqual({
      first_source_date: '2025-11-14',
      last_source_date: '2025-11-14',
      missing_source_date_count: 0,
    });
    const all = JSON.parse(texts['calc-history/2025-11-14.index.json'] ?? '');
    expect(all.source_dates).toEqual(['2025-11-13', '2025-11-14']);
    expect(all.issuers.map((issuer: { cik: string; dates: number[] }) => [issuer.cik, issuer.dates])).toEqual(
      [
        [A, [0, 1]],
        [B, [1]],
      ],
    );
  });

  it('keeps an issuer that has no row any more, and counts the slices it misses in between', async () => {
    let known = await publish({ sourceDate: '2025-11-12', rows: [{ cik: B, stress: 1 }] });
    known = await publish({ sourceDate: '2025-11-13', rows: [{ cik: A, stress: 2 }], known });
    known = await publish({ sourceDate: '2025-11-14', rows: [{ cik: B, stress: 3 }], known });
    known = await publish({ sourceDate: '2025-11-15', rows: [{ cik: A, stress: 4 }], known });
    const texts = await historiesOf(known.release);
    const index = rowStoreIndex.parse(JSON.parse(texts[`core-history/CIK${B}.index.json`] ?? ''));
    expect(index.columns['source_date']).toEqual(['2025-11-12', '2025-11-14']);
    expect(index.columns['period']).toEqual(['2025-09-30', '2025-09-30']);
    expect(index.meta['missing_source_date_count']).toBe(1);
  });

  it('gives the bytes of reading every slice again, whatever was added, backfilled or built anew', async () => {
    const dates = ['2025-11-10', '2025-11-11', '2025-11-12', '2025-11-13', '2025-11-14'];
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

  it('makes histories from every slice again when the last ones are damaged, and says so', async () => {
    const rows = [{ cik: A, stress: 0.5 }];
    const first = await publish({ sourceDate: '2025-11-13', rows });
    damageArtifact({ root: paths.root, release: first.release, key: `calc-history/CIK${A}.ndjson` });
    const second = await publish({ sourceDate: '2025-11-14', rows, known: first });
    expect(await historiesOf(second.release)).toEqual(await fromScratch('2025-11-14', rows));
    expect(warnings).toEqual([
      `histories are made from every slice again: of 2025-11-13.1, calc-history/CIK${A}.ndjson is missing or has another hash`,
    ]);
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
        const line = { sourceDate, core: `${cik} ${sourceDate} é\n`, calculation: 'x\ny\n' };
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
