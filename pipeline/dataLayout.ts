import { join, resolve } from 'node:path';
import type { FileEffects } from './effects.ts';

/** Where everything of one run-time root lies (`--data`). */
export type DataLayout = {
  readonly root: string;
  readonly raw: string;
  readonly warehouse: string;
  readonly database: string;
  readonly journal: string;
  /** Filings resolved before, by content; may be removed at any time. */
  readonly positions: string;
  /** Points of field maps and the rows they are made from; may be removed at any time. */
  readonly fieldMaps: string;
  /** Lines on their way into histories; empty outside a run. */
  readonly spool: string;
  readonly lock: string;
  readonly signingKey: string;
  readonly artifacts: ReleasePaths;
};

/** @param root the `--data` directory */
export function dataLayout(root: string): DataLayout {
  const absolute = resolve(root);
  const warehouse = join(absolute, 'warehouse');
  return {
    root: absolute,
    raw: join(absolute, 'raw'),
    warehouse,
    database: join(warehouse, 'current.duckdb'),
    journal: join(warehouse, 'journal'),
    positions: join(warehouse, 'positions'),
    fieldMaps: join(warehouse, 'field-maps'),
    spool: join(warehouse, 'history-spool'),
    lock: join(warehouse, 'nightly.lock'),
    signingKey: join(absolute, 'keys', 'release-ed25519.pem'),
    artifacts: releasePaths(join(absolute, 'artifacts')),
  };
}

/** Where the files of the artifact store lie. */
export type ReleasePaths = {
  readonly root: string;
  readonly releases: string;
  readonly packs: string;
  readonly current: string;
  readonly slices: string;
  readonly lastRun: string;
};

/** The store of this deployment, and what writes its files. */
export type OwnStore = { readonly paths: ReleasePaths; readonly files: FileEffects };

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
