import type {
  ChoreographyChain,
  ChoreographyEvent,
} from '../../data/contract/payloads/issuer/filingChoreography.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { filingUrl } from '../../data/contract/values/filingUrl.ts';
import type { BusinessCalendar } from '../changes/businessCalendar.ts';
import type { Statement } from '../currentReports/statement.ts';
import { addDays } from '../exact/civilDate.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { initialOfferings, letterReleases, mergers, shelfTakedowns, staffReviews } from './chainProposals.ts';
import {
  type ChainMember,
  type ChainProposal,
  type Confidence,
  chainOf,
  compareEvents,
  type FilingEvent,
  type FilingRow,
  filingEvents,
  membersOf,
} from './filingEvent.ts';

/** An event with its place in a chain; outside every chain it stands for itself. */
export type PlacedEvent = FilingEvent & {
  readonly confidence: Confidence;
  readonly sequenceId: string | null;
  readonly step: number | null;
};

/** The filing choreography of one issuer on a day: events and chains, each in total order (M7.3). */
export type FilingChoreography = {
  readonly events: readonly PlacedEvent[];
  readonly chains: readonly FilingChain[];
};

/**
 * Events and chains of one issuer as they were known at the end of `asOf`: later filings and unreleased review letters
 * do not exist (M7.7, M10.2).
 *
 * @param rows every submissions row of the issuer, in any order
 */
export function filingChoreography(
  rows: readonly FilingRow[],
  {
    asOf,
    statements,
    calendar,
    parameters,
  }: {
    readonly asOf: string;
    /** What its current reports state, known by `asOf`; absent where none were read. */
    readonly statements?: readonly Statement[] | undefined;
    readonly calendar: BusinessCalendar;
    readonly parameters: Pick<Parameters, 'choreography'>;
  },
): FilingChoreography {
  const { shelfTakedown, staffReview, lateFiling, initialOffering, merger } = parameters.choreography;
  const releases = letterReleases(rows, { calendar, ...staffReview });
  const counting =
    statements && new Set(statements.filter(countsCoins).map(({ source }) => source.accession));
  const known = filingEvents(rows, {
    releasedOn: (accession) => releases.get(accession) ?? null,
    statesCoins: counting && ((accession) => counting.has(accession)),
  }).filter((event) => event.knownOn <= asOf);
  const chains = assignChains([
    ...shelfTakedowns(known, { calendar, ...shelfTakedown }),
    ...privateConverts(known),
    ...staffReviews(known, staffReview),
    ...lateFilings(known, lateFiling),
    ...initialOfferings(known, initialOffering),
    ...mergers(known, merger),
  ]).map((chain) => ({
    ...chain,
    amounts: chainAmounts(chain.kind, {
      accessions: new Set(chain.steps.map(({ event }) => event.accession)),
      statements: statements ?? [],
    }),
  }));
  const places = new Map(
    chains.flatMap(({ sequenceId, steps }) =>
      steps.map(({ event, confidence }, i) => [event.accession, { sequenceId, step: i + 1, confidence }]),
    ),
  );
  const alone = { confidence: 'direct' as const, sequenceId: null, step: null };
  return {
    events: known.map((event) => ({ ...event, ...(places.get(event.accession) ?? alone) })),
    chains,
  };
}

/** Coins held, bought, sold, mined or pledged; shares sold, cash and debt are no treasury event (M7.1). */
function countsCoins({ kind, units }: Statement): boolean {
  return units !== null && kind !== 'atm';
}

/** The event as it is published (I2.37). */
export function publishedEvent(event: PlacedEvent): ChoreographyEvent {
  return {
    date: event.filed,
    form: event.form,
    label: event.label,
    family: event.family,
    accession: event.accession,
    filing_url: filingUrl(event),
    accepted_at: event.acceptedAt,
    confidence: event.confidence,
    source: 'EDGAR submissions',
    sequence_id: event.sequenceId,
    sequence_step: event.step,
  };
}

/** The chain as it is published (I2.38). */
export function publishedChain(chain: FilingChain): ChoreographyChain {
  const dates = chain.steps.map(({ event }) => event.filed).toSorted(compareText);
  return {
    sequence_id: chain.sequenceId,
    family: chain.family,
    label: chain.label,
    start_date: dates[0] ?? chain.anchor.filed,
    end_date: dates.at(-1) ?? chain.anchor.filed,
    events: chain.steps.map(({ event }) => event.accession),
    interpretation: chain.interpretation,
    ...chain.amounts,
  };
}

/** Private convertible notes (M7.5): an 8-K with items 1.01, 2.03 and 3.02, and the next 10-Q or 10-K. */
function privateConverts(events: readonly FilingEvent[]): ChainProposal[] {
  return events.filter(isConvert).map((anchor) => {
    const report = events.find((e) => isReport(e) && compareEvents(e, anchor) > 0);
    return chainOf('private_convert', { anchor, members: membersOf('derived', anchor, report) });
  });
}

