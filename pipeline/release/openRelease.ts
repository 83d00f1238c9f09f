import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { IssuerError } from '../../contract/errors/issuerError.ts';
import type { ArtifactManifest } from '../../contract/release/releaseFiles.ts';
import { sha256Hex } from './artifact.ts';
import type { ReleasePaths } from './releasePaths.ts';
import { readManifest } from './releaseStore.ts';

/** A build, to be read by key: where its bytes lie is known here alone. */
export type OpenRelease = {
  readonly manifest: ArtifactManifest;
  has(key: string): boolean;
  /** Bytes that are what the manifest says; null when it lists no such key. @throws IssuerError `validation_failed` */
  read(key: string): Promise<Buffer | null>;
};

/**
 * Opens a build for reading; every artifact is checked against the manifest as it is read.
 *
 * @throws IssuerError `input_missing` when there is no such build, `validation_failed` when its manifest is damaged.
 */
export async function openRelease(paths: ReleasePaths, name: string): Promise<OpenRelease> {
  const { manifest } = await readManifest(paths, name);
  const hashes = new Map(manifest.artifacts.map((entry) => [entry.key, entry.sha256]));
  return {
    manifest,
    has: (key) => hashes.has(key),
    async read(key) {
      const expected = hashes.get(key);
      if (expected === undefined) return null;
      const bytes = await readFile(join(paths.releases, name, key)).catch(() => null);
      if (bytes !== null && sha256Hex(bytes) === expected) return bytes;
      throw damagedRelease(name, `${key} is not what its manifest says`);
    },
  };
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
  return bytes === null
    ? []
    : bytes
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== '');
}

function damagedRelease(name: string, what: string): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `Release ${name} is damaged: ${what}.`,
    hint: 'Check it with `issuer release verify`, then publish that date again with `issuer nightly --date <date> --force`.',
  });
}
