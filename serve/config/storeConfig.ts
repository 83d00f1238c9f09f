import { join, resolve } from 'node:path';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { openStore } from '../../data/store/openStore.ts';
import { storeAddress } from '../../data/store/storeAddress.ts';
import { wrong } from './configProblem.ts';
import type { Variables } from './configVariables.ts';

/** Where artifacts are read from. */
export type StoreConfig =
  | { readonly kind: 'directory'; readonly root: string }
  | {
      readonly kind: 's3';
      readonly address: string;
      /** The `AWS_*` variables, and where a credentials file may lie. */
      readonly environment: Environment;
      /** The local replica, and the most bytes it takes. */
      readonly replicaRoot: string;
      readonly replicaBytes: number;
    };

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads where artifacts are. @throws IssuerError `configuration` */
export function storeConfig(v: Variables, environment: Environment): StoreConfig {
  const data = resolve(v.II_DATA);
  if (v.II_STORE === undefined) return { kind: 'directory', root: join(data, 'artifacts') };
  const address = v.II_STORE;
  const ofStore = Object.fromEntries(
    Object.entries(environment).filter(([name]) => name.startsWith('AWS_') || name === 'HOME'),
  );
  try {
    const known = storeAddress(address);
    if (known.kind === 'directory') return { kind: 'directory', root: resolve(known.root) };
    openStore({ address, environment: ofStore }).close();
  } catch (error) {
    if (!(error instanceof IssuerError)) throw error;
    throw wrong('II_STORE', `cannot be used: ${error.message.replace(/\.$/, '')}`, error.hint);
  }
  return {
    kind: 's3',
    address,
    environment: ofStore,
    replicaRoot: join(data, 'replica'),
    replicaBytes: v.II_STORE_CACHE_BYTES,
  };
}
