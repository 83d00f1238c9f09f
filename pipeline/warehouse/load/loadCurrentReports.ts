import { createHash } from 'node:crypto';
import { reportWords } from '../../../calculators/currentReports/reportWords.ts';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { programRoot } from '../../programRoot.ts';
import { reportFolders, reportsPath } from '../../source/reportFolders.ts';
import { insertRows } from '../build/insertRows.ts';
import { listReports, readReport, storedFiles } from '../reports/readReport.ts';
import { readReportWords } from '../reports/readReportWords.ts';
import { reportRows } from '../reports/reportRows.ts';
import { knownInputs, type Loaded, loadInput, type Refused, reading } from './inputFile.ts';
import type { InputReport, LoadRequest } from './inputLoader.ts';

export const reportTables = ['coin_statement', 'refused_statement', 'report_document'] as const;

/**
 * Loads what current reports of the universe state (section 17), those whose files, words or entry in the list differ from
 * the last run only. A report that cannot be trusted is refused with its reason and keeps the rows it had.
 *
 * Expects the list of submissions to be loaded.
 */
export async function loadCurrentReports({
  connection,
  paths: [root],
  issuers,
  known: given,
}: Pick<LoadRequest, 'connection' | 'paths' | 'issuers' | 'known'>): Promise<InputReport> {
  if (root === undefined) return { names: [], rows: 0, changed: 0, refused: [] };
  const { folders, refused, provenance } = await reading(root, () => reportFolders(root));
  const rows = await readReportWords(programRoot);
  const words = reportWords(rows);
  const names = new Map(issuers.map((issuer) => [issuer.cik, [issuer.entityName, ...issuer.aliases]]));
  const listed = await listReports(connection);
  const known = given ?? (await knownInputs(connection));
  const loaded: Loaded[] = [];
  const unread: Refused[] = [];
  for (const folder of folders.filter(({ cik }) => names.has(cik))) {
    const { cik, accession } = folder;
    const name = `${reportsPath}${cik}/${accession}`;
    try {
      const files = await storedFiles(folder, provenance);
      const entry = listed.get(`${cik}/${accession}`) ?? null;
      const report = { ...folder, files, listed: entry, names: names.get(cik) ?? [] };
      const of = files.map((file) => [file.name, file.sha256, file.provenance]);
      const fingerprint = createHash('sha256')
        .update(JSON.stringify([of, entry, report.names, rows]))
        .digest('hex');
      const read = async () => {
        const found = await readReport(report, words);
        const made = found === null ? null : reportRows({ input: name, cik, accession }, found);
        return { refused: [], insert: () => insertReport(connection, made) };
      };
      loaded.push(await loadInput(connection, { name, fingerprint, tables: reportTables, read }, known));
    } catch (error) {
      unread.push(unreadable({ name, kept: known.has(name) }, error));
    }
  }
  return {
    names: [...loaded.map(({ name }) => name), ...unread.map(({ name }) => name)],
    rows: loaded.reduce((sum, one) => sum + one.rows, 0),
    changed: loaded.filter(({ unchanged }) => !unchanged).length,
    refused: [...refused, ...unread, ...loaded.flatMap((one) => one.refused)],
  };
}

/** One file that the system does not give, or that is too large, stops no other report. */
function unreadable({ name, kept }: { name: string; kept: boolean }, error: unknown): Refused {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const isOfFile = error instanceof IssuerError ? error.code === 'validation_failed' : /^E[A-Z]+$/.test(code);
  if (!isOfFile) throw error;
  return { name, reason: (error as Error).message, kept };
}

type Made = ReturnType<typeof reportRows>;

async function insertReport(connection: LoadRequest['connection'], made: Made | null): Promise<number> {
  if (made === null) return 0;
  await insertRows(connection, { table: 'refused_statement', rows: made.refused });
  await insertRows(connection, { table: 'report_document', rows: made.documents });
  return insertRows(connection, { table: 'coin_statement', rows: made.statements });
}
