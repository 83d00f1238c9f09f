import type { FilingEvent } from './filingEvent.ts';
import type { Family } from './formFamily.ts';

export type ChainKind =
  | 'shelf_takedown'
  | 'private_convert'
  | 'staff_review'
  | 'late_filer'
  | 'ipo'
  | 'merger';

/** How an event belongs to its chain (M7.10). */
export type Confidence = 'direct' | 'derived' | 'unresolved';

/** What a rule of M7.4 to M7.9 proposes; events may be wanted by several proposals. */
export type ChainProposal = {
  readonly kind: ChainKind;
  readonly family: Family;
  readonly label: string;
  readonly interpretation: string;
  readonly anchor: FilingEvent;
  /** False where the anchor is only what the chain is about: a review goes on without its filing (M7.6). */
  readonly needsAnchor: boolean;
  /** Fewest events, anchor included, that make a chain of this kind. */
  readonly atLeast: number;
  /** The anchor and every event joined to it. */
  readonly members: readonly { readonly event: FilingEvent; readonly confidence: Confidence }[];
};
