import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// what stands between an input's bytes and its rows
const readers = ['ingest', 'xbrl', 'zip', 'warehouse'];

/**
 * SHA-256 over the sources that turn input files into rows. Rows of unchanged inputs are kept from night to night,
 * so a build made by other readers is not carried on: a mended parser reaches every file.
 */
export async function readerVersion(): Promise<string> {
  const hash = createHash('sha256');
  for (const room of readers) {
    const folder = fileURLToPath(new URL(`../${room}/`, import.meta.url));
    const names = (await readdir(folder)).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
    );
    for (const name of names.sort())
      hash.update(`${room}/${name}\n`).update(await readFile(join(folder, name)));
  }
  return hash.digest('hex');
}
