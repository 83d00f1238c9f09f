import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdtemp, open as openFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { analystSession } from '../../../fixtures/rigs/analystSession.ts';
import { type LogEvent, realFiles, systemClock } from '../../effects.ts';
import { openForReading, openForWriting } from './openDatabase.ts';
import { openWarehouse } from './openWarehouse.ts';
import { readRows } from './readRows.ts';
import { type Build, openBuild } from './warehouseBuild.ts';

let root: string;
let events: LogEvent[];
/** The first night's warehouse, of which every test has a copy. */
let first: string;
beforeAll(async () => {
  first = await mkdtemp(join(tmpdir(), 'foreign-first-'));
  root = first;
  events = [];
  const build = await open('n1');
  await build.connection.run(`
    INSERT INTO price_close VALUES ('p', '2025-10-01', 'BTC', 1, 'a');
    INSERT INTO archive_scan VALUES ('2026-02-06', 'baseline', NULL, 3, 0, 0, 0, 0, 10, 'd1');
    INSERT INTO stress_row BY NAME SELECT DATE '2026-02-07' AS source_date, 'm-1.0' AS method_version,
      '0000000001' AS cik, 'T1' AS ticker, 'a' AS accession_number, '{}' AS payload`);
  await build.finish();
});
afterAll(() => rm(first, { recursive: true, force: true }));
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'foreign-'));
  events = [];
  await cp(first, root, { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const open = (buildId: string): Promise<Build> =>
  openBuild({
    warehouseRoot: root,
    buildId,
    effects: { clock: systemClock(), log: (event) => events.push(event), files: realFiles() },
  });
const current = () => join(root, 'current.duckdb');
const warnings = () => events.filter(({ level }) => level === 'warn').map(({ message }) => message);

/** What a build holds of the first night, and whether the analyst's table is in it. */
async function contents({ connection }: Pick<Build, 'connection'>) {
  const [row] = await readRows(
    connection,
    `SELECT (SELECT count(*) FROM price_close)::INTEGER AS closes, (SELECT count(*) FROM archive_scan)::INTEGER AS scans,
      (SELECT count(*) FROM stress_row)::INTEGER AS stress,
      (SELECT count(*) FROM duckdb_tables() WHERE table_name = 'mine')::INTEGER AS mine`,
  );
  return row;
}

async function published() {
  const database = await openForReading(current());
  try {
    return await contents(database);
  } finally {
    database.close();
  }
}

async function change(sql: string): Promise<void> {
  const { connection, close } = await openForWriting(current());
  await connection.run(sql);
  close();
}

describe('the current warehouse', () => {
  it('is read-only for other accounts: a tool that opens it for writing is refused', async (ctx) => {
    expect((await stat(current())).mode & 0o777).toBe(0o444);
    if (process.getuid?.() !== 0) {
      await expect(openForWriting(current())).rejects.toThrow('Permission denied');
      return;
    }
    await chmod(root, 0o777);
    const script = `
      import { DuckDBInstance } from ${JSON.stringify(import.meta.resolve('@duckdb/node-api'))};
      await DuckDBInstance.create(process.argv[1]).catch((error) => process.stdout.write(error.message));`;
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script, current()], {
      uid: 65534,
      gid: 65534,
      encoding: 'utf8',
    });
    if (child.error !== undefined || child.status !== 0) ctx.skip('no other account can run Node here');
    expect(child.stdout).toContain('Permission denied');
  });

  it('is what the next build stands on', async () => {
    const build = await open('n2');
    expect(build.start).toBe('carried');
    expect(await contents(build)).toEqual({ closes: 1, scans: 1, stress: 1, mine: 0 });
    await build.discard();
    expect(warnings()).toEqual([]);
  });

  it('is not built on once another program changed it: a table of an analyst does not survive', async () => {
    await (await analystSession(current())).close();
    expect(await published()).toMatchObject({ mine: 1 });
    const build = await open('n2');
    expect(build.start).toBe('changed');
    // facts are read again from the inputs; what exists nowhere else is unchanged and stays
    expect(await contents(build)).toEqual({ closes: 0, scans: 1, stress: 1, mine: 0 });
    expect(warnings()).toEqual([
      expect.stringMatching(/another program changed it, its sha256 [0-9a-f]{12} is of no build/),
    ]);
    await build.finish();
    expect(await published()).toMatchObject({ mine: 0 });
    expect(await readdir(join(root, 'builds'))).not.toContain('earlier.duckdb.partial');
  });

  it('keeps the rows of perpetual contracts, but not where their text was edited beside its hash', async () => {
    const marketRows = async ({ connection }: Build) =>
      readRows(connection, 'SELECT product, payload FROM market_factor');
    const second = await open('n2');
    await second.connection.run(`
      INSERT INTO market_factor BY NAME SELECT 'BTC-PERP-INTX' AS product, '1d' AS bucket_length, 0 AS bucket_ms,
        DATE '1970-01-01' AS source_date, 'm' AS method_version, 'binance' AS venue, 'BTC-USDT' AS contract_symbol,
        'ok' AS quality_status, 0 AS history_rows, '' AS flags, true AS available, '{}' AS payload,
        sha256('{}') AS payload_sha256`);
    await second.finish();
    await (await analystSession(current())).close();
    const third = await open('n3');
    expect([third.start, await marketRows(third)]).toEqual([
      'changed',
      [{ product: 'BTC-PERP-INTX', payload: '{}' }],
    ]);
    await third.finish();
    await change('UPDATE market_factor SET payload = \'{"edited":1}\'');
    const fourth = await open('n4');
    expect(await marketRows(fourth)).toEqual([]);
    expect(warnings().at(-1)).toMatch(/market rows are lost: they are not what the last night left/);
    await fourth.discard();
  });

  it('that a newer DuckDB upgraded in place is recognised: a night and a question say what to do', async () => {
    await chmod(current(), 0o644);
    const file = await openFile(current(), 'r+');
    const version = Buffer.alloc(8);
    version.writeBigUInt64LE(70n);
    // behind checksum and letters; this DuckDB reads no such file
    await file.write(version, 0, 8, 12);
    await file.close();
    const said = {
      code: 'configuration',
      message: expect.stringMatching(
        /^A newer DuckDB upgraded the warehouse at .*current.duckdb to storage version 70; nights write 65.$/,
      ),
      hint: expect.stringContaining('Copy the newest other file of `builds`'),
    };
    await expect(open('n2')).rejects.toMatchObject(said);
    await expect(openWarehouse(current())).rejects.toMatchObject(said);
    // nothing of it was lost
    expect(await readdir(join(root, 'builds'))).toContain('n1.duckdb');
  });

  it('loses the records that were changed, by name, and no others', async () => {
    await change('UPDATE stress_row SET payload = \'{"edited":1}\'');
    const build = await open('n2');
    expect(await contents(build)).toEqual({ closes: 0, scans: 1, stress: 0, mine: 0 });
    expect(warnings()).toEqual([
      expect.stringContaining('another program changed it'),
      'Earlier computed rows are lost: they are not what the last night left',
    ]);
    await build.discard();
  });

  it('is carried on when a session was killed: what it left beside the file is removed', async () => {
    await (await analystSession(current())).kill();
    expect(await published()).toMatchObject({ mine: 1 });
    const build = await open('n2');
    expect(build.start).toBe('carried');
    expect(warnings()).toEqual([
      expect.stringMatching(
        /^Another program wrote to \S+: what it left in current\.duckdb\.wal is removed\.$/,
      ),
    ]);
    await build.finish();
    expect(await published()).toEqual({ closes: 1, scans: 1, stress: 1, mine: 0 });
  });

  it('does not show what a session on the old file writes while the new one is published', async () => {
    const build = await open('n2');
    const session = await analystSession(current());
    await build.finish();
    expect(await published()).toMatchObject({ mine: 0 });
    await session.close();
    expect(await published()).toMatchObject({ closes: 1, mine: 0 });
    const next = await open('n3');
    expect(next.start).toBe('carried');
    await next.discard();
  });

  it('of a program that recorded no hash is built anew once, and its records are kept', async () => {
    await rm(join(root, 'builds', 'n1.build.json'));
    const build = await open('n2');
    expect(build.start).toBe('renewed');
    expect(await contents(build)).toEqual({ closes: 0, scans: 1, stress: 1, mine: 0 });
    expect(warnings()).toEqual([expect.stringContaining('did not record its hash')]);
    await build.discard();
  });

  it('stays what it is for a reader, to the last page, while two more builds replace it', async () => {
    const wide = await open('n2');
    await wide.connection.run(
      "INSERT INTO price_close SELECT 'p', DATE '2025-10-02', 'A' || range, range, 'a' FROM range(300000)",
    );
    await wide.finish();
    const reader = await openForReading(current());
    for (const id of ['n3', 'n4']) {
      const build = await open(id);
      await build.connection.run('DELETE FROM price_close');
      await build.finish();
    }
    // none of these pages was read before the file lost its name
    const [row] = await readRows(
      reader.connection,
      "SELECT sum(close)::VARCHAR AS sum FROM price_close WHERE asset <> 'BTC'",
    );
    expect(row).toEqual({ sum: '44999850000.0' });
    reader.close();
    expect(await published()).toMatchObject({ closes: 0 });
  });
});
