import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { packLibrary } from '../../data/store/packLibrary.ts';
import { storeNames } from '../../data/store/storeFiles.ts';
import type { Store } from '../../data/store/storePort.ts';
import { directoryReads, type StoreReads } from '../../data/store/storeReads.ts';
import { storeUnwritable } from '../fetch/store/storeUnwritable.ts';
import { isWholePack } from '../release/wholePack.ts';

/** From which store to which, by way of a local directory. */
export type Route = { readonly from: Store; readonly to: Store; readonly scratch: string };

const chunkBytes = 8 * 1024 * 1024;

/**
 * Copies a pack with its index from one store to another, by way of local files whose every object is proved first. An
 * object of that name which is there already is compared.
 *
 * @param isNeeded whether a release of `to` needs the pack of that name it has
 * @returns bytes of the pack
 * @throws IssuerError `validation_failed` when the pack is damaged, or another one has its name and is needed
 */
export async function copyPack({
  from,
  to,
  pack,
  scratch,
  isNeeded,
}: Route & { pack: string; isNeeded: () => Promise<boolean> }): Promise<number> {
  const names = [storeNames.pack(pack), storeNames.index(pack)] as const;
  const staged = directoryReads({ root: scratch, keepOpen: 1 });
  try {
    let bytes = 0;
    for (const name of names) bytes += await stage({ from, name, scratch });
    if (!(await isWholePack(pack, packLibrary(staged)))) throw damaged(from, `Pack ${pack}`);
    staged.forget(names[0]);
    // the index last: where there is one, its pack is whole
    for (const name of names) await putSame({ to, name, pack, scratch, staged, isNeeded });
    return bytes;
  } finally {
    staged.close();
    for (const name of names) await rm(join(scratch, name), { force: true });
  }
}

async function putSame({
  to,
  name,
  pack,
  scratch,
  staged,
  isNeeded,
}: Omit<Route, 'from'> & {
  name: string;
  pack: string;
  staged: StoreReads;
  isNeeded: () => Promise<boolean>;
}): Promise<void> {
  const body = { path: join(scratch, name), spare: true };
  if ((await to.put(name, body)) === 'written') return;
  if (await isEqual(to, staged, name)) return;
  if (await isNeeded()) throw otherBytes(to, pack);
  // left over from a publication that died
  await to.remove(storeNames.index(pack));
  await to.remove(name);
  if ((await to.put(name, body)) !== 'written') throw otherBytes(to, pack);
}

async function stage({ from, name, scratch }: Omit<Route, 'to'> & { name: string }): Promise<number> {
  const path = join(scratch, name);
  const unwritable = (cause: unknown): never => {
    throw storeUnwritable(path, cause);
  };
  await mkdir(join(path, '..'), { recursive: true }).catch(unwritable);
  const file = await open(path, 'w').catch(unwritable);
  try {
    for (let start = 0; ; start += chunkBytes) {
      const bytes = await from.read(name, { start, length: chunkBytes });
      if (bytes === null) throw damaged(from, name);
      await file.writeFile(bytes).catch(unwritable);
      if (bytes.length < chunkBytes) return start + bytes.length;
    }
  } finally {
    await file.close();
    from.forget(name);
  }
}

async function isEqual(a: StoreReads, b: StoreReads, name: string): Promise<boolean> {
  for (let start = 0; ; start += chunkBytes) {
    const [one, other] = [
      await a.read(name, { start, length: chunkBytes }),
      await b.read(name, { start, length: chunkBytes }),
    ];
    if (one === null || other === null || !one.equals(other)) return false;
    if (one.length < chunkBytes) return true;
  }
}

function damaged({ address }: Store, what: string): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `${what} of ${address} is missing or damaged; nothing of it was copied.`,
    hint: 'See what is wrong with `issuer release fsck`, and put it back from a backup.',
  });
}

function otherBytes({ address }: Store, pack: string): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `${address} has another pack ${pack} than the one to be written, and its releases need it.`,
    hint: 'Two stores published the same date apart. Keep one: move the other away and pull, or use another prefix.',
  });
}
