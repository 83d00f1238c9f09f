import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { directoryStore } from '../../data/store/directoryStore.ts';
import { hashFile } from '../../data/store/files/hashFile.ts';
import { type HandMadeWarehouse, handMadeWarehouse } from '../../fixtures/rigs/handMadeWarehouse.ts';
import { dataLayout } from '../dataLayout.ts';
import { realFiles } from '../effects.ts';
import { warehouseViews } from '../query/queryError.ts';
import type { TableFormat } from '../query/writeTable.ts';
import { openWarehouse } from '../warehouse/build/openWarehouse.ts';
import {
  type ExportManifest,
  type ExportTarget,
  exportManifest,
  exportWarehouse,
} from './exportWarehouse.ts';

const fact = {
  concept: 'Assets',
  end: '2025-09-30',
  accession: '0000000000-25-000001',
  form: '10-Q',
  filed: '2025-11-03',
};

let warehouse: HandMadeWarehouse;
beforeAll(async () => {
  warehouse = await handMadeWarehouse();
  // out of order, and more than the views show of one issuer
  await warehouse.putFacts(
    ['0000000003', '0000000001', '0000000002'].flatMap((cik) =>
      ['2025-06-30', '2025-09-30', '2025-03-31'].map((end, i) => ({
        ...fact,
        cik,
        end,
        value: ['9007199254740993', '200.25', '300.25'][i] ?? '',
      })),
    ),
  );
  warehouse.close();
});
afterAll(() => warehouse.remove());

let root: string;
let target: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'export-'));
  target = join(root, 'analysts', 'warehouse');
});
afterEach(() => rm(root, { recursive: true, force: true }));

function run({
  to = { kind: 'directory', directory: target },
  signal = new AbortController().signal,
  format = 'parquet',
}: {
  to?: ExportTarget;
  signal?: AbortSignal;
  format?: TableFormat;
} = {}) {
  const layout = { ...dataLayout(join(root, 'data')), database: warehouse.path };
  const clock = { now: () => new Date('2026-02-08T09:00:00Z'), sleep: async () => undefined };
  return exportWarehouse({
    layout,
    target: to,
    format,
    effects: { files: realFiles(), clock, log: () => undefined },
    signal,
  });
}

