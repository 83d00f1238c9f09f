import { compareText } from '../../data/contract/values/compareText.ts';
import type { BusinessCalendar } from '../changes/businessCalendar.ts';
import { addDays, addMonths, daysBetween } from '../exact/civilDate.ts';
import {
  addBusinessDays,
  type ChainMember,
  type ChainProposal,
  type Confidence,
  chainOf,
  compareEvents,
  type FilingEvent,
  type FilingRow,
  isAmendment,
  isForm,
  membersOf,
} from './filingEvent.ts';

/**
 * Shelf takedowns (M7.4): an S-3, S-3ASR or F-3 with the 424B and FWP of its file number, and the current reports
 * with item 1.01 or 8.01 around a 424B. A shelf closes after three years or with the next shelf.
 */
export function shelfTakedowns(
  events: readonly FilingEvent[],
  {
    calendar,
    beforeBusinessDays,
    afterBusinessDays,
    closesAfterYears,
  }: {
    readonly calendar: BusinessCalendar;
    readonly beforeBusinessDays: number;
    readonly afterBusinessDays: number;
    readonly closesAfterYears: number;
  },
): ChainProposal[] {
  const shelves = events.filter((e) => isShelf(e) && e.fileNumber !== null);
  return shelves.map((shelf, i) => {
    const next = shelves.slice(i + 1).find((later) => later.fileNumber !== shelf.fileNumber);
    const lastDay = addMonths(shelf.filed, 12 * closesAfterYears);
    const open = (e: FilingEvent) =>
      compareEvents(e, shelf) > 0 && e.filed <= lastDay && (next === undefined || compareEvents(e, next) < 0);
    const direct = events.filter(
      (e) => e.fileNumber === shelf.fileNumber && isForm(e, ...prospectuses, 'FWP') && open(e),
    );
    const takedowns = direct.filter((e) => !isForm(e, 'FWP'));
    const windows = takedowns.map(({ filed }) => ({
      from: addBusinessDays(filed, -beforeBusinessDays, calendar),
      to: addBusinessDays(filed, afterBusinessDays, calendar),
    }));
    const reports = events.filter(
      (e) =>
        isForm(e, '8-K') &&
        (e.items.includes('1.01') || e.items.includes('8.01')) &&
        windows.some(({ from, to }) => from <= e.filed && e.filed <= to) &&
        open(e),
    );
    const members = [...membersOf('direct', shelf, ...direct), ...membersOf('derived', ...reports)];
    return chainOf('shelf_takedown', { anchor: shelf, members });
  });
}

const prospectuses = ['1', '2', '3', '4', '5', '6', '7', '8'].map((n) => `424B${n}`);

function isShelf(e: FilingEvent): boolean {
  return !isAmendment(e) && isForm(e, 'S-3', 'S-3ASR', 'F-3', 'F-3ASR');
}

/**
 * Days from which review letters are public (M7.7), by accession: so many business days after the last letter of
 * their review. A letter that answers nothing yet ends its own review.
 */
export function letterReleases(
  rows: readonly FilingRow[],
  {
    calendar,
    gapDays,
    releaseBusinessDays,
  }: { readonly calendar: BusinessCalendar; readonly gapDays: number; readonly releaseBusinessDays: number },
): ReadonlyMap<string, string> {
  const letters = rows
    .filter(isLetter)
    .toSorted((a, b) => compareText(a.filed, b.filed) || compareText(a.accession, b.accession));
  const released = new Map<string, string>();
  for (const run of runsOf(letters, gapDays)) {
    const day = addBusinessDays(run.at(-1)?.filed ?? '', releaseBusinessDays, calendar);
    for (const { accession } of run) released.set(accession, day);
  }
  return released;
}

/**
 * Staff reviews (M7.6): letters of the staff and answers, no more than `gapDays` apart, from the first letter of the
 * staff to its last, about the latest periodic or registration filing of the `anchorDays` before.
 */
