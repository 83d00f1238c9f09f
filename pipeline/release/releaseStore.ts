import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { z } from 'zod';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import {
  type ArtifactManifest,
  artifactManifest,
  isBackfilled,
  promotedSlices,
  releaseName,
  type SliceIndex,
  sliceIndex,
} from '../../data/contract/release/releaseFiles.ts';
import type { ReleasePaths } from '../dataLayout.ts';

/** A build of a store. */
export type NamedRelease = { readonly paths: ReleasePaths; readonly name: string };

/** Splits `<source_date>.<n>` (I3.18). */
export function releaseParts(name: string): { sourceDate: string; number: number } {
  const dot = name.lastIndexOf('.');
  return { sourceDate: name.slice(0, dot), number: Number(name.slice(dot + 1)) };
}

/** Orders release names by source_date, then number. */
export function compareReleases(a: string, b: string): number {
  const x = releaseParts(a);
  const y = releaseParts(b);
  if (x.sourceDate !== y.sourceDate) return x.sourceDate < y.sourceDate ? -1 : 1;
  return x.number - y.number;
}

/** Names of the complete builds in the store, ordered; staged ones (`*.partial`) are not among them. */
export async function listReleaseNames(paths: ReleasePaths): Promise<string[]> {
  if (!existsSync(paths.releases)) return [];
  const names = await readdir(paths.releases);
  return names.filter((name) => releaseName.safeParse(name).success).sort(compareReleases);
}

/** The release `current` names; null before the first promotion. */
export async function readCurrent(paths: ReleasePaths): Promise<string | null> {
  if (!existsSync(paths.current)) return null;
  const name = (await readFile(paths.current, 'utf8')).trim();
  if (!releaseName.safeParse(name).success) throw damaged(paths.current, name.slice(0, 40));
  return name;
}

/** The release that `current` names; null when the pointer is missing, broken or names nothing that is there. */
export async function standingCurrent(paths: ReleasePaths): Promise<string | null> {
  const name = await readCurrent(paths).catch((error: unknown) => {
    if (error instanceof IssuerError) return null;
    throw error;
  });
  return name !== null && existsSync(join(paths.releases, name, 'manifest.json')) ? name : null;
}

/** `slices.json`, or an empty index before the first promotion. */
export async function readSliceIndex(paths: ReleasePaths): Promise<SliceIndex> {
  if (!existsSync(paths.slices)) return {};
  return parsedFile(sliceIndex, paths.slices);
}

/** The promoted release of each date; a date that was withdrawn has none. */
export async function readSlices(paths: ReleasePaths): Promise<Readonly<Record<string, string>>> {
  return promotedSlices(await readSliceIndex(paths));
}

/** The parsed manifest of a complete build and the bytes it was read from. */
export async function readManifest(
  paths: ReleasePaths,
  name: string,
): Promise<{ manifest: ArtifactManifest; bytes: Uint8Array }> {
  const path = join(paths.releases, name, 'manifest.json');
  if (!existsSync(path)) {
    throw new IssuerError({
      code: 'input_missing',
      message: `There is no release ${name}.`,
      hint: 'See which ones there are with `issuer release list`.',
      details: { release: name },
    });
  }
  const bytes = await readFile(path);
  return { manifest: await parsedFile(artifactManifest, path), bytes };
}

/** The newest of some builds, given oldest first, that a night published; null when all were backfilled. */
export async function newestNight<B extends { readonly release: string }>(
  paths: ReleasePaths,
  builds: readonly B[],
): Promise<B | null> {
  for (const build of builds.toReversed()) {
    const { manifest } = await readManifest(paths, build.release);
    if (!isBackfilled(manifest)) return build;
  }
  return null;
}

/** Reads a JSON file of the store through its schema. @throws IssuerError `validation_failed` */
export async function parsedFile<S extends z.ZodType>(schema: S, path: string): Promise<z.output<S>> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw damaged(path, isMissing ? 'it is missing' : 'not JSON', cause);
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw damaged(path, parsed.error.issues[0]?.message ?? 'wrong shape');
  return parsed.data;
}

function damaged(path: string, what: string, cause?: unknown): IssuerError {
  const release = basename(dirname(path));
  return new IssuerError({
    code: 'validation_failed',
    message: `${path} is damaged: ${what}.`,
    hint: 'Run `issuer nightly`: it repairs what it builds on. `issuer release list` shows which releases are whole.',
    details: { path, ...(releaseName.safeParse(release).success ? { release } : {}) },
    cause,
  });
}
