import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The directory of the program: package.json, `data/registry` and `data/sql` lie in it. */
export const programRoot: string = fileURLToPath(new URL('../', import.meta.url));

/** The version of package.json. */
export async function programVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(programRoot, 'package.json'), 'utf8'));
  return String(version);
}
