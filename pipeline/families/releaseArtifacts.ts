import type { ReleaseArtifact } from '../release/artifact.ts';
import { families } from './families.ts';
import type { ContextsAtHand } from './familyContexts.ts';
import type { LeftOutArtifact } from './orLeftOut.ts';
import { releaseGate } from './releaseGate.ts';

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
  contexts: ContextsAtHand,
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