export function staffReviews(
  events: readonly FilingEvent[],
  { gapDays, anchorDays }: { readonly gapDays: number; readonly anchorDays: number },
): ChainProposal[] {
  const anchors = new Set<string>();
  return runsOf(events.filter(isLetter), gapDays).flatMap((run) => {
    const from = run.findIndex(isStaffLetter);
    const letters = run.slice(from, run.findLastIndex(isStaffLetter) + 1);
    const first = letters[0];
    if (from < 0 || first === undefined || letters.length < 2) return [];
    const earliest = addDays(first.filed, -anchorDays);
    const filing = events.findLast(
      (e) => isReviewed(e) && e.filed >= earliest && compareEvents(e, first) < 0,
    );
    // a second review of one filing has no other name than that of its first letter
    const anchor = filing === undefined || anchors.has(filing.accession) ? first : filing;
    anchors.add(anchor.accession);
    const members = anchor === first ? letters : [anchor, ...letters];
    return chainOf('staff_review', { anchor, members: membersOf('derived', ...members) });
  });
}

function runsOf<T extends { readonly filed: string }>(letters: readonly T[], gapDays: number): T[][] {
  const runs: T[][] = [];
  for (const letter of letters) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run !== undefined && before !== undefined && daysBetween(before.filed, letter.filed) <= gapDays) {
      run.push(letter);
    } else runs.push([letter]);
  }
  return runs;
}

function isLetter(row: Pick<FilingRow, 'form'>): boolean {
  return isForm(row, 'UPLOAD', 'CORRESP');
}

function isStaffLetter(row: Pick<FilingRow, 'form'>): boolean {
  return isForm(row, 'UPLOAD');
}

// the staff reviews neither its own notice of effectiveness nor a notice that a report is late
function isReviewed(e: FilingEvent): boolean {
  if (e.family !== 'periodic' && e.family !== 'registration') return false;
  return !isForm(e, 'EFFECT', 'NT 10-K', 'NT 10-Q');
}

/** Limits of an offering: a listing follows the final prospectus, everything its registration. */
type OfferingLimits = { readonly listingDays: number; readonly registrationYears: number };

/**
 * The initial public offering (M7.9): drafts → S-1 or F-1 → amendments → EFFECT → 424B4 → 8-A12B → first 10-Q. A
 * registrant that reported before its registration has none.
 */
export function initialOfferings(events: readonly FilingEvent[], limits: OfferingLimits): ChainProposal[] {
  const registration = events.find((e) => !isAmendment(e) && isForm(e, 'S-1', 'F-1'));
  const reported = events.find((e) => isForm(e, '10-K', '10-Q', '10-S', '20-F', '40-F', '8-K'));
  const drafts = events.filter((e) => isForm(e, 'DRS') && isBefore(e, registration ?? reported));
  const anchor = drafts[0] ?? registration;
  if (anchor === undefined || (reported !== undefined && compareEvents(reported, anchor) < 0)) return [];
  if (registration !== undefined && !isBefore(registration, reported)) return [];
  const members = drafts.flatMap((event) =>
    membersOf(event === anchor ? 'direct' : joined(event, anchor), event),
  );
  if (registration !== undefined) members.push(...offering(events, { registration, anchor, limits }));
  return [chainOf('ipo', { anchor, members })];
}

