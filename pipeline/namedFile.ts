import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { IssuerError } from '../data/contract/errors/issuerError.ts';

/** Folders of a run-time root whose files the program and the server keep. */
const kept = new Set(['artifacts', 'keys', 'ledger', 'metrics', 'raw', 'visual', 'warehouse']);

/**
 * Where a file that a person named is to be written: through links, over a plain file or under a new name. A rename would
 * put a file in the place of a device, and lose what the program itself keeps.
 *
 * @param root the `--data` directory
 * @throws IssuerError `usage` for a name that is something else, or lies among the program's own files
 */
export async function namedFile(named: string, root: string): Promise<string> {
  if (named.trim() === '') throw refuse('No file is named.', 'Name one, or leave the option out.');
  const path = resolve(named);
  const there = await statOf(path);
  if (there !== null && !there.isFile())
    throw refuse(`${path} is no plain file.`, 'Name a file; what is printed can be piped on without a name.');
  return ownPlace(path, { root, isThere: there !== null });
}

/** The same of a directory. */
export async function namedDirectory(named: string, root: string): Promise<string> {
  const path = resolve(named);
  const there = await statOf(path);
  if (there !== null && !there.isDirectory())
    throw refuse(`${path} is no directory.`, 'Name a directory that is empty or not there yet.');
  return ownPlace(path, { root, isThere: there !== null });
}

/** What a link leads to; a broken link is there and nothing else. */
function statOf(path: string) {
  return stat(path).catch(() => lstat(path).catch(() => null));
}

async function ownPlace(
  path: string,
  { root, isThere }: { root: string; isThere: boolean },
): Promise<string> {
  const real = isThere ? await realpath(path) : join(await realOf(dirname(path)), basename(path));
  const [folder = ''] = relative(await realOf(root), real).split(sep);
  if (!kept.has(folder)) return real;
  throw refuse(
    `${path} lies among the files that the program keeps in ${folder}.`,
    `Name a place outside of ${resolve(root)}.`,
  );
}

/** A folder through its links; one that is not there fails where it is written to. */
function realOf(directory: string): Promise<string> {
  return realpath(directory).catch(() => resolve(directory));
}

function refuse(message: string, hint: string): IssuerError {
  return new IssuerError({ code: 'usage', message, hint });
}
