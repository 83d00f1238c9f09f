import type { z } from 'zod';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { ArtifactManifest } from '../../data/contract/release/releaseFiles.ts';
import { type ObjectReader, objectReader, type StoredObjectBytes } from '../../data/store/objectReader.ts';
import { type PackLibrary, packLibrary } from '../../data/store/packLibrary.ts';
import { releasePacks, storeNames } from '../../data/store/storeFiles.ts';
import { directoryReads } from '../../data/store/storeReads.ts';
import { inStore, type ReleasePaths } from '../dataLayout.ts';
import type { NamedRelease } from './releaseStore.ts';
import { parsedFile, readManifest } from './releaseStore.ts';

/** A build, to be read by key: where its bytes lie is known here alone. */
export type OpenRelease = {
  readonly manifest: ArtifactManifest;
  has(key: string): boolean;
  /** Bytes that are what the manifest says; null when it lists no such key. @throws IssuerError `validation_failed` */
  read(key: string): Promise<Buffer | null>;
  /** The same with the stored codings. */
  readCoded(key: string): Promise<StoredObjectBytes | null>;
};

/** The packs of a store; a pack is opened for each read, so that nothing is left open. */
export function storePacks({ root }: ReleasePaths): PackLibrary {
  return packLibrary(directoryReads({ root, keepOpen: 0 }));
}

/**
 * Opens a build for reading; every artifact is checked against the manifest as it is read.
 *
 * @param library kept by a caller that opens several builds
 * @throws IssuerError `input_missing` when there is no such build, `validation_failed` when it is damaged.
 */
export async function openRelease(
  paths: ReleasePaths,
  name: string,
  { library = storePacks(paths) }: { readonly library?: PackLibrary } = {},
): Promise<OpenRelease> {
  const { manifest } = await readManifest(paths, name);
  const objects = await releaseObjects({ paths, name, library });
  const entries = new Map(manifest.artifacts.map((entry) => [entry.key, entry]));
  const readCoded = async (key: string): Promise<StoredObjectBytes | null> => {
    const entry = entries.get(key);
    if (entry === undefined) return null;
    try {
      return await objects.read(entry);
    } catch (cause) {
      throw damagedRelease(name, `${key} is not what its manifest says (${reason(cause)})`);
    }
  };
  return {
    manifest,
    has: (key) => entries.has(key),
    readCoded,
    read: async (key) => (await readCoded(key))?.payload ?? null,
  };
}

/** The objects of a build by hash; `name` may be that of a staged one. @throws IssuerError `validation_failed` */
export async function releaseObjects({
  paths,
  name,
  library,
}: NamedRelease & { library: PackLibrary }): Promise<ObjectReader> {
  const again = () => parsedFile(releasePacks, inStore(paths, storeNames.packs(name)));
  return objectReader({ library, packs: await again(), again });
}

/** A JSON artifact through its schema; null when the build lists no such key. @throws as `read` */
export async function readJson<S extends z.ZodType>(
  release: OpenRelease,
  { schema, key }: { readonly schema: S; readonly key: string },
): Promise<z.output<S> | null> {
  const bytes = await release.read(key);
  if (bytes === null) return null;
  const parsed = schema.safeParse(JSON.parse(bytes.toString('utf8')));
  if (parsed.success) return parsed.data;
  const what = parsed.error.issues[0]?.message ?? 'wrong shape';
  throw damagedRelease(release.manifest.version, `${key}: ${what}`);
}

/** Lines of a row store; none when the build lists no such key. @throws as `read` */
export async function readLines(release: OpenRelease, key: string): Promise<string[]> {
  const bytes = await release.read(key);
  if (bytes === null) return [];
  return bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function damagedRelease(name: string, what: string): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `Release ${name} is damaged: ${what}.`,
    hint: 'Check it with `issuer release verify`, then publish that date again with `issuer nightly --date <date> --force`.',
    details: { release: name },
  });
}