function offering(
  events: readonly FilingEvent[],
  {
    registration,
    anchor,
    limits,
  }: { readonly registration: FilingEvent; readonly anchor: FilingEvent; readonly limits: OfferingLimits },
): ChainMember[] {
  const within = (e: FilingEvent) =>
    compareEvents(e, registration) > 0 &&
    e.filed <= addMonths(registration.filed, 12 * limits.registrationYears);
  const sameFile = (e: FilingEvent) =>
    registration.fileNumber !== null && e.fileNumber === registration.fileNumber && within(e);
  const prospectus = events.find((e) => isForm(e, '424B4') && sameFile(e));
  const effect = events.find((e) => isForm(e, 'EFFECT') && sameFile(e));
  const amendments = events.filter(
    (e) => isAmendment(e) && isForm(e, 'S-1', 'F-1') && sameFile(e) && isBefore(e, prospectus),
  );
  const sold = prospectus ?? effect;
  const lastListing = sold === undefined ? undefined : addDays(sold.filed, limits.listingDays);
  const listing = events.find(
    (e) =>
      !isAmendment(e) &&
      isForm(e, '8-A12B') &&
      within(e) &&
      (lastListing === undefined || e.filed <= lastListing),
  );
  const quarterly =
    sold === undefined ? undefined : events.find((e) => e.form === '10-Q' && compareEvents(e, sold) > 0);
  return [
    ...membersOf(joined(registration, anchor), registration),
    ...membersOf('direct', ...amendments, effect, prospectus),
    ...membersOf('derived', listing, quarterly),
  ];
}

// a draft has a file number of its own (377-), so the public registration follows it by time alone
function joined(event: FilingEvent, anchor: FilingEvent): Confidence {
  return event.fileNumber !== null && event.fileNumber === anchor.fileNumber ? 'direct' : 'derived';
}

function isBefore(e: FilingEvent, other: FilingEvent | undefined): boolean {
  return other === undefined || compareEvents(e, other) < 0;
}

/**
 * Mergers and SPAC combinations (M7.9): 8-K with item 1.01 → S-4 or F-4 → 425 → DEFM14A → 8-K with item 2.01.
 *
 * An S-4 alone also registers exchange offers, so a 425 or a merger proxy has to stand beside it.
 *
 * @param agreementDays the agreement is reported at most this long before its registration or proxy
 * @param closingDays the steps after the registration or proxy take at most this long
 */
export function mergers(
  events: readonly FilingEvent[],
  { agreementDays, closingDays }: { readonly agreementDays: number; readonly closingDays: number },
): ChainProposal[] {
  const proposals: ChainProposal[] = [];
  let closedBy: FilingEvent | null = null;
  for (const core of events) {
    if (isAmendment(core) || !isForm(core, 'S-4', 'F-4', 'DEFM14A')) continue;
    // the proxy of a merger that has its registration already, or a second registration of it
    if (closedBy !== null && compareEvents(core, closedBy) <= 0) continue;
    const lastDay = addDays(core.filed, closingDays);
    const from = addDays(core.filed, -agreementDays);
    const within = events.filter((e) => e.filed >= from && e.filed <= lastDay);
    const after = within.filter((e) => compareEvents(e, core) > 0);
    const closing = after.find((e) => e.form === '8-K' && e.items.includes('2.01'));
    const proxy = after.find((e) => isForm(e, 'DEFM14A'));
    const messages = within.filter((e) => isForm(e, '425') && isBefore(e, closing));
    if (!isForm(core, 'DEFM14A') && proxy === undefined && messages.length === 0) continue;
    const agreements = within.filter(
      (e) => e.form === '8-K' && e.items.includes('1.01') && compareEvents(e, core) < 0,
    );
    const agreement = agreements.at(-1);
    const anchor = agreement ?? core;
    const steps = membersOf('derived', ...messages, proxy, closing);
    const amendments = after.filter(
      (e) =>
        isAmendment(e) &&
        core.fileNumber !== null &&
        e.fileNumber === core.fileNumber &&
        isForm(e, 'S-4', 'F-4'),
    );
    // which of several agreements was the merger the archive does not say (M7.10)
    const found: Confidence = agreements.length > 1 ? 'unresolved' : 'derived';
    const members = [
      ...membersOf(found, agreement),
      ...membersOf(agreement === undefined ? 'direct' : 'derived', core),
      ...membersOf('direct', ...amendments),
      ...steps.filter(({ event }) => event !== agreement && compareEvents(event, anchor) >= 0),
    ];
    proposals.push(chainOf('merger', { anchor, members }));
    closedBy = closing ?? within.at(-1) ?? core;
  }
  return proposals;
}
