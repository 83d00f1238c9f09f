import { describe, expect, it } from 'vitest';
import type { SliceIndex } from '../../data/contract/release/releaseFiles.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { sha256Hex } from '../release/artifact.ts';
import { storeRelation } from './copyStores.ts';
import type { StoreState } from './storedDocuments.ts';

const state = (slices: SliceIndex, current: string | null): StoreState => ({
  slices,
  current,
  versions: { slices: null, current: null },
  slicesSha256: sha256Hex(canonicalJson(slices)),
  fingerprint: sha256Hex(canonicalJson({ slices, current })),
});
const empty = state({}, null);
const one = state({ '2025-11-18': '2025-11-18.1' }, '2025-11-18.1');
const two = state({ '2025-11-18': '2025-11-18.1', '2025-11-19': '2025-11-19.1' }, '2025-11-19.1');
const withdrawal = {
  release: '2025-11-19.1',
  withdrawn_at_utc: '2025-11-20T08:00:00Z',
  reason: 'closes of another day',
};
const withdrawn = state(
  { '2025-11-18': '2025-11-18.1', '2025-11-19': { release: null, withdrawals: [withdrawal] } },
  '2025-11-18.1',
);
const lastly = (known: StoreState, towards: StoreState | null = null) => ({
  slices_sha256: known.slicesSha256,
  current: known.current,
  towards: towards?.fingerprint ?? null,
});

describe('how two stores stand to each other', () => {
  it('knows without memory that one holds all the other says', () => {
    expect(storeRelation({ own: two, other: two, last: null })).toBe('same');
    expect(storeRelation({ own: two, other: empty, last: null })).toBe('ahead');
    expect(storeRelation({ own: empty, other: two, last: null })).toBe('behind');
    expect(storeRelation({ own: two, other: one, last: null })).toBe('ahead');
  });

  it('never takes a withdrawal back: only memory says which came later', () => {
    expect(storeRelation({ own: two, other: withdrawn, last: null })).toBe('diverged');
    expect(storeRelation({ own: two, other: withdrawn, last: lastly(two) })).toBe('behind');
    expect(storeRelation({ own: withdrawn, other: two, last: lastly(two) })).toBe('ahead');
    const other = state({ ...two.slices, '2025-11-20': '2025-11-20.1' }, '2025-11-20.1');
    expect(storeRelation({ own: withdrawn, other, last: lastly(two) })).toBe('diverged');
  });

  it('goes on with a copy that died between its two pointers', () => {
    const between = state(two.slices, withdrawn.current);
    expect(storeRelation({ own: withdrawn, other: between, last: lastly(two, withdrawn) })).toBe('ahead');
    expect(storeRelation({ own: between, other: withdrawn, last: lastly(two, withdrawn) })).toBe('behind');
    expect(storeRelation({ own: withdrawn, other: between, last: null })).toBe('diverged');
  });

  it('does not go on over what another publisher did meanwhile', () => {
    const other = state({ ...withdrawn.slices, '2025-11-20': '2025-11-20.1' }, '2025-11-20.1');
    const own = state({ ...two.slices, '2025-11-21': '2025-11-21.1' }, '2025-11-21.1');
    expect(storeRelation({ own, other, last: lastly(two, own) })).toBe('diverged');
  });
});
