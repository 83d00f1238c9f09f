import { z } from 'zod';
import { count, date, datetime, sha256 } from '../values/primitives.ts';

// The files a release and its neighbours consist of; the pipeline writes them, the server reads them.

/** `<source_date>.<n>`, n from 1 (I3.18). */
export const releaseName = z.string().regex(/^\d{4}-\d{2}-\d{2}\.[1-9]\d{0,5}$/);

/** Keys are path segments of this alphabet; nothing else ever becomes a file name. */
export const artifactKey = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9.+_-]*(\/[A-Za-z0-9][A-Za-z0-9.+_-]*)*$/)
  .max(200);

export const manifestEntry = z.strictObject({
  key: artifactKey,
  version: z.string(),
  sha256,
  bytes: count,
  media_type: z.string(),
  source_date: date.nullable(),
});

/** `releases/<version>/manifest.json` (I9.16). The signature covers the canon-1 form without `signature`. */
export const artifactManifest = z.strictObject({
  schema_id: z.literal('artifact_manifest.v1'),
  version: releaseName,
  generated_at: datetime,
  source_date: date,
  slice_status: z.enum(['complete', 'partial']),
  artifact_count: count,
  artifacts: z.array(manifestEntry),
  previous_manifest_sha256: sha256.nullable(),
  signature: z.strictObject({
    alg: z.literal('Ed25519'),
    key_id: z.string(),
    public_key: z.string(),
    value: z.string(),
  }),
  /** Where the release came from: input hashes, parameter and code versions, and whether the slice is backfilled. */
  inputs: z.record(z.string(), z.string()),
});

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** `<name>.about.json` beside a list whose rows do not say all: what holds for the whole, and for each row in turn (I4.33). */
export const listAbout = z.strictObject({
  schema_id: z.literal('list_about.v1'),
  meta: z.record(z.string(), z.union([scalar, z.array(scalar)])),
  /** One a row; none where nothing is known beside a row. */
  rows: z.array(z.record(z.string(), scalar)),
});

/** A release that no longer answers for its date: why, and since when (I3.28). */
export const withdrawal = z.strictObject({
  release: releaseName,
  withdrawn_at_utc: datetime,
  reason: z.string().min(1).max(500),
});

/**
 * `slices.json`: source_date to its promoted release. A date that was withdrawn names every withdrawal, oldest first,
 * and the release that answers since; null while none does. The file `current` holds one release name and a newline.
 */
export const sliceIndex = z.record(
  date,
  z.union([
    releaseName,
    z.strictObject({ release: releaseName.nullable(), withdrawals: z.array(withdrawal).min(1) }),
  ]),
);

/** `last-run.json` (I4.F10): how the last night ended. */
export const lastRun = z.strictObject({
  source_date: date,
  status: z.enum(['ok', 'failed', 'running']),
  started_at_utc: datetime,
  finished_at_utc: datetime.nullable(),
  exit_code: z.number().int().nullable(),
  published_release: releaseName.nullable(),
  /** Error code of a failed run. */
  reason: z.string().nullable(),
  /** What the night lacked or found worse than the night before, a sentence each; then it ended with exit code 6. */
  degraded: z.array(z.string()),
  /** What of the store was damaged and is made again, a sentence each; a night that heals may be whole. */
  healed: z.array(z.string()),
});

export type ArtifactManifest = z.infer<typeof artifactManifest>;
export type ManifestEntry = z.infer<typeof manifestEntry>;
export type SliceIndex = z.infer<typeof sliceIndex>;
export type Withdrawal = z.infer<typeof withdrawal>;
export type WithdrawnSlice = Withdrawal & { readonly source_date: string };
export type LastRun = z.infer<typeof lastRun>;

/** True for a past date built later: row stores only, which never becomes current (I3.28, I4.36). */
export function isBackfilled({ inputs }: Pick<ArtifactManifest, 'inputs'>): boolean {
  return inputs['slice'] === 'backfilled';
}

/** The promoted release of each date that has one. */
export function promotedSlices(index: SliceIndex): Readonly<Record<string, string>> {
  const promoted = Object.entries(index).flatMap(([date, entry]): [string, string][] => {
    const release = typeof entry === 'string' ? entry : entry.release;
    return release === null ? [] : [[date, release]];
  });
  return Object.fromEntries(promoted);
}

/** The last withdrawal of each date that nothing answers for, dates ascending. */
export function withdrawnSlices(index: SliceIndex): readonly WithdrawnSlice[] {
  return Object.entries(index)
    .flatMap(([source_date, entry]) => {
      const last = typeof entry === 'string' || entry.release !== null ? undefined : entry.withdrawals.at(-1);
      return last === undefined ? [] : [{ source_date, ...last }];
    })
    .sort((a, b) => (a.source_date < b.source_date ? -1 : 1));
}

/** Every withdrawal of a date, oldest first. */
export function withdrawalsOf(index: SliceIndex, sourceDate: string): readonly Withdrawal[] {
  const entry = Object.hasOwn(index, sourceDate) ? index[sourceDate] : undefined;
  return entry === undefined || typeof entry === 'string' ? [] : entry.withdrawals;
}

/**
 * `promotion.json`: which pointers a publisher signed last, and the how manieth time. `current` is null while none is,
 * `slices_sha256` of the canon-1 form of `slices.json`. The signature is that of a manifest (I9.16, STORE ST21).
 */
export const promotion = z.strictObject({
  schema_id: z.literal('promotion.v1'),
  sequence: count,
  current: releaseName.nullable(),
  slices_sha256: sha256,
  signature: artifactManifest.shape.signature,
});
export type Promotion = z.infer<typeof promotion>;

/** `promotion-seen.json` beside the store, one a machine: the highest sequence that was seen there. */
export const promotionSeen = z.strictObject({ sequence: count });

/** Names of both, the first in a store, the second in a data directory. */
export const promotionNames = { stored: 'promotion.json', seen: 'promotion-seen.json' } as const;

/** Why a sequence is not taken, as the end of a sentence; null when it may be. `sequence` is null where the file is missing. */
export function lowerSequence(sequence: number | null, seen: number): string | null {
  if (sequence === null) return seen === 0 ? null : `is missing, and sequence ${seen} was seen`;
  return sequence >= seen
    ? null
    : `has sequence ${sequence}, and ${seen} was seen: an older state was put back`;
}
