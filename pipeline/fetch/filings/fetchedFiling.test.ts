import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { filesOfPackage, xbrlPackage } from '../../../fixtures/builders/xbrlFiling.ts';
import { readXbrlPackages, readXbrlTables } from '../../../fixtures/builders/xbrlTables.ts';
import { served } from '../../../fixtures/replicas/edgarFiles.ts';
import { type EdgarHarness, edgarHarness } from '../../../fixtures/replicas/edgarHarness.ts';
import type { ServedFile } from '../../../fixtures/replicas/edgarReplica.ts';
import { filingFolder, filingIndexJson } from '../../../fixtures/replicas/filingFiles.ts';
import { filesOfFolder } from '../../xbrl/filingFolder.ts';
import { loadFiling } from '../../xbrl/loadFiling.ts';

let t: EdgarHarness;
beforeEach(async () => {
  t = await edgarHarness();
});
afterEach(() => t.close());

it('loads as the filing it was made from: nothing needed is left behind', async () => {
  const packages = (await readXbrlPackages()).filter((row) => !row.accession.startsWith('0000000000-'));
  expect(packages.length).toBeGreaterThanOrEqual(3);
  const files: Record<string, ServedFile> = {};
  const expected = new Map<string, { facts: number; arcs: number }>();
  for (const row of packages) {
    const tables = await readXbrlTables(row);
    const documents = xbrlPackage(tables);
    const loaded = await loadFiling({
      cik: row.cik,
      accession: row.accession,
      files: filesOfPackage(documents),
    });
    expected.set(`${row.cik} ${row.accession}`, { facts: loaded.facts.length, arcs: loaded.arcs.length });
    for (const [name, text] of documents)
      files[`${filingFolder(row)}/${name}`] = served(Buffer.from(text), 1);
    const items = [...documents.keys(), 'R1.htm', 'FilingSummary.xml', 'MetaLinks.json'];
    files[`${filingFolder(row)}/index.json`] = served(filingIndexJson({ ...row, items }), 1);
  }
  const replica = await t.start(files);
  const report = await t.runFilings(replica, packages);
  for (const filing of report.filings) {
    expect(filing).toMatchObject({ status: 'fetched', gaps: [] });
    const path = join(t.root, 'source', filing.path ?? '');
    const { facts, arcs } = await loadFiling({ ...filing, files: filesOfFolder(path) });
    expect({ facts: facts.length, arcs: arcs.length }).toEqual(
      expected.get(`${filing.cik} ${filing.accession}`),
    );
    expect(facts.length).toBeGreaterThan(0);
  }
  expect(report.filings).toHaveLength(packages.length);
});
