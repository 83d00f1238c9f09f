import type { Buffer } from 'node:buffer';
import { createHash, randomUUID } from 'node:crypto';
import { copyFile, link, mkdir, open, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { IssuerError } from '../contract/errors/issuerError.ts';
import { diskFiles, replaceFile } from './files/replaceFile.ts';
import type { PutBody, Store } from './storePort.ts';
import { directoryReads } from './storeReads.ts';

/**
 * A store in a local directory. Several writers may put at once; `replace` compares and replaces in two steps, so that
 * who replaces pointers holds the nightly lock.
 */
export function directoryStore({ root, keepOpen }: { root: string; keepOpen: number }): Store {
  const reads = directoryReads({ root, keepOpen });
  const pointer: Store['pointer'] = async (name) => {
    const bytes = await reads.read(name);
    return bytes === null ? null : { bytes, version: versionOf(bytes) };
  };
  return {
    ...reads,
    address: root,
    pointer,
    put: (name, body) => unlessRefused(name, () => putFile(join(root, name), body)),
    async replace(name, bytes, o) {
      if (o !== undefined && ((await pointer(name))?.version ?? null) !== o.expected) return 'changed';
      return unlessRefused(name, async () => {
        await mkdir(dirname(join(root, name)), { recursive: true });
        await replaceFile({ files: diskFiles, path: join(root, name), bytes });
        return 'replaced' as const;
      });
    },
    async remove(name) {
      await unlessRefused(name, () => rm(join(root, name), { force: true }));
      // a bucket has no folders, so an empty one is not listed
      if (name.includes('/')) await rmdir(dirname(join(root, name))).catch(() => undefined);
      reads.forget(name);
    },
  };
}

/** Links what was written beside the name, which fails where there is an object: the one atomic "create if absent". */
async function putFile(path: string, body: PutBody): Promise<'written' | 'exists'> {
  await mkdir(dirname(path), { recursive: true });
  // a name of its own: two may put the same object at once
  const partial = `${path}.${randomUUID()}.partial`;
  try {
    if (body instanceof Uint8Array) await diskFiles.write(partial, body, { sync: true });
    else await writeSynced(body, partial);
    await link(partial, path);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return 'exists';
    throw error;
  } finally {
    await rm(partial, { force: true });
  }
  await diskFiles.syncDirectory(dirname(path));
  return 'written';
}

async function writeSynced({ path, spare }: { path: string; spare?: boolean }, to: string): Promise<void> {
  // on another file system it has to be copied
  const isLinked = spare === true && (await link(path, to).then(...told));
  if (!isLinked) await copyFile(path, to);
  const file = await open(to, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

const told = [() => true, () => false] as const;

async function unlessRefused<T>(name: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    const errno = errnoOf(cause);
    const full = errno === 'ENOSPC' || errno === 'EDQUOT' || errno === 'EFBIG';
    throw new IssuerError({
      code: 'store_unwritable',
      message: `${name} could not be written to the store (${errno ?? 'unknown error'}).`,
      hint: full
        ? 'Free disk space and run again; it goes on where it stopped.'
        : 'Check that the directory of the store belongs to this user and is not read-only.',
      details: { name, errno },
      cause,
    });
  }
}

function errnoOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : null;
}

function versionOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
