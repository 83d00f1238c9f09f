import type { ReleaseArtifact } from '../release/artifact.ts';
import { families } from './families.ts';
import type { ContextsAtHand } from './familyContexts.ts';
import { releaseGate } from './releaseGate.ts';

/**
 * The artifacts of a release that its contexts give, after the release gate; histories excepted.
 *
 * @throws IssuerError `validation_failed` when a payload or an invariant does not hold.
 */
export async function releaseArtifacts(
  contexts: ContextsAtHand,
  input: { readonly backfilled: boolean },
): Promise<ReleaseArtifact[]> {
  const made = new Map<string, ReleaseArtifact>();
  for (const family of families)
    for (const artifact of await family.make(contexts, { ...input, made })) made.set(artifact.key, artifact);
  releaseGate(contexts);
  return [...made.values()];
}
