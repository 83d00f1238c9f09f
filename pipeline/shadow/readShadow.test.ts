import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { submissionText } from '../../fixtures/builders/submissionText.ts';
import { handMadeIssuer, handMadeWarehouse } from '../../fixtures/rigs/handMadeWarehouse.ts';
import { loadCurrentReports } from '../warehouse/load/loadCurrentReports.ts';
import { readShadow, shadowText } from './readShadow.ts';

const cik = '0001050446';
const [a, b] = ['0001193125-26-900001', '0001193125-26-900002'] as const;
let source: string;
beforeEach(async () => {
  source = await mkdtemp(join(tmpdir(), 'shadow-'));
});
afterEach(() => rm(source, { recursive: true, force: true }));

async function put(accession: string, text: string): Promise<void> {
  const folder = join(source, 'edgar/current-reports', cik, accession);
  await mkdir(folder, { recursive: true });
  const documents = [
    { type: '8-K', filename: 'main.htm', text },
    { type: 'EX-99.1', filename: 'slides.pdf', text: '<PDF>' },
  ];
  const filing = { cik, accession, form: '8-K', filed: '2026-02-02', names: ['Strategy Inc'], documents };
  await writeFile(join(folder, `${accession}.txt`), submissionText(filing));
}
const held = (units: string, day: string) => `<p>As of ${day}, the Company held ${units} bitcoin.</p>`;

describe('reading current reports in the shadow', () => {
  it('counts documents, statements, refusals and exhibits that are not read', async () => {
    await put(a, `${held('9', 'January 4, 2026')}<p>The Company may acquire 5 bitcoin in 2026.</p>`);
    await mkdir(join(source, 'edgar/current-reports', cik, 'wire-1'));
    const shadow = await readShadow({ source, database: join(source, 'none.duckdb') });
    expect(shadow).toMatchObject({
      reports: 1,
      documents: { read: 1, unreadable_exhibit: 1 },
      statements: { '8-K holdings High': 1 },
      refused: { forward: 1 },
      refused_reports: [{ reason: 'is not named for an accession number' }],
      issuers: [{ ticker: 'MSTR', unread: [`${a} EX-99.1 slides.pdf: unreadable_exhibit`] }],
      changes: null,
    });
    expect(shadowText(shadow)).toContain('     1 8-K holdings High');
  });

  it('names statements that appear, vanish and move against the last night, and writes nothing', async () => {
    const warehouse = await handMadeWarehouse();
    const issuers = [handMadeIssuer(cik, { entityName: 'Strategy Inc' })];
    await put(a, held('9', 'January 4, 2026') + held('12', 'January 11, 2026'));
    await put(b, held('15', 'January 18, 2026'));
    const paths = [join(source, 'edgar/current-reports')];
    await loadCurrentReports({ connection: warehouse.connection, paths, issuers });
    warehouse.close();
    const read = () => readShadow({ source, database: warehouse.path });
    expect((await read()).changes).toEqual({ appeared: [], vanished: [], moved: [] });
    await put(a, held('9', 'January 5, 2026') + held('13', 'January 11, 2026'));
    const shadow = await read();
    expect(shadow.changes).toEqual({
      appeared: [`${cik} ${a} holdings BTC 13 ..2026-01-11 High`],
      vanished: [`${cik} ${a} holdings BTC 12 ..2026-01-11 High`],
      moved: [`${cik} ${a} holdings BTC 9 ..2026-01-05 High`],
    });
    expect(shadowText(shadow)).toContain(`moves to  ${cik} ${a} holdings BTC 9 ..2026-01-05 High`);
    await warehouse.remove();
  });

  it('names what is missing where the source has no current reports', async () => {
    await expect(readShadow({ source, database: '' })).rejects.toMatchObject({ code: 'input_missing' });
  });
});
