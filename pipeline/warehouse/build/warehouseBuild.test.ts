import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { faultyFiles } from '../../../fixtures/rigs/faultyFiles.ts';
import { type LogEvent, realFiles, type StoreEffects, systemClock } from '../../effects.ts';
import { openForReading } from './openDatabase.ts';
import { readRows } from './readRows.ts';
import { type Build, openBuild } from './warehouseBuild.ts';

let root: string;
let warehouseRoot: string;
let events: LogEvent[];
let effects: StoreEffects;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'build-'));
  warehouseRoot = join(root, 'warehouse');
  events = [];
  effects = { clock: systemClock(), log: (event) => events.push(event), files: realFiles() };
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** A finished build with one close, of which tests that begin with one have a copy. */
let standing: string;
beforeAll(async () => {
  standing = await mkdtemp(join(tmpdir(), 'build-standing-'));
  const silent = { clock: systemClock(), log: () => undefined, files: realFiles() };
  const first = await openBuild({ warehouseRoot: standing, buildId: 'n1', effects: silent });
  await mark(first, 'BTC');
  await first.finish();
});
afterAll(() => rm(standing, { recursive: true, force: true }));
const begin = () => cp(standing, warehouseRoot, { recursive: true });

const open = (buildId: string, more: Partial<StoreEffects> = {}) =>
  openBuild({ warehouseRoot, buildId, effects: { ...effects, ...more } });
const current = () => join(warehouseRoot, 'current.duckdb');
const mark = (build: Build, asset: string) =>
  build.connection.run(`INSERT INTO price_close VALUES ('p', '2025-10-01', '${asset}', 1, 'a')`);
const COUNT = 'SELECT string_agg(asset, chr(32) ORDER BY asset) AS assets FROM prices';

async function published(): Promise<unknown> {
  const { connection, close } = await openForReading(current());
  try {
    return (await readRows(connection, COUNT))[0]?.['assets'];
  } finally {
    close();
  }
}
const files = async () => (await readdir(warehouseRoot, { recursive: true })).sort();

