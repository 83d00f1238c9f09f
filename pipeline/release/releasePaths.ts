import { join } from 'node:path';

/** Where the files of the artifact store lie. */
export type ReleasePaths = {
  readonly root: string;
  readonly releases: string;
  readonly packs: string;
  readonly current: string;
  readonly slices: string;
  readonly lastRun: string;
};

/** @param root `<data>/artifacts` */
export function releasePaths(root: string): ReleasePaths {
  return {
    root,
    releases: join(root, 'releases'),
    packs: join(root, 'packs'),
    current: join(root, 'current'),
    slices: join(root, 'slices.json'),
    lastRun: join(root, 'last-run.json'),
  };
}

/** The file of a name of the store (`storeNames`). */
export function inStore({ root }: ReleasePaths, name: string): string {
  return join(root, ...name.split('/'));
}
