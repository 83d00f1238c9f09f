import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';

// the formatter writes every import on lines of its own; a worker is started by the address of its module
const importedModule = /^(?:import|export) (?!type )[^;]*?from '(\.[^']+\.ts)'|new URL\('(\.[^']+\.ts)'/gm;

/**
 * The modules that `entries` load at run time, themselves included: paths below `root`, ascending. Types, packages and
 * builtins are excluded.
 */
export async function importClosure({
  root,
  entries,
}: {
  readonly root: string;
  readonly entries: readonly string[];
}): Promise<string[]> {
  const seen = new Set<string>(entries);
  // a set goes on over what is added while it is walked
  for (const module of seen) {
    const text = await readFile(join(root, module), 'utf8');
    for (const [, imported, worker] of text.matchAll(importedModule)) {
      seen.add(posix.join(posix.dirname(module), imported ?? worker ?? ''));
    }
  }
  return [...seen].sort();
}
