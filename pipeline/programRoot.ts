import { fileURLToPath } from 'node:url';

/** The directory of the program: package.json, `data/registry` and `data/sql` lie in it. */
export const programRoot: string = fileURLToPath(new URL('../', import.meta.url));
