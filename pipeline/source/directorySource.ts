import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { dirname, extname, join, resolve } from 'node:path';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';

/** One input of a night: where it lies in a directory of the documented layout. */
type SourceInput = {
  readonly id: string;
  /** Path in a source, `*` for any name; null for what is read through other inputs. */
  readonly layout: string | null;
  /** `index`: a file whose directory holds the files it lists. */
  readonly kind: 'file' | 'files' | 'directory' | 'index' | 'contents';
};

/** Every input of a night, in the order of loading. The scan of a source and the hashes of its inputs follow from it. */
export const sourceInputs = [
  { id: 'companyfacts', layout: 'edgar/companyfacts.zip', kind: 'file' },
  { id: 'submissions', layout: 'edgar/submissions.zip', kind: 'file' },
  { id: 'tickers', layout: 'edgar/company_tickers_exchange.json', kind: 'file' },
  { id: 'filings', layout: 'edgar/filings/', kind: 'directory' },
  { id: 'instances', layout: 'edgar/instances/index.csv', kind: 'index' },
  // of the two above: folders of filings and extracted instances
  { id: 'xbrl', layout: null, kind: 'contents' },
  { id: 'current_reports', layout: 'edgar/current-reports/', kind: 'directory' },
  { id: 'prices', layout: 'prices/*.csv', kind: 'files' },
  { id: 'perps', layout: 'perps/*.csv', kind: 'files' },
  { id: 'stocks', layout: 'stocks/*.csv', kind: 'files' },
  { id: 'universe', layout: 'universe.csv', kind: 'file' },
] as const satisfies readonly SourceInput[];

export type InputId = (typeof sourceInputs)[number]['id'];

/** The documented paths of a source. */
export const sourceLayout: readonly string[] = sourceInputs.flatMap(({ layout }) => layout ?? []);

/** The inputs of one night. */
export type SourceInputs = {
  readonly root: string;
  /** Absolute paths of every input, sorted; empty where the source does not hold it. */
  readonly paths: Readonly<Record<InputId, readonly string[]>>;
  /** Names of the documented layout that are not there, for the run report. */
  readonly missing: readonly string[];
};

const layoutHint = `A source holds any of ${sourceLayout.join(', ')}.`;

/**
 * Lists which inputs of the documented source layout a directory holds and names the ones it lacks.
 *
 * @throws IssuerError `input_missing` when the directory is not there, holds nothing usable, or holds an
 * input that is of the wrong kind or cannot be read.
 */
export async function scanDirectorySource(root: string): Promise<SourceInputs> {
  if ((await kindOf(root)) !== 'directory') {
    throw new IssuerError({
      code: 'input_missing',
      message: `The source ${root} is not a directory.`,
      hint: 'Give --source the path of a directory, or one of the names fixtures and edgar.',
      details: { source: root },
    });
  }
  const missing: string[] = [];
  const one = async (name: string, kind: 'file' | 'directory') => {
    const path = resolve(root, name);
    const found = await kindOf(path);
    if (found === null) return [];
    if (found !== kind) throw unreadable(path, `is not a ${kind}`);
    await readable(path);
    return [path];
  };
  const every = async (layout: string) => {
    const [folder] = await one(dirname(layout), 'directory');
    const names = folder === undefined ? [] : await readdir(folder);
    const paths: string[] = [];
    for (const name of names.filter((name) => name.endsWith(extname(layout))).sort()) {
      paths.push(...(await one(join(dirname(layout), name), 'file')));
    }
    return paths;
  };
  const paths: Record<string, readonly string[]> = {};
  for (const { id, layout, kind } of sourceInputs) {
    if (layout === null) paths[id] = [];
    else if (kind === 'files') paths[id] = await every(layout);
    else paths[id] = await one(layout, kind === 'directory' ? 'directory' : 'file');
    if (layout !== null && paths[id]?.length === 0) missing.push(layout);
  }
  if (missing.length === sourceLayout.length) {
    throw new IssuerError({
      code: 'input_missing',
      message: `The source ${root} holds none of the inputs of a night.`,
      hint: layoutHint,
      details: { source: root, missing },
    });
  }
  return { root, paths: paths as SourceInputs['paths'], missing };
}

async function kindOf(path: string): Promise<'file' | 'directory' | 'other' | null> {
  try {
    const s = await stat(path);
    return s.isFile() ? 'file' : s.isDirectory() ? 'directory' : 'other';
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw unreadable(path, `cannot be read (${code})`, error);
  }
}

async function readable(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK);
  } catch (error) {
    throw unreadable(path, `cannot be read (${(error as NodeJS.ErrnoException).code})`, error);
  }
}

function unreadable(path: string, what: string, cause?: unknown): IssuerError {
  return new IssuerError({
    code: 'input_missing',
    message: `The input ${path} ${what}.`,
    hint: `Put a readable one there or take it away. ${layoutHint}`,
    details: { path },
    cause,
  });
}
