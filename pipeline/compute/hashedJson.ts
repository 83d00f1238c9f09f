import { readFile } from 'node:fs/promises';
import type { FileEffects } from '../effects.ts';
import { sha256Hex } from '../release/artifact.ts';

const hashLength = 64;

/** The JSON of a file that says its hash in the first line; null where it is absent, torn, changed or no JSON. */
export async function readHashedJson(path: string): Promise<unknown> {
  const file = await readFile(path, 'utf8').catch(() => '');
  const text = file.slice(hashLength + 1);
  if (file.slice(0, hashLength) !== sha256Hex(text)) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Writes JSON below its hash; not synced, since a file torn by a crash has another hash than it says. */
export function writeHashedJson(
  path: string,
  { value, files }: { value: unknown; files: FileEffects },
): Promise<void> {
  const text = JSON.stringify(value);
  return files.write(path, `${sha256Hex(text)}\n${text}`);
}
