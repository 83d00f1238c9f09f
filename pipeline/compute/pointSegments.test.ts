import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FilingChoreography } from '../../calculators/choreography/filingChoreography.ts';
import { addDays } from '../../calculators/exact/civilDate.ts';
import type { PriceBook } from '../../calculators/prices/priceBook.ts';
import { type CovenantStress, covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { goldenContext, goldenParameters } from '../../fixtures/builders/goldenSlice.ts';
import { releasePaths } from '../dataLayout.ts';
import { realFiles } from '../effects.ts';
import type { SliceHistory } from '../history/sliceHistory.ts';
import { openPointCache, type PointCache, type PointSegment } from './fieldMapCache.ts';
import { pointSegments } from './pointSegments.ts';

const ciks = ['0000000001', '0000000002', '0000000003'];

let root: string;
let prices: PriceBook;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'points-'));
  prices = (await goldenContext()).prices;
});
afterEach(() => rm(root, { recursive: true, force: true }));

const sample = covenantStress.schema.parse(covenantStress.example);

function stress(cik: string, date: string, seed: number): CovenantStress {
  const at = Number(cik) * 7 + seed + Date.parse(date) / 86_400_000;
  return {
    ...sample,
    cik,
    source_date: date,
    uses_live_prices: true,
    live_st_z: (at % 11) / 10,
    live_mp_z: (at % 5) / 10,
    live_stress_50pct: (at % 13) / 20,
    accession_number: `${cik}-26-${String(Math.floor(at / 9)).padStart(6, '0')}`,
  };
}

/** Promoted slices, the build of each by date. */
type Store = Map<string, { readonly release: string; readonly rows: readonly CovenantStress[] }>;

/** Runs the night of a date; what it reads of earlier slices is told. */
async function night(
  store: Store,
  sourceDate: string,
  {
    points = null,
    ...more
  }: { points?: PointCache | null; choreographies?: ReadonlyMap<string, FilingChoreography> } = {},
): Promise<{ segments: PointSegment[]; failed: ReadonlyMap<string, string>; read: string[] }> {
  const history: SliceHistory = [...store]
    .filter(([date]) => date < sourceDate)
    .sort()
    .map(([date, { release, rows }]) => ({ sourceDate: date, release, ciks: rows.map(({ cik }) => cik) }));
  const read: string[] = [];
  const none = { read: async () => null, write: async () => undefined, prune: async () => undefined };
  const { segments, failed } = await pointSegments({
    paths: releasePaths(root),
    kept: {
      version: 'one',
      points: points ?? none,
      rows: {
        rows: async (slice) => {
          read.push(slice.sourceDate);
          return [...(store.get(slice.sourceDate)?.rows ?? [])];
        },
        prune: async () => undefined,
      },
    },
    history,
    sourceDate,
    covenantRows: store.get(sourceDate)?.rows ?? [],
    choreographies: new Map(),
    prices,
    closes: () => () => 'closes',
    parameters: goldenParameters,
    ...more,
  });
  return { segments, failed, read };
}

const wholeOf = (segments: readonly PointSegment[]) =>
  Promise.all(segments.map(async ({ read, ...said }) => ({ ...said, ...(await read()) })));

const slice = (date: string, held: readonly string[], seed = 0) => ({
  release: `${date}.${seed + 1}`,
  rows: held.map((cik) => stress(cik, date, seed)),
});

