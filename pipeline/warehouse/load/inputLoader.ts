import type { DuckDBConnection } from '@duckdb/node-api';
import type { Issuer } from '../../../calculators/filing/rows.ts';
import type { CloseBounds } from '../../../calculators/prices/implausibleCloses.ts';
import type { Effects } from '../../effects.ts';
import type { KnownInputs, Loaded, Refused } from './inputFile.ts';

/** What the loader of an input is given. */
export type LoadRequest = {
  readonly connection: DuckDBConnection;
  /** Where the input lies, absolute; empty when the source does not hold it. */
  readonly paths: readonly string[];
  /** The same of every input, for one that is read through others. */
  readonly source: Readonly<Record<string, readonly string[]>>;
  /** Registrants of the universe. */
  readonly ciks: readonly string[];
  /** The universe, where an input is read by the names of its issuers. */
  readonly issuers: readonly Issuer[];
  /** Registrants whose first facts a recorded scan found: they may be on the way to an offering (M6.11). */
  readonly newcomers: readonly string[];
  /** What a close may be (M2.13b); null takes every close as it is. */
  readonly closeBounds: CloseBounds | null;
  /** What the last run read of every input; without it each is asked for. */
  readonly known?: KnownInputs;
  readonly effects: Effects;
};

/** What loading one input did. */
export type InputReport = {
  /** Names its rows are kept under in `input_file`. */
  readonly names: readonly string[];
  readonly rows: number;
  /** Of those names, how many were read in this run. */
  readonly changed: number;
  readonly refused: readonly Refused[];
};

export type InputLoader = (request: LoadRequest) => Promise<InputReport>;

/** The loader of an input whose files are loaded one by one. */
export function fileByFile(
  load: (connection: DuckDBConnection, path: string, known?: KnownInputs) => Promise<Loaded>,
): InputLoader {
  return async ({ connection, paths, known }) => {
    const loaded: Loaded[] = [];
    for (const path of paths) loaded.push(await load(connection, path, known));
    return {
      names: loaded.map(({ name }) => name),
      rows: loaded.reduce((sum, { rows }) => sum + rows, 0),
      changed: loaded.filter(({ unchanged }) => !unchanged).length,
      refused: loaded.flatMap(({ refused }) => refused),
    };
  };
}
