import { rm } from 'node:fs/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { calculationHistory } from '../../data/contract/payloads/issuer/calculationHistory.ts';
import { companyFundamentals } from '../../data/contract/payloads/issuer/companyFundamentals.ts';
import { coreHistory } from '../../data/contract/payloads/issuer/coreHistory.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { costlyRuns } from '../../fixtures/rigs/costlyRuns.ts';
import { type HistoryRig, historyRig } from '../../fixtures/rigs/historyRig.ts';
import { artifactText } from '../../fixtures/rigs/storedArtifacts.ts';
import { historyLinesOf, storedSegments } from '../../fixtures/rigs/storedHistory.ts';
import { parseExact } from '../exactJson.ts';
import { sha256Hex } from '../release/artifact.ts';
import type { HistoryEntry } from './historyJournal.ts';

let rig: HistoryRig;
beforeEach(async () => {
  rig = await historyRig();
});
afterEach(() => rig.close());

const A = '0000000001';
const B = '0000000002';
const core23 = coreHistory.stored.history;
const calculations24 = calculationHistory.stored.history;
const stored = (release: string) => ({ root: rig.paths.root, release });

describe('streamHistory', () => {
  it('holds one row a slice, as that slice published it, with its payload hash (I2.53, M15.56)', async () => {
    const first = await rig.publish({ sourceDate: '2025-11-13', rows: [{ cik: A, stress: 0.1 }] });
    const rows = [
      { cik: A, stress: 0.2 },
      { cik: B, stress: 0.3 },
    ];
    const { release } = await rig.publish({ sourceDate: '2025-11-14', rows, known: first });
    const core = await rig.coreRows(release, A);
    expect(core.map((row) => [row.source_date, row.stress_50pct])).toEqual([
      ['2025-11-13', 0.1],
      ['2025-11-14', 0.2],
    ]);
    // every digit that was filed (M10.8)
    const [oldest] = await historyLinesOf({ ...stored(release), history: core23 }, A);
    expect(oldest).toContain('"total_long_term_debt":9007199254740993,');
    const key = 'covenant-slice/2025-11-13.ndjson';
    const published = (await artifactText({ root: rig.paths.root, release: '2025-11-13.1', key })).trimEnd();
    const [compact, full] = await historyLinesOf({ ...stored(release), history: calculations24 }, A);
    for (const line of [compact, full]) {
      const row = JSON.parse(line ?? '');
      expect(row.payload_sha256).toBe(sha256Hex(published));
      expect(
        canonicalJson((parseExact(line ?? '') as { covenant_stress: CanonicalValue }).covenant_stress),
      ).toBe(published);
    }
    for (const left of ['fundamentals', 'peer_ranking', 'alpha_signals', 'source_fields']) {
      expect(JSON.parse(compact ?? '')).not.toHaveProperty(left);
    }
    expect(JSON.parse(full ?? '').fundamentals).toEqual(companyFundamentals.example.fundamentals);
    expect(JSON.parse(full ?? '').source_fields.facts).toHaveProperty('revenue');
    expect((await rig.coreRows(release, B)).map((row) => row.source_date)).toEqual(['2025-11-14']);
  });

  it('keeps an issuer that has no row any more', async () => {
    let known = await rig.publish({ sourceDate: '2025-11-12', rows: [{ cik: B, stress: 1 }] });
    known = await rig.publish({ sourceDate: '2025-11-13', rows: [{ cik: A, stress: 2 }], known });
    known = await rig.publish({ sourceDate: '2025-12-01', rows: [{ cik: A, stress: 4 }], known });
    expect(await rig.coreRows(known.release, B)).toMatchObject([
      { source_date: '2025-11-12', stress_50pct: 1 },
    ]);
  });

  it('writes the day alone and its lists, refers to the rest, and closes a month in the next (ST9)', async () => {
    const rows = [{ cik: A, stress: 0.5 }];
    let known = await rig.publish({ sourceDate: '2025-11-13', rows });
    const written = async (sourceDate: string) => {
      const put: string[] = [];
      known = await rig.publish({ sourceDate, rows, known, put });
      return put;
    };
    expect(await written('2025-11-14')).toEqual([
      ...['held core-history/2025-11-13.ndjson', 'held core-history/2025-11-13.index.json'],
      ...['held calc-history/2025-11-13.ndjson', 'held calc-history/2025-11-13.index.json'],
      ...['new core-history/2025-11-14.ndjson', 'new core-history/2025-11-14.index.json'],
      ...['new calc-history/2025-11-14.ndjson', 'new calc-history/2025-11-14.index.json'],
      ...['new core-history/2025-11-14.segments.json', 'new calc-history/2025-11-14.segments.json'],
    ]);
    const days = await rig.coreRows(known.release, A);
    expect((await written('2025-12-01')).filter((put) => put.includes('core-history'))).toEqual([
      ...['new core-history/2025-11.ndjson', 'new core-history/2025-11.index.json'],
      ...['new core-history/2025-12-01.ndjson', 'new core-history/2025-12-01.index.json'],
      'new core-history/2025-12-01.segments.json',
    ]);
    expect((await rig.coreRows(known.release, A)).slice(0, 2)).toEqual(days);
    expect((await storedSegments({ ...stored(known.release), history: core23 })).segments).toMatchObject([
      { rows: 2, first_source_date: '2025-11-13', last_source_date: '2025-11-14' },
      { rows: 1, first_source_date: '2025-12-01', last_source_date: '2025-12-01' },
    ]);
    const next = (await written('2025-12-02')).filter((put) => /core-history\/2025-1[12]\.ndjson/.test(put));
    expect(next).toEqual(['held core-history/2025-11.ndjson']);
  });

  it('writes a month again when a date of it was backfilled, and no other', async () => {
    const rows = [{ cik: A, stress: 0.5 }];
    let known = await rig.publish({ sourceDate: '2025-10-31', rows });
    known = await rig.publish({ sourceDate: '2025-11-14', rows, known });
    known = await rig.publish({ sourceDate: '2025-12-01', rows, known });
    await rig.publish({ sourceDate: '2025-11-20', rows, kind: 'backfilled' });
    const put: string[] = [];
    await rig.publish({ sourceDate: '2025-12-02', rows, known, put });
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
        await rm(rig.paths.root, { recursive: true, force: true });
        let known: HistoryEntry | null = null;
        let newest = '';
        for (const { sourceDate, ciks, stress, forgets } of steps) {
          const rows = ciks.map((cik) => ({ cik, stress }));
          const kind = sourceDate < newest ? 'backfilled' : 'full';
          const done: HistoryEntry = await rig.publish({
            sourceDate,
            rows,
            kind,
            known: forgets ? null : known,
          });
          if (kind === 'backfilled') continue;
          newest = sourceDate;
          known = done;
          expect(await rig.historiesOf(done.release)).toEqual(await rig.fromScratch(sourceDate, rows));
        }
        expect(rig.warnings).toEqual([]);
      }),
      costlyRuns(20),
    );
  });

  it('keeps the histories of the slice a rollback publishes again (I3.28)', async () => {
    const rows = [{ cik: A, stress: 0.5 }];
    const first = await rig.publish({ sourceDate: '2025-11-13', rows });
    await rig.publish({ sourceDate: '2025-11-14', rows, known: first });
    const back = await rig.rollback();
    expect(await rig.historiesOf(back)).toEqual(await rig.historiesOf('2025-11-13.1'));
  });
});
