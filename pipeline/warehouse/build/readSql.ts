import { readFile } from 'node:fs/promises';

/** Reads a script of `data/sql`. */
export function readSql(name: string): Promise<string> {
  return readFile(new URL(`../../../data/sql/${name}`, import.meta.url), 'utf8');
}
