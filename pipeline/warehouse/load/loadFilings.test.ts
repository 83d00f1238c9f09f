import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HandMadeWarehouse, handMadeWarehouse } from '../../../fixtures/rigs/handMadeWarehouse.ts';
import { systemClock } from '../../effects.ts';
import { readRows } from '../build/readRows.ts';
import type { InputReport } from './inputLoader.ts';
import { loadFilings } from './loadFilings.ts';
import { loadInstanceIndex } from './loadInstanceIndex.ts';

const shared = resolve('../shared/data/edgar');
const A = '0000000001';
const B = '0000000002';
const first = '0000000009-25-000001';
const second = '0000000009-25-000002';

let warehouse: HandMadeWarehouse;
let edgar: string;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
  edgar = join(warehouse.root, 'edgar');
});
afterEach(() => warehouse.remove());

/** An instance with one fact, total assets in USD at 2025-09-30. */
function instance(cik: string, assets: string): string {
  return `<?xml version="1.0"?>
<xbrl xmlns="http://www.xbrl.org/2003/instance" xmlns:iso4217="http://www.xbrl.org/2003/iso4217"
  xmlns:us-gaap="http://fasb.org/us-gaap/2025">
  <context id="c"><entity><identifier scheme="http://www.sec.gov/CIK">${cik}</identifier></entity>
    <period><instant>2025-09-30</instant></period></context>
  <unit id="usd"><measure>iso4217:USD</measure></unit>
  <us-gaap:Assets contextRef="c" unitRef="usd" decimals="-3">${assets}</us-gaap:Assets>
</xbrl>`;
}

