import { promotedSlices, type SliceIndex } from '../../data/contract/release/releaseFiles.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { compareReleases } from '../release/releaseStore.ts';
import type { StoreState } from './storedDocuments.ts';

/** What both stores said after the last copy between them, or what the one that was written said before it. */
export type LastCopy = {
  readonly slices_sha256: string;
  readonly current: string | null;
  /** Fingerprint of what is being written; null once it is done. */
  readonly towards: string | null;
};

/** How a store stands to the one it is to be written to. */
export type StoreRelation = 'same' | 'ahead' | 'behind' | 'diverged';

/**
 * `ahead` when everything `other` says is in `own`, or `other` did not change since the last copy; `behind` the other way
 * round; `diverged` when both say what the other does not know.
 */
export function storeRelation({
  own,
  other,
  last,
}: {
  own: StoreState;
  other: StoreState;
  last: LastCopy | null;
}): StoreRelation {
  if (own.fingerprint === other.fingerprint) return 'same';
  if (last !== null && isUnchanged(other, last)) return 'ahead';
  if (last !== null && isUnchanged(own, last)) return 'behind';
  if (last !== null && isBetween(other, { last, target: own })) return 'ahead';
  if (last !== null && isBetween(own, { last, target: other })) return 'behind';
  if (knows(own, other)) return 'ahead';
  return knows(other, own) ? 'behind' : 'diverged';
}

function isUnchanged(state: StoreState, last: LastCopy): boolean {
  return state.slicesSha256 === last.slices_sha256 && state.current === last.current;
}

/** Whether a copy to `target` died when one of the two pointers had moved. */
function isBetween(state: StoreState, { last, target }: { last: LastCopy; target: StoreState }): boolean {
  return (
    last.towards === target.fingerprint &&
    [last.slices_sha256, target.slicesSha256].includes(state.slicesSha256) &&
    [last.current, target.current].includes(state.current)
  );
}

/** Whether a state has every date of another as it is there, and nothing older as its current release. */
function knows(one: StoreState, other: StoreState): boolean {
  const isHeld = Object.entries(other.slices).every(([date, entry]) => isSame(one.slices[date], entry));
  if (!isHeld || other.current === null) return isHeld;
  const isPromoted = Object.values(promotedSlices(one.slices)).includes(other.current);
  return isPromoted && one.current !== null && compareReleases(one.current, other.current) >= 0;
}

function isSame(a: SliceIndex[string] | undefined, b: SliceIndex[string]): boolean {
  return a !== undefined && canonicalJson({ entry: a }) === canonicalJson({ entry: b });
}