// amendments repeat the items of the report they amend
function isConvert(e: FilingEvent): boolean {
  return e.form === '8-K' && ['1.01', '2.03', '3.02'].every((item) => e.items.includes(item));
}

function isReport(e: FilingEvent): boolean {
  return e.form === '10-Q' || e.form === '10-K';
}

/** A chain with its events in step order, first step 1. */
export type FilingChain = Omit<ChainProposal, 'members' | 'needsAnchor' | 'atLeast'> & {
  readonly sequenceId: string;
  /** What its reports state of its money (M7.11). */
  readonly amounts: ChainAmounts;
  readonly steps: readonly ChainMember[];
};

/**
 * Gives every event to at most one chain: the earliest anchor wins (M7.3); a time or item rule that could have
 * placed it in more than one makes it unresolved (M7.10).
 */
function assignChains(proposals: readonly ChainProposal[]): Omit<FilingChain, 'amounts'>[] {
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
    const free = new Map<string, ChainMember>();
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

/**
 * Late filers (M7.8, Rule 12b-25): the notice and the report it announces, cured on time within 15 days (10-K) or
 * 5 days (10-Q) of the notice, late after them, open while there is no report.
 */
function lateFilings(
  events: readonly FilingEvent[],
  input: { readonly annualDays: number; readonly quarterlyDays: number },
): ChainProposal[] {
  return events.flatMap((notice) => {
    const rule = ruleOf(notice.form, input);
    if (rule === null) return [];
    const report = events.find((e) => rule.forms.includes(e.form) && announces(notice, e));
    const outcome = outcomeOf(report, addDays(notice.filed, rule.days));
    const members = membersOf('derived', notice, report);
    return chainOf('late_filer', { anchor: notice, members }, outcome);
  });
}

type Outcome = 'cured on time' | 'late' | 'open';

function ruleOf(form: string, { annualDays, quarterlyDays }: { annualDays: number; quarterlyDays: number }) {
  if (form === 'NT 10-K') return { forms: ['10-K', '10-KT'], days: annualDays };
  if (form === 'NT 10-Q') return { forms: ['10-Q', '10-QT'], days: quarterlyDays };
  if (form === 'NT 10-S') return { forms: ['10-S', '10-ST'], days: quarterlyDays };
  return null;
}

/** The first report after the notice, of the period the notice names where both name one. */
function announces(notice: FilingEvent, report: FilingEvent): boolean {
  if (compareEvents(report, notice) <= 0) return false;
  const named = notice.reportDate !== null && report.reportDate !== null;
  return !named || notice.reportDate === report.reportDate;
}

function outcomeOf(report: FilingEvent | undefined, lastDay: string): Outcome {
  if (report === undefined) return 'open';
  return report.filed <= lastDay ? 'cured on time' : 'late';
}

/** What the reports of a chain state of its money; a member is absent where they state none (M7.11). */
type ChainAmounts = Pick<ChoreographyChain, 'principal' | 'net_proceeds' | 'securities_sold'>;

/**
 * Principal and net proceeds of notes placed privately; shares sold from a shelf by security, with the capacity that the newest
 * report leaves (M7.11).
 */
export function chainAmounts(
  kind: string,
  {
    accessions,
    statements,
  }: { readonly accessions: ReadonlySet<string>; readonly statements: readonly Statement[] },
): ChainAmounts {
  const own = statements.filter(
    ({ source, confidence }) => accessions.has(source.accession) && confidence !== 'Low',
  );
  if (kind === 'private_convert') return ofNotes(own.filter((one) => one.kind === 'notes_issued'));
  return kind === 'shelf_takedown' ? ofShares(own.filter((one) => one.kind === 'atm')) : {};
}

function ofNotes(notes: readonly Statement[]): ChainAmounts {
  const principals = notes.flatMap(({ usd }) => (usd === null ? [] : [usd]));
  const net = notes.flatMap(({ netProceeds }) => (netProceeds === null ? [] : [netProceeds]));
  return {
    ...(principals.length === 0 ? {} : { principal: sumOf(principals) }),
    ...(net.length === 0 || net.length < notes.length ? {} : { net_proceeds: sumOf(net) }),
  };
}

function ofShares(sales: readonly Statement[]): ChainAmounts {
  const dated = sales.filter(({ asOf, units }) => asOf !== null && units !== null);
  if (dated.length === 0) return {};
  const bySecurity = [...Map.groupBy(dated, ({ security }) => security)];
  return {
    securities_sold: bySecurity
      .toSorted(([a], [b]) => compareText(a ?? '', b ?? ''))
      .map(([security, of]) => {
        const newest = of.toSorted((a, b) => compareText(a.asOf ?? '', b.asOf ?? '')).at(-1);
        const proceeds = of.flatMap(({ usd }) => (usd === null ? [] : [usd]));
        return {
          security,
          shares: sumOf(of.map(({ units }) => units ?? ExactDecimal.zero)).toNumber(),
          proceeds: proceeds.length < of.length ? null : sumOf(proceeds),
          capacity_left: newest?.capacityLeft ?? null,
          to: newest?.asOf ?? '',
        };
      }),
  };
}