async function folder(cik: string, accession: string, files: Readonly<Record<string, string | Uint8Array>>) {
  const path = join(edgar, 'filings', String(Number(cik)), accession.replaceAll('-', ''));
  await mkdir(path, { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content);
}

async function index(rows: readonly { cik: string; accession: string; file: string }[]): Promise<string> {
  const path = join(edgar, 'instances/index.csv');
  await mkdir(join(edgar, 'instances'), { recursive: true });
  const lines = rows.map(({ cik, accession, file }) => `${file},${Number(cik)},10-Q,${accession},2025-11-13`);
  await writeFile(path, ['file,cik,form,accn,filed', ...lines, ''].join('\n'));
  await loadInstanceIndex(warehouse.connection, path);
  return path;
}

async function load({ instances = [] }: { instances?: string[] } = {}): Promise<InputReport> {
  const filings = join(edgar, 'filings');
  return loadFilings({
    connection: warehouse.connection,
    source: { filings: existsSync(filings) ? [filings] : [], instances },
    ciks: [A, B],
    effects: { clock: systemClock(), log: () => undefined },
  });
}

const assets = () =>
  readRows(
    warehouse.connection,
    "SELECT cik, accession, value FROM instance_facts WHERE concept = 'us-gaap:Assets' ORDER BY ALL",
  );
const defects = async () => {
  const rows = await readRows(
    warehouse.connection,
    'SELECT part, defect FROM filing_documents WHERE defect IS NOT NULL ORDER BY ALL',
  );
  return rows.map((row) => `${row['part']}: ${row['defect']}`);
};

describe('loadFilings', () => {
  it('reads new and changed filings only, and keeps the files it read with their hashes', async () => {
    await folder(A, first, {
      'a-20250930_htm.xml': instance(A, '1000'),
      'R2.htm': '<p>',
      'FilingSummary.xml': '<',
    });
    await folder(B, second, { 'b-20250930.xml': instance(B, '2000') });
    const read = await load();
    expect(read).toMatchObject({ changed: 2, rows: 2, refused: [] });
    expect(read.names).toHaveLength(2);
    expect(await load()).toMatchObject({ names: read.names, changed: 0 });
    await folder(B, second, { 'b-20250930.xml': instance(B, '3000') });
    expect(await load()).toMatchObject({ names: read.names, changed: 1, rows: 1 });
    expect(await assets()).toEqual([
      { cik: A, accession: first, value: 1000 },
      { cik: B, accession: second, value: 3000 },
    ]);
    const files = await readRows(
      warehouse.connection,
      "SELECT file, part, length(sha256)::INTEGER AS n FROM filing_documents WHERE status = 'at_hand' ORDER BY 1",
    );
    expect(files).toEqual([
      { file: 'filings/1/000000000925000001/a-20250930_htm.xml', part: 'instance', n: 64 },
      { file: 'filings/2/000000000925000002/b-20250930.xml', part: 'instance', n: 64 },
    ]);
  });

  it('joins an extracted instance to a folder without one by (cik, accession), and lets the folder win (M1.45)', async () => {
    // both registrants use the same placeholder
    const placeholder = '0000000000-25-018440';
    await folder(A, placeholder, { 'a.xsd': '<not a schema' });
    await folder(B, placeholder, { 'b_htm.xml': instance(B, '2000') });
    const path = await index([
      { cik: A, accession: placeholder, file: '1/a_htm.xml.gz' },
      { cik: B, accession: placeholder, file: '2/b2_htm.xml' },
    ]);
    await mkdir(join(edgar, 'instances/1'));
    await mkdir(join(edgar, 'instances/2'));
    await writeFile(join(edgar, 'instances/1/a_htm.xml.gz'), gzipSync(instance(A, '1000')));
    await writeFile(join(edgar, 'instances/2/b2_htm.xml'), instance(B, '9999'));
    expect(await load({ instances: [path] })).toMatchObject({ changed: 2, rows: 2, refused: [] });
    expect(await assets()).toEqual([
      { cik: A, accession: placeholder, value: 1000 },
      { cik: B, accession: placeholder, value: 2000 },
    ]);
  });

  it('names index rows that lead nowhere, elsewhere or out of the directory', async () => {
    await mkdir(join(edgar, 'instances/1'), { recursive: true });
    await writeFile(join(edgar, 'instances/1/b_htm.xml'), instance(B, '2000'));
    const path = await index([
      { cik: A, accession: first, file: '../../etc/passwd' },
      { cik: A, accession: second, file: '1/absent_htm.xml' },
      { cik: B, accession: first, file: '1/b_htm.xml' },
      { cik: B, accession: second, file: '2/../1/b_htm.xml' },
    ]);
    const { names, refused } = await load({ instances: [path] });
    expect(names).toEqual([]);
    expect(refused).toEqual([
      { name: 'edgar/instances/../../etc/passwd', reason: 'is not a path <cik>/<file>' },
      { name: 'edgar/instances/1/absent_htm.xml', reason: 'is listed in the index but is not there' },
      { name: 'edgar/instances/1/b_htm.xml', reason: 'lies in the directory of another CIK' },
      { name: 'edgar/instances/2/../1/b_htm.xml', reason: 'is not a path <cik>/<file>' },
    ]);
  });

  it('records what is wrong with a filing beside it and reads the others', async () => {
    await folder(A, first, { 'a_htm.xml': instance(B, '1000') });
    await folder(A, second, {
      'a-xbrl.zip': 'PK, but cut',
      '0000000009-25-000002-xbrl.zip': 'PK, but cut',
      'a_htm.xml': instance(A, '1000').slice(0, -40),
    });
    await folder(B, first, { 'b_htm.xml': `<!DOCTYPE x [<!ENTITY e "1">]>${instance(B, '1')}` });
    await folder(B, second, { 'b_htm.xml': instance(B, '2000') });
    const { refused, ...loaded } = await load();
    expect(loaded).toMatchObject({ changed: 4, rows: 1 });
    const cut = 'unusable archive: The archive cannot be read: the end of the central directory is missing';
    expect(refused.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
      'edgar/filings/1/000000000925000001/a_htm.xml: unusable instance: a_htm.xml is an instance of CIK 0000000002, not of CIK 0000000001',
      ...[1, 2].map(() => expect.stringContaining(`edgar/filings/0000000001/0000000009-25-000002: ${cut}`)),
      'edgar/filings/1/000000000925000002/a_htm.xml: unusable instance: a_htm.xml is not used: it is not well-formed (7:50: unclosed tag: xbrl)',
      'edgar/filings/2/000000000925000001/b_htm.xml: unusable instance: b_htm.xml is not used: it has a document type declaration',
    ]);
    expect(await assets()).toEqual([{ cik: B, accession: second, value: 2000 }]);
    const found = await defects();
    expect(found.filter((text) => text.startsWith('archive: '))).toHaveLength(2);
    expect(found.filter((text) => text.startsWith('instance: ')).length).toBeGreaterThanOrEqual(3);
  });

  it('reads the same rows in worker threads as without them', async (ctx) => {
    if (!existsSync(shared)) ctx.skip('../shared/data is not beside the project');
    const rowsWith = async (workers: number) => {
      const one = await handMadeWarehouse();
      try {
        const index = join(shared, 'instances/index.csv');
        await loadInstanceIndex(one.connection, index);
        const loaded = await loadFilings({
          connection: one.connection,
          source: { filings: [join(shared, 'filings')], instances: [index] },
          ciks: ['0001318605', '0001784970', '0002078856', '0001050446', '0001889123'],
          effects: { clock: systemClock(), log: () => undefined },
          workers,
        });
        const counts = await readRows(
          one.connection,
          `SELECT cik, accession, fact_count, arc_count,
            (SELECT sum(hash(concept, context_id, value, decimals)::HUGEINT)::VARCHAR FROM instance_fact f
              WHERE f.cik = x.cik AND f.accession = x.accession) AS facts
          FROM xbrl_filing x ORDER BY ALL`,
        );
        return { loaded, counts };
      } finally {
        await one.remove();
      }
    };
    const [inline, threaded] = [await rowsWith(0), await rowsWith(2)];
    expect(threaded).toEqual(inline);
    const arcs = inline.counts.filter((row) => Number(row['arc_count']) > 0);
    // counted in the calculation linkbases themselves
    expect(arcs.map((row) => [row['cik'], row['arc_count']])).toEqual([
      ['0001318605', 121],
      ['0001784970', 54],
      ['0002078856', 11],
    ]);
  });
});
