import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeZip, type ZipEntry } from '../../../fixtures/builders/zipWriter.ts';
import { type HandMadeWarehouse, handMadeWarehouse } from '../../../fixtures/rigs/handMadeWarehouse.ts';
import { readRows } from '../build/readRows.ts';
import { loadSubmissions } from './loadSubmissions.ts';

const A = '0000000001';
const B = '0000000002';

let warehouse: HandMadeWarehouse;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
});
afterEach(() => warehouse.remove());

function columns(n: number) {
  return {
    accessionNumber: [`0000000009-25-${String(n).padStart(6, '0')}`],
    filingDate: ['2025-05-05'],
    reportDate: ['2025-03-31'],
    acceptanceDateTime: ['2025-05-05T20:00:00.000Z'],
    form: ['10-Q'],
    items: [''],
    isXBRL: [1],
    primaryDocument: ['q.htm'],
  };
}
const text = (name: string, json: unknown, more: Partial<ZipEntry> = {}): ZipEntry => ({
  name,
  data: Buffer.from(typeof json === 'string' ? json : JSON.stringify(json)),
  ...more,
});
const main = (cik: string, n: number, more: Partial<ZipEntry> = {}) =>
  text(`CIK${cik}.json`, { cik, name: `Issuer ${n}`, filings: { recent: columns(n) } }, more);

async function load(entries: ZipEntry[], ciks = [A, B]) {
  const path = join(warehouse.root, 'submissions.zip');
  await writeFile(path, writeZip(entries));
  const { connection } = warehouse;
  return loadSubmissions({ connection, paths: [path], ciks, newcomers: [] });
}
const held = () =>
  readRows(warehouse.connection, 'SELECT cik, accession FROM submission_filing ORDER BY 1, 2');

describe('loadSubmissions', () => {
  it('reads the files and pages of the registrants asked for, and only those that changed', async () => {
    const page = text(`CIK${A}-submissions-001.json`, columns(9));
    const first = await load([main(A, 1), page, main(B, 2), main('0000000003', 3)]);
    expect(first).toMatchObject({ rows: 3, changed: 3, refused: [] });
    expect(await held()).toEqual([
      { cik: A, accession: '0000000009-25-000001' },
      { cik: A, accession: '0000000009-25-000009' },
      { cik: B, accession: '0000000009-25-000002' },
    ]);
    expect(await load([main(A, 1), page, main(B, 4)])).toMatchObject({ rows: 3, changed: 1 });
    expect((await held()).at(-1)).toEqual({ cik: B, accession: '0000000009-25-000004' });
    // a second reading renews the filings of the changed registrant only
    expect(await readRows(warehouse.connection, 'SELECT DISTINCT cik FROM renewed ORDER BY cik')).toEqual([
      { cik: A },
      { cik: B },
    ]);
  });

  it('keeps file numbers and document names where the archive has them', async () => {
    const known = { ...columns(1), fileNumber: ['333-284510'], primaryDocDescription: ['424B5'] };
    const empty = { ...columns(2), fileNumber: [''], primaryDocDescription: [''] };
    await load([
      text(`CIK${A}-submissions-001.json`, known),
      text(`CIK${A}-submissions-002.json`, empty),
      text(`CIK${A}-submissions-003.json`, columns(3)),
    ]);
    const sql = 'SELECT file_number, document_description FROM submission_filing ORDER BY accession';
    expect(await readRows(warehouse.connection, sql)).toEqual([
      { file_number: '333-284510', document_description: '424B5' },
      { file_number: null, document_description: null },
      { file_number: null, document_description: null },
    ]);
    const short = text(`CIK${A}-submissions-004.json`, { ...columns(4), fileNumber: [] });
    expect((await load([short])).refused[0]?.reason).toMatch(/column fileNumber has another length/);
  });

  it.each([
    ['a wrong CRC', main(A, 5, { claim: { crc32: 1 } }), /CRC-32/],
    [
      'damaged data',
      main(A, 5, { rawData: Buffer.from([0xff, 0xff, 0xff]) }),
      /damaged|local header|ends early/,
    ],
    ['cut JSON', text(`CIK${A}.json`, '{"cik":"0000000001","name"'), /not JSON/],
    ['another registrant', text(`CIK${A}.json`, { cik: B, filings: { recent: columns(5) } }), /cik inside/],
    ['bytes that are not UTF-8', { name: `CIK${A}.json`, data: Buffer.from([0xff]) }, /not UTF-8/],
    ['an odd name', text(`CIK${A}.json.bak`, {}), /its name is not/],
  ])('refuses a file with %s, keeps its earlier rows and reads the others', async (_, entry, reason) => {
    await load([main(A, 1), main(B, 2)]);
    const entries = entry.name === `CIK${A}.json` ? [entry, main(B, 3)] : [main(A, 1), entry, main(B, 3)];
    const loaded = await load(entries);
    expect(loaded.refused).toHaveLength(1);
    expect(loaded.refused[0]?.name).toBe(`edgar/submissions.zip!${entry.name}`);
    expect(loaded.refused[0]?.reason).toMatch(reason);
    expect(await held()).toEqual([
      { cik: A, accession: '0000000009-25-000001' },
      { cik: B, accession: '0000000009-25-000003' },
    ]);
  });

  it('names a file that the archive itself spoils among those at hand, so that its earlier rows are not forgotten', async () => {
    await load([main(A, 1), main(B, 2)]);
    const loaded = await load([main(A, 5, { claim: { method: 99 } }), main(B, 3)]);
    const name = `edgar/submissions.zip!CIK${A}.json`;
    expect(loaded.refused).toEqual([{ name, reason: expect.stringMatching(/method/), kept: true }]);
    expect(loaded.names).toContain(name);
    expect(await held()).toContainEqual({ cik: A, accession: '0000000009-25-000001' });
  });

  it('throws bad_archive for a truncated archive', async () => {
    const path = join(warehouse.root, 'cut.zip');
    await writeFile(path, writeZip([main(A, 1)]).subarray(0, 60));
    const { connection } = warehouse;
    const loading = loadSubmissions({ connection, paths: [path], ciks: [A], newcomers: [] });
    await expect(loading).rejects.toMatchObject({ code: 'bad_archive' });
  });
});
