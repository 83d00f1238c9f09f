import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildMemory, type LogEvent, realFiles, systemClock } from '../../effects.ts';
import { readRows } from './readRows.ts';
import { type Build, openBuild } from './warehouseBuild.ts';

let root: string;
let events: LogEvent[];
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'records-'));
  events = [];
});
afterEach(() => rm(root, { recursive: true, force: true }));

const open = (buildId: string, more: { buildMemoryBytes?: number } = {}): Promise<Build> =>
  openBuild({
    warehouseRoot: root,
    buildId,
    effects: { clock: systemClock(), log: (event) => events.push(event), files: realFiles(), ...more },
  });

/** A finished build with two nights, of an older version than this one. */
async function olderBuild(change: string): Promise<void> {
  const build = await open('n1');
  await build.connection.run(`
    INSERT INTO archive_scan VALUES ('2026-02-06', 'baseline', NULL, 3, 0, 0, 0, 0, 10, 'd1'),
      ('2026-02-07', 'compared', '2026-02-06', 3, 1, 0, 0, 0, 12, 'd2');
    INSERT INTO scan_file VALUES ('2026-02-07', 'CIK0000000001.json', 1, 2, 3, 4, 'One');
    INSERT INTO daily_change_night VALUES ('2026-02-07', true, [], [], '{}');
    INSERT INTO stress_row BY NAME SELECT DATE '2026-02-07' AS source_date, 'm-1.0' AS method_version,
      '0000000001' AS cik, 'T1' AS ticker, 'a' AS accession_number, '{}' AS payload`);
  const { connection } = build;
  await connection.run("UPDATE build_info SET value = 'older' WHERE name = 'tables'");
  for (const view of ['scans', 'changes', 'evidence', 'daily_changes'])
    await connection.run(`DROP VIEW IF EXISTS ${view}`);
  await connection.run(change);
  await build.finish();
}

/** What the next build holds of the records, and the warnings that were logged. */
async function upgraded() {
  const build = await open('n2');
  const count = async (table: string) =>
    Number((await readRows(build.connection, `SELECT count(*)::INTEGER AS n FROM ${table}`))[0]?.['n']);
  const digests = await readRows(build.connection, 'SELECT digest FROM archive_scan ORDER BY scan_date');
  const rows = {
    scans: await count('archive_scan'),
    files: await count('scan_file'),
    nights: await count('daily_change_night'),
    stress: await count('stress_row'),
  };
  await build.discard();
  return { rows, digests, warnings: events.map((event) => event.message) };
}

describe('records of an older version of the program', () => {
  it('are kept where a required column is new: archive_scan.digest', async () => {
    await olderBuild('ALTER TABLE archive_scan DROP COLUMN digest');
    const { rows, digests, warnings } = await upgraded();
    expect(rows).toEqual({ scans: 2, files: 1, nights: 1, stress: 1 });
    // no archive has this digest, so none is taken for the one that was scanned
    expect(digests).toEqual([{ digest: '' }, { digest: '' }]);
    expect(warnings).toEqual([expect.stringContaining('made by another version of the program')]);
  });

  it('are kept where a column or table is gone', async () => {
    await olderBuild('ALTER TABLE scan_file ADD COLUMN note VARCHAR; DROP TABLE daily_change_night');
    const { rows, warnings } = await upgraded();
    expect(rows).toEqual({ scans: 2, files: 1, nights: 0, stress: 1 });
    expect(warnings).toHaveLength(1);
  });

  it('are lost as a whole group, and said so, where nothing stands for a required column', async () => {
    await olderBuild('ALTER TABLE scan_file DROP COLUMN name');
    const { rows, warnings } = await upgraded();
    expect(rows).toEqual({ scans: 0, files: 0, nights: 1, stress: 1 });
    expect(warnings).toEqual([expect.anything(), expect.stringMatching(/^Earlier scans are lost: .*name/)]);
  });
});

describe('what the database may hold of a build', () => {
  const limit = "SELECT current_setting('memory_limit') AS most";

  it('is 256 MB, or what the operator gives, also of a build that is carried on', async () => {
    const first = await open('n1');
    expect(await readRows(first.connection, limit)).toEqual([{ most: '244.1 MiB' }]);
    await first.finish();
    const second = await open('n2', { buildMemoryBytes: 512_000_000 });
    expect(second.start).toBe('carried');
    expect(await readRows(second.connection, limit)).toEqual([{ most: '488.2 MiB' }]);
    await second.discard();
  });

  it('is a number of bytes, 64 MB or more', () => {
    expect(buildMemory({})).toBe(256_000_000);
    expect(buildMemory({ II_BUILD_MEMORY_BYTES: '1200000000' })).toBe(1_200_000_000);
    for (const wrong of ['512MB', '1.2e9', '-512000000', '63999999', '256'])
      expect(() => buildMemory({ II_BUILD_MEMORY_BYTES: wrong }), wrong).toThrow(
        `II_BUILD_MEMORY_BYTES is ${wrong}, which is not a number of bytes from 64000000 on.`,
      );
  });
});
