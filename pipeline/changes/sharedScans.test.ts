import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realFiles, systemClock } from '../effects.ts';
import { scanDirectorySource } from '../source/directorySource.ts';
import { loadUniverse } from '../universe/universe.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { type Build, openBuild } from '../warehouse/build/warehouseBuild.ts';

const shared = fileURLToPath(new URL('../../../shared/data', import.meta.url));
const registry = fileURLToPath(new URL('../../data/registry/universe.csv', import.meta.url));

describe.skipIf(!existsSync(shared))(
  'two real archives (../shared/data; skipped where it is not beside the project)',
  () => {
    let root: string;
    let build: Build;

    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), 'shared-scans-'));
      const later = await scanDirectorySource(shared);
      const facts = { ...later, paths: { ...later.paths, submissions: [], instances: [], filings: [] } };
      const archive = join(shared, 'edgar/companyfacts-earlier.zip');
      const earlier = { ...facts, paths: { ...facts.paths, companyfacts: [archive] } };
      const universe = await loadUniverse(registry);
      const effects = { clock: systemClock(), log: () => undefined, files: realFiles() };
      build = await openBuild({ warehouseRoot: root, buildId: 'n1', effects });
      const published = ['2026-02-05'];
      const limits = { lostShare: 0.1, keptDays: 400 };
      await build.ingest({
        inputs: earlier,
        universe,
        scan: { sourceDate: '2026-02-05', published: [], limits },
      });
      await build.ingest({ inputs: facts, universe, scan: { sourceDate: '2026-02-06', published, limits } });
    });
    afterAll(async () => {
      await build.discard();
      await rm(root, { recursive: true, force: true });
    });

    it('differ in the facts of seven filings and one new registrant, and in no fact of AAPL', async () => {
      const rows = await readRows(
        build.connection,
        `SELECT cik, kind, count(*)::INTEGER AS n, count(DISTINCT accession)::INTEGER AS filings FROM changes
      GROUP BY cik, kind ORDER BY cik`,
      );
      // counts of the removed facts as the derivation of the earlier archive states them; PURR was absent
      expect(rows.map((row) => [row['cik'], row['kind'], row['n'], row['filings']])).toEqual([
        ['0000789019', 'added', 491, 1],
        ['0001050446', 'added', 314, 1],
        ['0001167419', 'added', 380, 1],
        ['0001477333', 'added', 333, 1],
        ['0001662684', 'added', 374, 1],
        ['0001710350', 'added', 440, 1],
        ['0002078856', 'added', expect.any(Number), 1],
      ]);
      const [scan] = await readRows(
        build.connection,
        "SELECT status, changed_files, new_files, removed_files FROM scans WHERE scan_date = DATE '2026-02-06'",
      );
      expect(scan).toEqual({ status: 'compared', changed_files: 7, new_files: 1, removed_files: 0 });
    });

    it('hold 531 us-gaap series of MSTR with more than one value, of 9,713 (M6.2)', async () => {
      const [row] = await readRows(
        build.connection,
        `SELECT count(*)::INTEGER AS series, (count(*) FILTER (held > 1))::INTEGER AS several, sum(rows)::INTEGER AS rows,
        max(twice)::INTEGER AS twice
      FROM (SELECT count(DISTINCT coalesce(value_exact, value::VARCHAR)) AS held, count(*) AS rows,
          count(*) - count(DISTINCT accession) AS twice
        FROM facts WHERE cik = '0001050446' AND taxonomy = 'us-gaap'
        GROUP BY concept, unit, start, "end")`,
      );
      expect(row).toEqual({ series: 9713, several: 531, rows: 18_619, twice: 0 });
    });
  },
);
