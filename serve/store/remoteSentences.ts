import type { RemoteState } from './artifactStore.ts';

/** What of a remote store needs the operator, a sentence each; none for a directory and while all is well. */
export function remoteSentences(state: RemoteState | null): readonly string[] {
  if (state === null) return [];
  const { away, behind, unkept } = state;
  return [
    ...(away === null
      ? []
      : [
          `The object store does not answer since ${new Date(away.sinceMs).toISOString()}; what is kept here is served, the rest is 503.`,
        ]),
    ...(behind === null
      ? []
      : [`A promoted release is not taken up, the one before it is served: ${behind}.`]),
    ...(unkept === null ? [] : [`The local replica keeps nothing more: ${unkept}.`]),
  ];
}
