import type { HistoryRequest } from '../history/streamHistory.ts';
import type { PutFile } from '../release/draftRelease.ts';
import { streamedFamilies } from './families.ts';

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
