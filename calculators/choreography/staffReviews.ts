import { compareText } from '../../data/contract/values/compareText.ts';
import type { BusinessCalendar } from '../changes/businessCalendar.ts';
import { addDays, daysBetween } from '../exact/civilDate.ts';
import { addBusinessDays, type ChainProposal, compareEvents, type FilingEvent } from './filingEvent.ts';
import { type FilingRow, isForm } from './filingRow.ts';

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
    return {
      kind: 'staff_review',
      family: 'sec_review',
      label: 'Staff review',
      interpretation:
        'The staff asked, the issuer answered and the staff closed the review; its letters were released after it ended.',
      anchor,
      needsAnchor: false,
      atLeast: 2,
      members: members.map((event) => ({ event, confidence: 'derived' as const })),
    } satisfies ChainProposal;
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
