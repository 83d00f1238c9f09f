import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { canonicalJson } from '../../contract/canonicalJson.ts';
import { sha256Hex } from '../release/artifact.ts';
import type { SourceInputs } from '../source/directorySource.ts';

export type InputHashes = Readonly<Record<string, string>>;

/** SHA-256 of every input of a source by its name in the layout, names ascending. */
export async function hashInputs(inputs: SourceInputs): Promise<InputHashes> {
  const files = [
    inputs.companyfacts,
    inputs.submissions,
    inputs.tickers,
    inputs.instancesIndex,
    inputs.universe,
    ...inputs.prices,
    ...inputs.perps,
  ].filter((path) => path !== null);
  const hashes: Record<string, string> = {};
  for (const path of files.sort()) hashes[nameIn(inputs.root, path)] = await hashFile(path);
  if (inputs.filingsRoot !== null) {
    hashes[`${nameIn(inputs.root, inputs.filingsRoot)}/`] = await hashListing(inputs.filingsRoot);
  }
  return hashes;
}

/** One hash over named hashes and other strings. */
export function digestOf(parts: InputHashes): string {
  return sha256Hex(canonicalJson(parts));
}

/** SHA-256 over the relative names and contents of the files of a tree that `wanted` keeps. */
export async function hashTree(root: string, wanted: (name: string) => boolean): Promise<string> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => nameIn(root, join(entry.parentPath, entry.name)))
    .filter(wanted)
    .sort();
  const hashes: Record<string, string> = {};
  for (const name of names) hashes[name] = await hashFile(join(root, name));
  return digestOf(hashes);
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk);
  return hash.digest('hex');
}

/** Filing folders are read as a listing `<cik>/<accession>` (M1.44), so their names are the input. */
async function hashListing(root: string): Promise<string> {
  const names: string[] = [];
  for (const cik of (await readdir(root)).sort()) {
    const accessions = await readdir(join(root, cik)).catch(() => []);
    for (const accession of accessions.sort()) names.push(`${cik}/${accession}`);
  }
  return sha256Hex(canonicalJson(names));
}

function nameIn(root: string, path: string): string {
  return relative(root, path).split(sep).join('/');
}
