import { addDays } from '../exact/civilDate.ts';
import {
  addYears,
  type ChainProposal,
  type Confidence,
  compareEvents,
  type FilingEvent,
} from './filingEvent.ts';
import { isAmendment, isForm } from './filingRow.ts';

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
  const members: { event: FilingEvent; confidence: Confidence }[] = drafts.map((event) => ({
    event,
    confidence: event === anchor ? 'direct' : joined(event, anchor),
  }));
  if (registration !== undefined) members.push(...offering(events, { registration, anchor, limits }));
  return [
    {
      kind: 'ipo',
      family: 'registration',
      label: 'Initial public offering',
      interpretation:
        'A first registration from its draft to effectiveness, the final prospectus, the listing and the first quarterly report, as far as filed.',
      anchor,
      needsAnchor: true,
      atLeast: 1,
      members,
    },
  ];
}

function offering(
  events: readonly FilingEvent[],
  {
    registration,
    anchor,
    limits,
  }: { readonly registration: FilingEvent; readonly anchor: FilingEvent; readonly limits: OfferingLimits },
): { event: FilingEvent; confidence: Confidence }[] {
  const within = (e: FilingEvent) =>
    compareEvents(e, registration) > 0 && e.filed <= addYears(registration.filed, limits.registrationYears);
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
  const direct = [...amendments, effect, prospectus].flatMap((event) =>
    event === undefined ? [] : [{ event, confidence: 'direct' as const }],
  );
  const derived = [listing, quarterly].flatMap((event) =>
    event === undefined ? [] : [{ event, confidence: 'derived' as const }],
  );
  const own = { event: registration, confidence: joined(registration, anchor) };
  return [own, ...direct, ...derived];
}

// a draft has a file number of its own (377-), so the public registration follows it by time alone
function joined(event: FilingEvent, anchor: FilingEvent): Confidence {
  return event.fileNumber !== null && event.fileNumber === anchor.fileNumber ? 'direct' : 'derived';
}

function isBefore(e: FilingEvent, other: FilingEvent | undefined): boolean {
  return other === undefined || compareEvents(e, other) < 0;
}
