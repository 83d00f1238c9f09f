import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { programRoot } from './programRoot.ts';

/** The version of package.json. */
export async function programVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(programRoot, 'package.json'), 'utf8'));
  return String(version);
}
