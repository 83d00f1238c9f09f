import { z } from 'zod';
import { count, sha256 } from '../values/primitives.ts';
import { artifactManifest, releaseName } from './releaseFiles.ts';

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
