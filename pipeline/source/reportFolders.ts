import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { isCivilDate } from '../../data/contract/values/primitives.ts';
import { type FilingFolder, filingFolders } from './filingFolders.ts';

/** Where current reports lie in a source. */
export const reportsPath = 'edgar/current-reports/';

/** What `provenance.csv` says of one document that came without its submission text. */
export type DocumentProvenance = {
  readonly tier: string;
  readonly issuer: string;
  readonly form: string;
  readonly filed: string;
  /** As listed, which may be Eastern time marked `Z` (M17.28); null where the list has none. */
  readonly accepted: string | null;
  readonly items: readonly string[];
  /** Of the document as it was filed, unpacked. */
  readonly sha256: string;
};

export type ReportFolders = {
  readonly folders: readonly FilingFolder[];
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
  /** By path below `edgar/current-reports/`. */
  readonly provenance: ReadonlyMap<string, DocumentProvenance>;
};

const maxBytes = 16 * 1024 * 1024;
const columns = ['tier', 'issuer', 'form', 'filed', 'accepted', 'items', 'path', 'sha256'] as const;

/** Lists the folders `<cik>/<accession>` of current reports of a source, and where single documents came from. */
export async function reportFolders(root: string): Promise<ReportFolders> {
  const { folders, refused } = await filingFolders(root, reportsPath);
  const listed = await readProvenance(join(root, 'provenance.csv'));
  return { folders, refused: [...refused, ...listed.refused], provenance: listed.provenance };
}

async function readProvenance(path: string): Promise<Omit<ReportFolders, 'folders'>> {
  const refuse = (reason: string) => ({
    provenance: new Map(),
    refused: [{ name: `${reportsPath}provenance.csv`, reason }],
  });
  const size = await stat(path).then(
    (found) => found.size,
    () => null,
  );
  if (size === null) return { provenance: new Map(), refused: [] };
  if (size > maxBytes) return refuse(`has ${size} bytes, more than the ${maxBytes} that are read`);
  let rows: Record<string, string>[];
  try {
    rows = parse(await readFile(path, 'utf8'), { columns: true, bom: true, skip_empty_lines: true });
  } catch (error) {
    return refuse(`is not CSV: ${(error as Error).message}`);
  }
  const lacking = columns.find((name) => rows[0] !== undefined && rows[0][name] === undefined);
  if (lacking !== undefined) return refuse(`lacks the column ${lacking}`);
  const cell = (row: Record<string, string>, name: (typeof columns)[number]) => row[name] ?? '';
  const provenance = rows
    .filter((row) => cell(row, 'path').startsWith(reportsPath) && isCivilDate(cell(row, 'filed')))
    .map((row): [string, DocumentProvenance] => [
      cell(row, 'path').slice(reportsPath.length),
      {
        ...{ tier: cell(row, 'tier'), issuer: cell(row, 'issuer'), form: cell(row, 'form') },
        ...{ filed: cell(row, 'filed'), sha256: cell(row, 'sha256') },
        accepted: Number.isNaN(Date.parse(cell(row, 'accepted'))) ? null : cell(row, 'accepted'),
        items: cell(row, 'items').split(',').filter(Boolean),
      },
    ]);
  return { provenance: new Map(provenance), refused: [] };
}

/** Names of the files of a folder that can be filed text, ascending. */
export async function reportFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(?:html?|txt)(?:\.gz)?$/i.test(entry.name))
    .map(({ name }) => name)
    .sort();
}
