import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { compareText } from '../../data/contract/values/compareText.ts';
import type { FilingFolder } from './filingFolders.ts';

/** Where the files of one filing lie: its folder, or an instance extracted from it, or both. */
export type FilingSource = {
  readonly cik: string;
  readonly accession: string;
  readonly folder: string | null;
  /** A file of `edgar/instances`; null when the index lists none or it is not there. */
  readonly extracted: string | null;
};

/** A row of the instance index; `file` is its path below `edgar/instances`. */
export type IndexedInstance = { readonly cik: string; readonly accession: string; readonly file: string };

export type FilingPart =
  | 'instance'
  | 'schema'
  | 'calculation'
  | 'label'
  | 'presentation'
  | 'archive'
  | 'other';

/** One file of a filing; `name` is its path below the source's `edgar` directory. */
export type FilingFile = {
  readonly name: string;
  readonly path: string;
  readonly part: FilingPart;
  readonly bytes: number;
  readonly sha256: string;
};

/** A filing with the files that can hold XBRL, as they are now. */
export type ListedFiling = FilingSource & { readonly files: readonly FilingFile[] };

const xbrlFile = /\.(xsd|xml|zip)(\.gz)?$/i;
const rendered = /^(FilingSummary|R\d+|defnref)\.xml$/i;
const linkbases: Readonly<Record<string, FilingPart>> = {
  cal: 'calculation',
  lab: 'label',
  pre: 'presentation',
  def: 'other',
  ref: 'other',
};

/**
 * Joins folders and extracted instances by (cik, accession) (M1.44, M1.45), in that order. An index row that
 * leads out of its directory or to no file is excluded and named.
 */
export async function filingSources({
  folders,
  instancesRoot,
  instances,
}: {
  readonly folders: readonly FilingFolder[];
  readonly instancesRoot: string | null;
  readonly instances: readonly IndexedInstance[];
}): Promise<{ filings: FilingSource[]; refused: { name: string; reason: string }[] }> {
  const filings = new Map<string, FilingSource>();
  const refused: { name: string; reason: string }[] = [];
  for (const { cik, accession, path } of folders) {
    filings.set(`${cik}/${accession}`, { cik, accession, folder: path, extracted: null });
  }
  for (const { cik, accession, file } of instances) {
    const refuse = (reason: string) => refused.push({ name: `edgar/instances/${file}`, reason });
    const key = `${cik}/${accession}`;
    const known = filings.get(key);
    const path = join(instancesRoot ?? '', file);
    if (!/^\d{1,10}\/[\w-][\w.-]*$/.test(file)) refuse('is not a path <cik>/<file>');
    else if (Number(file.split('/')[0]) !== Number(cik)) refuse('lies in the directory of another CIK');
    else if (known !== undefined && known.extracted !== null)
      refuse('is a second instance of the same filing');
    else if (!(await isFile(path))) refuse('is listed in the index but is not there');
    else filings.set(key, { cik, accession, folder: known?.folder ?? null, extracted: path });
  }
  const byKey = [...filings].sort(([a], [b]) => compareText(a, b));
  return { filings: byKey.map(([, filing]) => filing), refused };
}

/**
 * Lists and hashes the files of a filing that can hold XBRL; what EDGAR renders from it (`R2.htm`,
 * `FilingSummary.xml`) and the filed text are excluded, since nothing is read from them.
 */
export async function filingFiles({
  cik,
  accession,
  folder,
  extracted,
}: FilingSource): Promise<FilingFile[]> {
  const base = `filings/${Number(cik)}/${accession.replaceAll('-', '')}`;
  const names = folder === null ? [] : await xbrlFiles(folder);
  const files: FilingFile[] = [];
  for (const name of names) {
    files.push(await hashed({ name: `${base}/${name}`, path: join(folder ?? '', name) }));
  }
  if (extracted !== null) {
    const name = `instances/${extracted.split(/[/\\]/).slice(-2).join('/')}`;
    files.push(await hashed({ name, path: extracted }));
  }
  return files;
}

/** The name under which a filing is an input of the warehouse. */
export function filingInput({ cik, accession }: { cik: string; accession: string }): string {
  return `edgar/filings/${cik}/${accession}`;
}

/** One hash over the names and contents of a filing's files. */
export function fingerprintOfFiling(files: readonly FilingFile[]): string {
  const hash = createHash('sha256');
  for (const { name, sha256 } of files) hash.update(`${sha256} ${name}\n`);
  return hash.digest('hex');
}

/** True for the names of files that can hold XBRL; everything else of a filing is never read. */
export function holdsXbrl(name: string): boolean {
  return xbrlFile.test(name) && !rendered.test(name);
}

/** What a file of a filing is, by its name alone. */
export function filingPart(name: string): FilingPart {
  if (/\.zip$/i.test(name)) return 'archive';
  if (!holdsXbrl(name)) return 'other';
  if (/\.xsd(\.gz)?$/i.test(name)) return 'schema';
  const suffix = /_(cal|lab|pre|def|ref)\.xml(\.gz)?$/i.exec(name)?.[1]?.toLowerCase();
  return suffix === undefined ? 'instance' : (linkbases[suffix] ?? 'other');
}

async function xbrlFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && holdsXbrl(entry.name))
    .map((entry) => entry.name)
    .sort();
}

async function hashed({ name, path }: { name: string; path: string }): Promise<FilingFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 })) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { name, path, part: filingPart(name), bytes, sha256: hash.digest('hex') };
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (s) => s.isFile(),
    () => false,
  );
}
