import { join } from 'node:path';

/** Where the files of the artifact store lie. */
export type ReleasePaths = {
  readonly root: string;
  readonly releases: string;
  readonly current: string;
  readonly slices: string;
  readonly lastRun: string;
};

/** @param root `<data>/artifacts` */
export function releasePaths(root: string): ReleasePaths {
  return {
    root,
    releases: join(root, 'releases'),
    current: join(root, 'current'),
    slices: join(root, 'slices.json'),
    lastRun: join(root, 'last-run.json'),
  };
}
