import type { MarketRead } from '../../calculators/briefs/briefEvidence.ts';
import type { FilingChoreography } from '../../calculators/choreography/filingChoreography.ts';
import type { Slice } from '../../calculators/composeSlice.ts';
import type { Issuer } from '../../calculators/filing/rows.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import type { PriceBook } from '../../calculators/prices/priceBook.ts';
import type { CoverageWindow } from '../../data/contract/payloads/universe/readiness.ts';
import type { BriefRenderer } from '../briefs/renderBriefs.ts';
import type { NightChanges } from '../changes/nightChanges.ts';
import type { PointRequest } from '../compute/pointSegments.ts';
import type { ReleasePaths } from '../dataLayout.ts';
import type { SliceHistory } from '../history/sliceHistory.ts';
import type { MarketContext } from '../marketRelease/marketContext.ts';
import type { KnownRegistrant } from '../warehouse/select/selectCompanies.ts';

/** A slice of issuers, of a night or of a past date that is built later. */
export type SliceFacts = {
  readonly sourceDate: string;
  readonly slice: Slice;
  /** The universe, without aliases that another issuer has taken over. */
  readonly issuers: readonly Issuer[];
  /** Promoted slices before this one, dates ascending. */
  readonly history: SliceHistory;
  readonly parameters: Parameters;
  /** What the rows of perpetual products cover; absent without market data. */
  readonly coverageWindows?: readonly CoverageWindow[];
};

/** What a night knows besides its slice. */
export type NightFacts = SliceFacts & {
  readonly asOf: string;
  /** Closes up to the slice's date. */
  readonly prices: PriceBook;
  readonly changes: NightChanges;
  /** Filing chains known on the slice's date, by CIK. */
  readonly choreographies: ReadonlyMap<string, FilingChoreography>;
  /** Where the promoted slices lie. */
  readonly paths: ReleasePaths;
  /** What earlier nights made of them for field maps; null makes it again. */
  readonly kept: PointRequest['kept'];
  /** Hash of every close up to a day, made again for days that ascend. */
  readonly closes: PointRequest['closes'];
  readonly modelCard: string;
  /** Daily reads of perpetual products; null without the market half. */
  readonly market: readonly MarketRead[] | null;
  /** Instant the briefs state, and what renders them. */
  readonly briefs: { readonly computedAt: string; readonly renderer: BriefRenderer };
  /** Every registrant the inputs name, in the universe or not, by CIK. */
  readonly registrants: readonly KnownRegistrant[];
};

/** A night with its market half; null where it has none. */
export type WholeNight = { readonly night: NightFacts; readonly market: MarketContext | null };

/**
 * What a family can ask for, by name. Another kind of data, such as markets, is a context of its own here: its families
 * name it, and no family of issuers sees it.
 */
export type FamilyContexts = {
  readonly slice: SliceFacts;
  readonly night: NightFacts;
  readonly market: MarketContext;
  readonly whole: WholeNight;
};

/** The available contexts; a family whose context is not there makes nothing. */
export type AvailableContexts = Partial<FamilyContexts>;
