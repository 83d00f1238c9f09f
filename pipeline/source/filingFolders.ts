import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

export type FilingFolder = { readonly cik: string; readonly accession: string; readonly path: string };

export type FilingFolders = {
  readonly folders: readonly FilingFolder[];
  /** Folders named for neither a CIK nor an accession number, and second folders of a filing. */
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
};

/** Lists the folders `<cik>/<accession, with or without dashes>` of a source, in the order of their names. */
export async function filingFolders(root: string, inputPath = 'edgar/filings/'): Promise<FilingFolders> {
  const folders = new Map<string, FilingFolder>();
  const refused: { name: string; reason: string }[] = [];
  for (const cik of await directories(root)) {
    if (!/^\d{1,10}$/.test(cik)) {
      refused.push({ name: `${inputPath}${cik}`, reason: 'is not named for a CIK' });
      continue;
    }
    for (const name of await directories(join(root, cik))) {
      const digits = name.replaceAll('-', '');
      const accession = `${digits.slice(0, 10)}-${digits.slice(10, 12)}-${digits.slice(12)}`;
      const folder = { cik: cik.padStart(10, '0'), accession, path: join(root, cik, name) };
      const key = `${folder.cik}/${accession}`;
      if (!/^\d{18}$/.test(digits)) {
        refused.push({ name: `${inputPath}${cik}/${name}`, reason: 'is not named for an accession number' });
      } else if (folders.has(key)) {
        refused.push({ name: `${inputPath}${cik}/${name}`, reason: 'is a second folder of the same filing' });
      } else {
        folders.set(key, folder);
      }
    }
  }
  return { folders: [...folders.values()], refused };
}

async function directories(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}