describe('a warehouse build', () => {
  it('is not seen before it is finished, and then is the current one', async () => {
    const build = await open('n1');
    await mark(build, 'BTC');
    expect((await files()).slice(0, 2)).toEqual(['builds', 'builds/n1.duckdb.partial']);
    expect(await files()).not.toContain('current.duckdb');
    await build.finish();
    expect(await files()).toEqual(['builds', 'builds/n1.build.json', 'builds/n1.duckdb', 'current.duckdb']);
    expect(await published()).toBe('BTC');
  });

  it('starts from the current one, and leaves nothing behind when it is discarded', async () => {
    await begin();
    const before = await readFile(current());
    const second = await open('n2');
    await mark(second, 'ETH');
    expect((await readRows(second.connection, COUNT))[0]).toEqual({ assets: 'BTC ETH' });
    await second.discard();
    await second.discard();
    expect(await files()).toEqual(['builds', 'builds/n1.build.json', 'builds/n1.duckdb', 'current.duckdb']);
    expect((await readFile(current())).equals(before)).toBe(true);
  });

  it('does not disturb a reader, who keeps the old rows while new ones are published', async () => {
    await begin();
    const reader = await openForReading(current());
    const second = await open('n2');
    await mark(second, 'ETH');
    expect((await readRows(reader.connection, COUNT))[0]).toEqual({ assets: 'BTC' });
    await second.finish();
    expect((await readRows(reader.connection, COUNT))[0]).toEqual({ assets: 'BTC' });
    reader.close();
    expect(await published()).toBe('BTC ETH');
  });

  it('keeps the last two builds and removes what a crashed one left', async () => {
    for (const id of ['n1', 'n2']) {
      await (await open(id)).finish();
      const age = id === 'n1' ? 1000 : 2000;
      await utimes(join(warehouseRoot, 'builds', `${id}.duckdb`), age, age);
    }
    for (const name of [
      'builds/dead.duckdb.partial',
      'builds/dead.duckdb.partial.wal',
      'current.duckdb.partial',
    ]) {
      await writeFile(join(warehouseRoot, name), 'x');
    }
    await mkdir(join(warehouseRoot, 'builds/dead.duckdb.partial.tmp'));
    await (await open('n3')).finish();
    expect(await files()).toEqual([
      'builds',
      'builds/n2.build.json',
      'builds/n2.duckdb',
      'builds/n3.build.json',
      'builds/n3.duckdb',
      'current.duckdb',
    ]);
  });

  it('is finished beside a build whose link leads nowhere', async () => {
    await (await open('n1')).finish();
    await rm(join(warehouseRoot, 'builds/n1.duckdb'));
    await symlink('/nowhere', join(warehouseRoot, 'builds/n1.duckdb'));
    await (await open('n2')).finish();
    expect(await files()).toContain('builds/n2.duckdb');
  });

  it('shows the old or the new warehouse, whichever effect of publishing fails', async () => {
    await begin();
    const outcomes = new Set<unknown>();
    for (const when of ['before', 'after'] as const) {
      let struck = true;
      for (let at = 1; struck; at += 1) {
        const strike = (): never => {
          throw new Error('struck');
        };
        const build = open(`${when}${at}`, { files: faultyFiles(realFiles(), { at, when, strike }) });
        struck = await build
          .then(async (b) => {
            await mark(b, `${when.slice(0, 1).toUpperCase()}${at}`);
            await b.finish();
          })
          .then(
            () => false,
            () => true,
          );
        const seen = String(await published());
        expect(seen.startsWith('A') || seen.includes('BTC')).toBe(true);
        outcomes.add(seen);
        expect(at).toBeLessThan(40);
      }
    }
    expect(outcomes.size).toBeGreaterThan(2);
    await (await open('last')).finish();
    expect((await files()).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it('survives SIGKILL after any effect: the next run cleans up and starts from a whole warehouse', async () => {
    await begin();
    const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
    const script = `
      import { openBuild } from ${module('./warehouseBuild.ts')};
      import { realFiles, systemClock } from ${module('../../effects.ts')};
      import { faultyFiles } from ${module('../../../fixtures/rigs/faultyFiles.ts')};
      const [warehouseRoot, at] = process.argv.slice(1);
      const strike = () => { process.kill(process.pid, 'SIGKILL'); };
      const files = faultyFiles(realFiles(), { at: Number(at), when: 'after', strike });
      const effects = { clock: systemClock(), log: () => {}, files };
      const build = await openBuild({ warehouseRoot, buildId: 'k' + at, effects });
      await build.connection.run("INSERT INTO price_close VALUES ('p', DATE '2025-10-01', 'K" + at + "', 1, 'a')");
      await build.finish();`;
    let killed = 0;
    for (let at = 1; ; at += 1) {
      const child = spawnSync(process.execPath, [
        '--input-type=module',
        '-e',
        script,
        warehouseRoot,
        String(at),
      ]);
      expect(await published()).toMatch(/^BTC( K\d+)*$/);
      if (child.signal !== 'SIGKILL') break;
      killed += 1;
    }
    expect(killed).toBeGreaterThan(5);
    await (await open('last')).finish();
    expect((await files()).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it('begins anew with a warning when the current file is damaged', async () => {
    await (await open('n1')).finish();
    await writeFile(current(), 'not a database');
    const build = await open('n2');
    expect((await readRows(build.connection, COUNT))[0]).toEqual({ assets: null });
    await build.finish();
    expect(events.map((event) => event.level)).toContain('warn');
    expect(await published()).toBeNull();
  });

  it('begins anew when the tables are of another version, but keeps the stress rows of earlier nights', async () => {
    const first = await open('n1');
    await mark(first, 'BTC');
    await first.connection.run(
      "INSERT INTO stress_row BY NAME SELECT DATE '2025-10-01' AS source_date, 'm-1.0' AS method_version, " +
        "'0000000001' AS cik, 'T1' AS ticker, 'a' AS accession_number, '{}' AS payload",
    );
    await first.connection.run("UPDATE build_info SET value = 'older'");
    await first.finish();
    const second = await open('n2');
    expect((await readRows(second.connection, COUNT))[0]).toEqual({ assets: null });
    expect(await readRows(second.connection, 'SELECT cik FROM stress')).toEqual([{ cik: '0000000001' }]);
    await second.discard();
  });

  it('makes the views anew when other scripts made them, and carries the tables on', async () => {
    const first = await open('n1');
    await mark(first, 'BTC');
    await first.connection.run("UPDATE build_info SET value = 'older' WHERE name = 'views'");
    await first.connection.run('CREATE OR REPLACE VIEW main.issuers AS SELECT 1 AS one');
    await first.finish();
    for (const id of ['n2', 'n3']) {
      const next = await open(id);
      expect((await readRows(next.connection, COUNT))[0]).toEqual({ assets: 'BTC' });
      expect(await readRows(next.connection, 'SELECT cik FROM issuers')).toEqual([]);
      const held = "SELECT count(*)::INTEGER AS n FROM build_info WHERE name IN ('tables', 'views')";
      expect((await readRows(next.connection, held))[0]).toEqual({ n: 2 });
      await next.finish();
    }
  });

  it('ends with store_unwritable where nothing can be written, and refuses an id that is no file name', async () => {
    await writeFile(join(root, 'file'), 'x');
    const request = { buildId: 'n1', effects, warehouseRoot: join(root, 'file', 'warehouse') };
    const error = await openBuild(request).catch((e) => e);
    expect(error.toCli()).toMatchObject({ exitCode: 1, code: 'store_unwritable' });
    await expect(open('../n1')).rejects.toThrow('cannot be a file name');
  });

  it('ends with store_unwritable on a full disk and leaves the old warehouse alone', async (ctx) => {
    if (process.platform === 'win32') ctx.skip('a file size limit needs a POSIX shell');
    await begin();
    const prices = join(root, 'source/prices/BTC.csv');
    await mkdir(join(root, 'source/prices'), { recursive: true });
    const rows = Array.from({ length: 150_000 }, (_, n) => `2025-10-01,BTC,${n + 1}.${n},source${n * 7919}`);
    await writeFile(prices, ['date,asset,close,source', ...rows].join('\n'));
    const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
    const script = `
      import { openBuild } from ${module('./warehouseBuild.ts')};
      import { scanDirectorySource } from ${module('../../source/directorySource.ts')};
      import { realFiles, systemClock } from ${module('../../effects.ts')};
      const [warehouseRoot, source] = process.argv.slice(1);
      const effects = { clock: systemClock(), log: () => {}, files: realFiles() };
      const build = await openBuild({ warehouseRoot, buildId: 'n2', effects });
      try {
        await build.ingest({ inputs: await scanDirectorySource(source), universe: [] });
        await build.finish();
        process.stdout.write('finished');
      } catch (error) {
        await build.discard();
        process.stdout.write(error.code + ' ' + error.message);
      }`;
    // a write past 5 MiB of any file fails as it does on a full disk
    const limited = 'trap "" XFSZ; ulimit -f 5120; exec "$0" --input-type=module -e "$1" "$2" "$3"';
    const child = spawnSync(
      'bash',
      ['-c', limited, process.execPath, script, warehouseRoot, join(root, 'source')],
      {
        encoding: 'utf8',
      },
    );
    expect(child.stderr).toBe('');
    expect(child.stdout).toMatch(/^store_unwritable The warehouse at .* cannot be written/);
    expect(await files()).toEqual(['builds', 'builds/n1.build.json', 'builds/n1.duckdb', 'current.duckdb']);
    expect(await published()).toBe('BTC');
  });
});
