import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { LeftOutArtifact } from '../compute/leftOut.ts';
import type { HistoryRequest } from '../history/streamHistory.ts';
import type { ReleaseArtifact } from '../release/artifact.ts';
import type { PutFile } from '../release/draftRelease.ts';
import { families, streamedFamilies } from './families.ts';
import type { AvailableContexts } from './familyContexts.ts';

/** The artifacts of a release, and those it is published without. */
export type ReleaseArtifacts = {
  readonly artifacts: readonly ReleaseArtifact[];
  readonly artifactsLeftOut: readonly LeftOutArtifact[];
};

/**
 * The artifacts of a release that its contexts give, after the release gate; histories excepted.
 *
 * @throws IssuerError `validation_failed` when a payload or an invariant does not hold.
 */
export async function releaseArtifacts(
  contexts: AvailableContexts,
  input: { readonly backfilled: boolean },
): Promise<ReleaseArtifacts> {
  const made = new Map<string, ReleaseArtifact>();
  const artifactsLeftOut: LeftOutArtifact[] = [];
  for (const family of families)
    for (const artifact of await family.make(contexts, { ...input, made }))
      if ('leftOut' in artifact) artifactsLeftOut.push(artifact);
      else made.set(artifact.key, artifact);
  releaseGate(contexts);
  return { artifacts: [...made.values()], artifactsLeftOut };
}

/**
 * The release gate on the published values: the invariants of METHODOLOGY 15 that apply to the slice (M6.6).
 * Schemas are checked as artifacts are made, hashes when the staged build is read back.
 *
 * @throws IssuerError `validation_failed` naming the first violation and listing them all.
 */
export function releaseGate(contexts: AvailableContexts): void {
  const violations = families.flatMap((family) => family.violations(contexts));
  if (violations.length === 0) return;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
  throw new IssuerError({
    code: 'validation_failed',
    message: `The release gate refused the slice: ${violations[0]}${more}.`,
    hint: 'Nothing was published and the promoted release is untouched; look at the issuers named with `issuer query`.',
    details: { violations: violations.slice(0, 100) },
  });
}

/** Writes the long artifacts of a release as it is published; null where this kind of release holds none. */
export function releaseStream(
  request: HistoryRequest,
  { backfilled }: { readonly backfilled: boolean },
): ((put: PutFile, release: string) => Promise<void>) | null {
  const kind = backfilled ? 'backfilled' : 'full';
  const held = streamedFamilies.filter(({ stored }) =>
    stored.every(({ releases }) => releases === 'all' || releases === kind),
  );
  if (held.length === 0) return null;
  return async (put, release) => {
    for (const family of held) await family.write({ ...request, release }, put);
  };
}
