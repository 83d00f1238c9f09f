import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { IssuerError } from '../../contract/issuerError.ts';

/** The inputs of one night, as absolute paths; null or empty where the source does not hold them. */
export type SourceInputs = {
  readonly root: string;
  readonly companyfacts: string | null;
  readonly submissions: string | null;
  readonly tickers: string | null;
  readonly filingsRoot: string | null;
  readonly instancesIndex: string | null;
  /** `prices/<ASSET>.csv`, sorted by name. */
  readonly prices: readonly string[];
  /** `perps/*.csv`, sorted by name. */
  readonly perps: readonly string[];
  readonly universe: string | null;
  /** Names of the documented layout that are not there, for the run report. */
  readonly missing: readonly string[];
};

const LAYOUT =
  'A source holds any of edgar/companyfacts.zip, edgar/submissions.zip, edgar/company_tickers_exchange.json, ' +
  'edgar/filings/, edgar/instances/index.csv, prices/<ASSET>.csv, perps/*.csv and universe.csv.';

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
    const path = join(root, name);
    const found = await kindOf(path);
    if (found === null) {
      missing.push(kind === 'directory' ? `${name}/` : name);
      return null;
    }
    if (found !== kind) throw unreadable(path, `is not a ${kind}`);
    await readable(path);
    return path;
  };
  const csvFiles = async (name: string) => {
    const folder = (await kindOf(join(root, name))) === null ? null : await one(name, 'directory');
    const names = folder === null ? [] : (await readdir(folder)).filter((n) => n.endsWith('.csv')).sort();
    const paths: string[] = [];
    for (const file of names) {
      const path = await one(join(name, file), 'file');
      if (path !== null) paths.push(path);
    }
    if (paths.length === 0) missing.push(`${name}/*.csv`);
    return paths;
  };
  const inputs = {
    root,
    companyfacts: await one('edgar/companyfacts.zip', 'file'),
    submissions: await one('edgar/submissions.zip', 'file'),
    tickers: await one('edgar/company_tickers_exchange.json', 'file'),
    filingsRoot: await one('edgar/filings', 'directory'),
    instancesIndex: await one('edgar/instances/index.csv', 'file'),
    prices: await csvFiles('prices'),
    perps: await csvFiles('perps'),
    universe: await one('universe.csv', 'file'),
    missing,
  };
  const { root: _, missing: __, ...found } = inputs;
  if (Object.values(found).every((v) => v === null || v.length === 0)) {
    throw new IssuerError({
      code: 'input_missing',
      message: `The source ${root} holds none of the inputs of a night.`,
      hint: LAYOUT,
      details: { source: root, missing },
    });
  }
  return inputs;
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
    hint: `Put a readable one there or take it away. ${LAYOUT}`,
    details: { path },
    cause,
  });
}