describe('pointSegments', () => {
  it('begins with the month of the oldest point that is shown, and reads what its points depend on', async () => {
    const store: Store = new Map();
    for (let i = 0; i < 500; i += 1) {
      const date = addDays('2026-02-07', -i);
      store.set(date, slice(date, ciks.slice(0, 1)));
    }
    const { segments, read } = await night(store, '2026-02-07');
    // 400 points begin on 2025-01-04
    expect(segments[0]?.listed.key).toBe('issuer-field-map/2025-01.ndjson');
    expect(segments.map(({ listed }) => listed.key).slice(12, 15)).toEqual([
      'issuer-field-map/2026-01.ndjson',
      'issuer-field-map/2026-02-01.ndjson',
      'issuer-field-map/2026-02-02.ndjson',
    ]);
    expect(segments.reduce((sum, { listed }) => sum + listed.rows, 0)).toBe(365 + 38);
    expect(read[0]).toBe(addDays('2025-01-01', -35));
  });

  it('looks further back for an issuer with fewer rows', async () => {
    const store: Store = new Map([['2023-05-09', slice('2023-05-09', ciks)]]);
    for (let i = 0; i < 450; i += 1) {
      const date = addDays('2026-02-07', -i);
      store.set(date, slice(date, i === 0 ? ciks : ciks.slice(0, 1)));
    }
    const { segments } = await night(store, '2026-02-07');
    expect(segments[0]?.listed).toMatchObject({ key: 'issuer-field-map/2023-05.ndjson', rows: 3 });
  });

  it('makes points anew where other filings were known, and of no day before', async () => {
    const store: Store = new Map();
    for (let i = 0; i < 20; i += 1) {
      const date = addDays('2026-02-07', -i);
      store.set(date, slice(date, ciks));
    }
    const points = openPointCache({ root, files: realFiles() });
    await night(store, '2026-02-07', { points });
    const event = { filed: '2026-02-03', knownOn: '2026-02-04', sequenceId: null };
    const choreographies = new Map([[ciks[0] ?? '', { events: [event], chains: [] } as never]]);
    const written: string[] = [];
    const watched = { ...points, write: async ({ period }: { period: string }) => void written.push(period) };
    await night(store, '2026-02-07', { points: watched, choreographies });
    expect(written).toEqual(['2026-02-04', '2026-02-05', '2026-02-06']);
  });

  it('excludes the issuer whose points do not hold their schema, and says why', async () => {
    const rows = slice('2026-02-07', ciks).rows.map((row) =>
      // no figure of a point can be made of it
      row.cik === ciks[1] ? { ...row, live_ap_z: Number.POSITIVE_INFINITY } : row,
    );
    const store: Store = new Map([['2026-02-07', { release: '2026-02-07.1', rows }]]);
    const { segments, failed } = await night(store, '2026-02-07');
    expect([...failed.keys()]).toEqual([ciks[1]]);
    expect(segments.map(({ listed }) => listed.rows)).toEqual([2]);
    expect(Object.keys(segments[0]?.digests ?? {})).toEqual([ciks[0], ciks[2]]);
  });

  it('is the same night after night as made at once, whatever is built again in between (STORE ST12)', async () => {
    const days = Array.from({ length: 75 }, (_, i) => addDays('2025-12-01', i));
    const held = fc.array(fc.subarray(ciks, { minLength: 1 }), { minLength: 75, maxLength: 75 });
    const anew = fc.array(fc.tuple(fc.nat(74), fc.nat(74)), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        held,
        anew,
        fc.uniqueArray(fc.nat(73), { maxLength: 8 }),
        async (subjects, builds, skipped) => {
          const directory = await mkdtemp(join(root, 'run-'));
          const points = openPointCache({ root: directory, files: realFiles() });
          const store: Store = new Map();
          for (const [i, date] of days.entries()) {
            if (skipped.includes(i)) continue;
            store.set(date, slice(date, subjects[i] ?? []));
            // a past date is built again, or for the first time
            for (const [on, past] of builds)
              if (on === i && past < i) store.set(days[past] ?? '', slice(days[past] ?? '', ciks, i));
            // not every night is looked at
            if (i % 6 !== 0 && i !== 74) continue;
            const { segments } = await night(store, date, { points });
            expect(await wholeOf(segments)).toEqual(await wholeOf((await night(store, date)).segments));
          }
        },
      ),
      { numRuns: 12 },
    );
  });
});
