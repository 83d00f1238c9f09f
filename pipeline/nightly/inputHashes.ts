import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { canonicalJson } from '../../contract/canonicalJson.ts';
import { sha256Hex } from '../release/artifact.ts';
import type { SourceInputs } from '../source/directorySource.ts';
import { holdsXbrl } from '../source/filingsAtHand.ts';

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
  const trees = [inputs.filingsRoot, inputs.instancesIndex === null ? null : dirname(inputs.instancesIndex)];
  for (const tree of trees) {
    if (tree !== null) hashes[`${nameIn(inputs.root, tree)}/`] = await hashFilings(tree);
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

/**
 * SHA-256 over the folders of a tree of filings and the files in them that are read. A file that cannot be read counts as
 * such: one bad filing is a finding of ingest, not the end of the night.
 */
async function hashFilings(root: string): Promise<string> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const hashes: Record<string, string> = {};
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const name = nameIn(root, path);
    if (entry.isDirectory()) hashes[`${name}/`] = '';
    else if (entry.isFile() && (holdsXbrl(entry.name) || isFiledText(entry.name))) {
      hashes[name] = await hashFile(path).catch((error: Error) => `unreadable: ${error.message}`);
    }
  }
  return digestOf(hashes);
}

/** The complete submission text, whose header is read. */
function isFiledText(name: string): boolean {
  return /^\d{10}-\d{2}-\d{6}\.txt(\.gz)?$/.test(name);
}

function nameIn(root: string, path: string): string {
  return relative(root, path).split(sep).join('/');
}
