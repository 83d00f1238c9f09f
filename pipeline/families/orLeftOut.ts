import { reasonOf } from '../compute/leftOut.ts';
import type { ReleaseArtifact } from '../release/artifact.ts';

/** An artifact that a release is published without because it cannot be made or is not valid, and why (M6.6c). */
export type LeftOutArtifact = {
  readonly key: string;
  readonly leftOut: { readonly what: string; readonly reason: string };
};

/** What became of an artifact. */
export type MadeOrNot = ReleaseArtifact | LeftOutArtifact;

/**
 * Makes artifacts that a release can do without: where that fails, each of their keys is left out with the reason.
 *
 * @param what names them in a sentence, such as `the daily brief`
 * @throws errors that are about the run or the machine
 */
export async function orLeftOut(
  { what, keys }: { readonly what: string; readonly keys: readonly string[] },
  make: () => readonly MadeOrNot[] | Promise<readonly MadeOrNot[]>,
): Promise<readonly MadeOrNot[]> {
  try {
    return await make();
  } catch (error) {
    const reason = reasonOf(error);
    return keys.map((key) => ({ key, leftOut: { what, reason } }));
  }
}

/** A sentence for the operator about all that was left out together. */
export function leftOutArtifactSentences(leftOut: readonly LeftOutArtifact[]): string[] {
  const said = leftOut.map(
    ({ leftOut: { what, reason } }) => `${what} is left out of the release: ${reason}`,
  );
  return [...new Set(said)];
}
