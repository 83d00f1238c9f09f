import { readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { hashFile } from '../../data/store/files/hashFile.ts';
import { sha256Hex } from '../release/artifact.ts';
import { type SourceInputs, sourceInputs } from './directorySource.ts';
import { holdsXbrl } from './filingSources.ts';

export type InputHashes = Readonly<Record<string, string>>;

/** SHA-256 of every input of a source by its name in the layout, names ascending. */
export async function hashInputs(inputs: SourceInputs): Promise<InputHashes> {
  const hashes = new Map<string, string>();
  for (const { id, kind } of sourceInputs) {
    for (const path of inputs.paths[id]) {
      const name = nameIn(inputs.root, path);
      if (id === 'current_reports') hashes.set(`${name}/`, await hashFilings(path, () => true));
      else if (kind === 'directory') hashes.set(`${name}/`, await hashFilings(path));
      else hashes.set(name, await hashFile(path));
      if (kind === 'index') hashes.set(`${dirname(name)}/`, await hashFilings(dirname(path)));
    }
  }
  return Object.fromEntries([...hashes].sort(([a], [b]) => compareText(a, b)));
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

/**
 * SHA-256 over the folders of a tree of filings and the files in them that are read. A file that cannot be read counts as
 * such: one bad filing is a finding of ingest, not the end of the night.
 */
async function hashFilings(root: string, isRead = holdsFiled): Promise<string> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const hashes: Record<string, string> = {};
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const name = nameIn(root, path);
    if (entry.isDirectory()) hashes[`${name}/`] = '';
    else if (entry.isFile() && isRead(entry.name)) {
      hashes[name] = await hashFile(path).catch((error: Error) => `unreadable: ${error.message}`);
    }
  }
  return digestOf(hashes);
}

/** What can hold XBRL, and the complete submission text, whose header is read. */
function holdsFiled(name: string): boolean {
  return holdsXbrl(name) || /^\d{10}-\d{2}-\d{6}\.txt(\.gz)?$/.test(name);
}

function nameIn(root: string, path: string): string {
  return relative(root, path).split(sep).join('/');
}