const manifestIn = async (directory: string): Promise<ExportManifest> =>
  exportManifest.parse(JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8')));

/** Rows of a question, asked of Parquet files by a database of its own. */
async function ask(sql: string): Promise<unknown[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const rows = (await connection.runAndReadAll(sql)).getRowObjectsJson();
  connection.closeSync();
  instance.closeSync();
  return rows;
}

describe('an export of the warehouse (STORE ST18)', () => {
  it('has every view with the rows of the warehouse, and says their number and hash', async () => {
    await run();
    const { views, warehouse_sha256: source } = await manifestIn(target);
    expect(source).toBe(await hashFile(warehouse.path));
    expect(views.map(({ view }) => view)).toEqual([...warehouseViews]);
    expect((await readdir(target)).sort()).toEqual(
      ['manifest.json', ...warehouseViews.map((view) => `${view}.parquet`)].sort(),
    );
    const database = await openWarehouse(warehouse.path, { outputs: [] });
    for (const { view, rows, file, sha256, columns } of views) {
      const path = join(target, file);
      expect(await hashFile(path), view).toBe(sha256);
      const count = async (from: string) => (await database.connection.runAndReadAll(from)).getRows()[0]?.[0];
      expect(await count(`SELECT count(*)::INTEGER FROM "${view}"`), view).toBe(rows);
      expect(await ask(`SELECT count(*)::INTEGER AS n FROM '${path}'`), view).toEqual([{ n: rows }]);
      const described = await ask(`DESCRIBE FROM '${path}'`);
      expect(described.map((row) => (row as { column_name: string }).column_name)).toEqual(
        columns.map(({ name }) => name),
      );
    }
    database.close();
    expect(views.find(({ view }) => view === 'facts')?.rows).toBe(9);
    expect(await readdir(join(root, 'analysts'))).toEqual(['warehouse']);
  });

  it('is sorted by cik and then date, compressed with zstd, and holds values to the last digit', async () => {
    await run();
    const path = join(target, 'facts.parquet');
    expect(
      await ask(
        `SELECT cik, "end", coalesce(value_exact::VARCHAR, value::VARCHAR) AS value FROM '${path}' LIMIT 4`,
      ),
    ).toEqual([
      { cik: '0000000001', end: '2025-03-31', value: '300.25' },
      { cik: '0000000001', end: '2025-06-30', value: '9007199254740993' },
      { cik: '0000000001', end: '2025-09-30', value: '200.25' },
      { cik: '0000000002', end: '2025-03-31', value: '300.25' },
    ]);
    expect(await ask(`SELECT DISTINCT compression FROM parquet_metadata('${path}')`)).toEqual([
      { compression: 'ZSTD' },
    ]);
  });

  it('gives data frames doubles with their digits beside them, and instants in UTC', async () => {
    await run();
    const path = join(target, 'coin_events.parquet');
    const described = (await ask(`DESCRIBE FROM '${path}'`)) as {
      column_name: string;
      column_type: string;
    }[];
    const types = new Map(described.map((row) => [row.column_name, row.column_type]));
    expect(
      ['units', 'units_exact', 'usd', 'usd_exact', 'accepted_at'].map((name) => types.get(name)),
    ).toEqual(['DOUBLE', 'VARCHAR', 'DOUBLE', 'VARCHAR', 'TIMESTAMP WITH TIME ZONE']);
    const { views } = await manifestIn(target);
    const stated = views.find(({ view }) => view === 'coin_events')?.columns ?? [];
    expect(stated.map(({ name, type }) => [name, type])).toEqual([...types]);
  });

  it('says in the file what its rows are and which columns make one', async () => {
    await run();
    const path = join(target, 'facts.parquet');
    const metadata = await ask(
      `SELECT decode(key) AS name, decode(value) AS text FROM parquet_kv_metadata('${path}') ORDER BY 1`,
    );
    const { views } = await manifestIn(target);
    const key = views.find(({ view }) => view === 'facts')?.key;
    expect(key).toEqual(['cik', 'taxonomy', 'concept', 'unit', 'start', 'end', 'accession']);
    expect(metadata).toEqual([
      { name: 'columns', text: expect.stringContaining('"filed":"Day the filing was filed;') },
      { name: 'comment', text: expect.stringMatching(/^Every fact of the SEC companyfacts archive/) },
      { name: 'key', text: key?.join(', ') },
      { name: 'view', text: 'facts' },
    ]);
  });

  it.each(['arrow', 'csv'] as const)(
    'has the same rows as %s, and says what each column holds',
    async (format) => {
      await run({ format });
      const manifest = await manifestIn(target);
      expect(manifest.format).toBe(format);
      expect(manifest.views.map(({ file }) => file)).toEqual(
        warehouseViews.map((view) => `${view}.${format}`),
      );
      const { columns } = manifest.views.find(({ view }) => view === 'facts') ?? { columns: [] };
      expect(columns.find(({ name }) => name === 'filed')).toEqual({
        name: 'filed',
        type: 'DATE',
        comment: 'Day the filing was filed; null when the archive does not say.',
      });
      const path = join(target, `facts.${format}`);
      const rows =
        format === 'csv'
          ? await ask(`FROM read_csv('${path}', all_varchar = true)`)
          : [...tableFromIPC(await readFile(path))].map((row) => row?.toJSON());
      const held = rows as readonly Record<string, unknown>[];
      expect(held.slice(0, 4).map((row) => [row['cik'], row['value_exact'] ?? String(row['value'])])).toEqual(
        [
          ['0000000001', '300.25'],
          ['0000000001', '9007199254740993'],
          ['0000000001', '200.25'],
          ['0000000002', '300.25'],
        ],
      );
      expect(held).toHaveLength(9);
      expect(Object.keys(held[0] ?? {})).toEqual(columns.map(({ name }) => name));
    },
  );

  it('replaces an earlier export, with the same bytes where the warehouse is the same', async () => {
    await run();
    const first = await manifestIn(target);
    await run();
    expect(await manifestIn(target)).toEqual(first);
    expect(await readdir(join(root, 'analysts'))).toEqual(['warehouse']);
  });

  it.each([
    ['a file of someone else', async () => writeFile(join(target, 'notes.txt'), 'mine')],
    [
      'a manifest of something else',
      async () => writeFile(join(target, 'manifest.json'), '{"schema_id":"other"}'),
    ],
    [
      'a file beside an earlier export',
      async () => {
        await run();
        await writeFile(join(target, 'notes.txt'), 'mine');
      },
    ],
  ])('does not touch a directory with %s', async (_, put) => {
    await mkdir(target, { recursive: true });
    await put();
    const before = await readdir(target);
    await expect(run()).rejects.toMatchObject({
      code: 'usage',
      message: `${target} holds something else than an export.`,
    });
    expect(await readdir(target)).toEqual(before);
  });

  it('deletes nothing that lies beside its target under a name like its own', async () => {
    for (const name of ['before', 'partial']) {
      await mkdir(`${target}.${name}`, { recursive: true });
      await writeFile(join(`${target}.${name}`, 'precious'), 'mine');
    }
    await run();
    await run();
    for (const name of ['before', 'partial'])
      expect(await readFile(join(`${target}.${name}`, 'precious'), 'utf8')).toBe('mine');
    expect(
      (await readdir(dirname(target))).filter((name) => name.startsWith(basename(target))).sort(),
    ).toEqual([basename(target), `${basename(target)}.before`, `${basename(target)}.partial`]);
    for (const name of ['before', 'partial']) await rm(`${target}.${name}`, { recursive: true });
  });

  it('leaves nothing behind when it is interrupted', async () => {
    const asked = new AbortController();
    asked.abort();
    await expect(run({ signal: asked.signal })).rejects.toMatchObject({ code: 'interrupted' });
    expect(existsSync(target)).toBe(false);
    expect((await readdir(dirname(target))).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it('puts each file into a store once, and refuses a prefix that holds anything', async () => {
    const to = { kind: 'store', store: directoryStore({ root: join(root, 'bucket'), keepOpen: 0 }) } as const;
    await mkdir(join(root, 'bucket'));
    await run({ to });
    const { views } = await manifestIn(join(root, 'bucket'));
    for (const { file, sha256 } of views) expect(await hashFile(join(root, 'bucket', file))).toBe(sha256);
    await expect(run({ to })).rejects.toMatchObject({ code: 'usage' });
    expect((await readdir(join(root, 'data', 'warehouse'))).filter((name) => /partial/.test(name))).toEqual(
      [],
    );
  });
});
