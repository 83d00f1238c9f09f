import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storeText } from '../store/storeText.ts';

/**
 * Gives a night the observations that snapshots took: whole lines of every table, so that one being written meanwhile is
 * read the next night. Returns how many tables are others than before.
 */
export async function giveObservations({
  directory,
  target,
}: {
  /** Where snapshots write, `<raw>/market`. */
  readonly directory: string;
  /** The directory a night reads. */
  readonly target: string;
}): Promise<number> {
  const from = join(directory, 'perps');
  if (!existsSync(from)) return 0;
  await mkdir(join(target, 'perps'), { recursive: true });
  let changed = 0;
  for (const name of (await readdir(from)).filter((one) => one.endsWith('.csv'))) {
    const text = await readFile(join(from, name), 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    const path = join(target, 'perps', name);
    if (whole === '' || (existsSync(path) && (await readFile(path, 'utf8')) === whole)) continue;
    await storeText(path, whole);
    changed += 1;
  }
  return changed;
}
