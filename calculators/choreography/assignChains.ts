import { compareText } from '../../data/contract/values/compareText.ts';
import type { ChainProposal, Confidence } from './filingChain.ts';
import { compareEvents, type FilingEvent } from './filingEvent.ts';

/** A chain with its events in step order, first step 1. */
export type FilingChain = Omit<ChainProposal, 'members' | 'needsAnchor' | 'atLeast'> & {
  readonly sequenceId: string;
  readonly steps: readonly { readonly event: FilingEvent; readonly confidence: Confidence }[];
};

/**
 * Gives every event to at most one chain: the earliest anchor wins (M7.3); a time or item rule that could have
 * placed it in more than one makes it unresolved (M7.10).
 */
export function assignChains(proposals: readonly ChainProposal[]): FilingChain[] {
  const wanted = new Map<string, number>();
  for (const { members, anchor, needsAnchor } of proposals) {
    // a review is about its filing and does not claim it
    const claimed = members.filter(({ event }) => needsAnchor || event !== anchor);
    for (const accession of new Set(claimed.map(({ event }) => event.accession)))
      wanted.set(accession, (wanted.get(accession) ?? 0) + 1);
  }
  const taken = new Set<string>();
  return proposals.toSorted(compareProposals).flatMap((proposal) => {
    const { members, needsAnchor, atLeast, ...chain } = proposal;
    if (needsAnchor && taken.has(chain.anchor.accession)) return [];
    const free = new Map<string, { event: FilingEvent; confidence: Confidence }>();
    for (const { event, confidence } of members) {
      if (taken.has(event.accession) || free.has(event.accession)) continue;
      const contested = confidence === 'derived' && (wanted.get(event.accession) ?? 0) > 1;
      free.set(event.accession, { event, confidence: contested ? 'unresolved' : confidence });
    }
    if (free.size < atLeast) return [];
    for (const accession of free.keys()) taken.add(accession);
    const steps = [...free.values()].sort((a, b) => compareEvents(a.event, b.event));
    const sequenceId = `${chain.kind}:${chain.anchor.cik}:${chain.anchor.accession}`;
    return [{ ...chain, sequenceId, steps }];
  });
}

// kinds that begin with their anchor precede those that are only about it
function compareProposals(a: ChainProposal, b: ChainProposal): number {
  return (
    compareEvents(a.anchor, b.anchor) ||
    Number(b.needsAnchor) - Number(a.needsAnchor) ||
    compareText(a.kind, b.kind)
  );
}
