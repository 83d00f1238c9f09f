import { packName } from '../../data/store/storeFiles.ts';
import type { StoreReads } from '../../data/store/storeReads.ts';

/** Packs of a store that have their index, which is written last. */
export async function storedPacks(store: Pick<StoreReads, 'list'>): Promise<Set<string>> {
  const files = new Set(await store.list('packs/'));
  const names = [...files].flatMap((file) => /^(.*)\.idx$/.exec(file)?.[1] ?? []);
  return new Set(names.filter((name) => packName.safeParse(name).success && files.has(`${name}.pack`)));
}
