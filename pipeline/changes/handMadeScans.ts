import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeZip, type ZipEntry } from '../../fixtures/builders/zipWriter.ts';
import { ingestCompanyFacts } from '../ingest/ingestCompanyFacts.ts';
import type { HandMadeWarehouse } from '../warehouse/handMadeWarehouse.ts';
import { readRows } from '../warehouse/readRows.ts';
import { recordScan, rememberArchive } from './recordScan.ts';

/** A fact of a test archive; us-gaap, USD, of a 10-Q unless said otherwise. */
export type ArchiveFact = {
  readonly concept: string;
  readonly val: string | number;
  readonly end?: string;
  readonly start?: string;
  readonly accn?: string;
  readonly filed?: string;
  readonly form?: string;
  readonly unit?: string;
  readonly taxonomy?: string;
  readonly frame?: string;
  readonly fy?: number;
  readonly fp?: string;
  readonly label?: string;
};

/** One company file of a test archive. */
export function companyFile(cik: number, facts: readonly ArchiveFact[], name = `ISSUER ${cik}`): ZipEntry {
  const taxonomies = [...Map.groupBy(facts, (f) => f.taxonomy ?? 'us-gaap')].map(([taxonomy, inTaxonomy]) => {
    const concepts = [...Map.groupBy(inTaxonomy, (f) => f.concept)].map(([concept, ofConcept]) => {
      const units = [...Map.groupBy(ofConcept, (f) => f.unit ?? 'USD')].map(
        ([unit, rows]) => `"${unit}":[${rows.map(rowText).join(',')}]`,
      );
      const label = JSON.stringify(ofConcept[0]?.label ?? null);
      return `"${concept}":{"label":${label},"description":null,"units":{${units.join(',')}}}`;
    });
    return `"${taxonomy}":{${concepts.join(',')}}`;
  });
  const text = `{"cik":${cik},"entityName":${JSON.stringify(name)},"facts":{${taxonomies.join(',')}}}`;
  return { name: `CIK${String(cik).padStart(10, '0')}.json`, data: Buffer.from(text) };
}

function rowText(f: ArchiveFact): string {
  const start = f.start === undefined ? '' : `"start":"${f.start}",`;
  const frame = f.frame === undefined ? '' : `,"frame":"${f.frame}"`;
  return (
    `{${start}"end":"${f.end ?? '2025-09-30'}","val":${f.val},"accn":"${f.accn ?? '0000000001-25-000001'}",` +
    `"fy":${f.fy ?? 2025},"fp":"${f.fp ?? 'Q3'}","form":"${f.form ?? '10-Q'}","filed":"${f.filed ?? '2025-11-03'}"${frame}}`
  );
}

/** Reads an archive into a hand-made warehouse as the night `sourceDate` and records its scan. */
export async function scanArchive(
  warehouse: HandMadeWarehouse,
  o: { entries: readonly ZipEntry[]; sourceDate: string; published?: readonly string[] },
): Promise<void> {
  const { connection } = warehouse;
  const archivePath = join(warehouse.root, 'companyfacts.zip');
  await writeFile(archivePath, writeZip([...o.entries]));
  await rememberArchive(connection);
  const effects = { clock: { now: () => new Date(0), sleep: () => Promise.resolve() }, log: () => undefined };
  const report = await ingestCompanyFacts({ archivePath, connection, effects });
  await recordScan(connection, {
    sourceDate: o.sourceDate,
    published: o.published ?? ['2025-01-01'],
    report,
  });
}

/** The recorded changes of every night, a line a row: night, CIK, kind, concept, before and after. */
export async function recordedChanges(warehouse: HandMadeWarehouse): Promise<string[]> {
  const rows = await readRows(
    warehouse.connection,
    `SELECT concat_ws(' ', coalesce(scan_date::VARCHAR, 'pending'), cik::INTEGER, kind, concept,
      coalesce(value_before_exact, value_before::VARCHAR, '-'), coalesce(value_after_exact, value_after::VARCHAR, '-'),
      if(restated, 'restated', NULL)) AS line
    FROM scan_change ORDER BY scan_date NULLS LAST, cik, concept, "end", accession, value_after`,
  );
  return rows.map((row) => String(row['line']));
}

/** The recorded scans, a line a night: date, status, baseline, changed, new and removed files. */
export async function recordedScans(warehouse: HandMadeWarehouse): Promise<string[]> {
  const rows = await readRows(
    warehouse.connection,
    `SELECT concat_ws(' ', scan_date, status, coalesce(baseline_date::VARCHAR, '-'), changed_files, new_files,
      removed_files) AS line FROM archive_scan ORDER BY scan_date`,
  );
  return rows.map((row) => String(row['line']));
}
