import type { BusinessCalendar } from '../changes/businessCalendar.ts';
import {
  addBusinessDays,
  addYears,
  type ChainProposal,
  compareEvents,
  type FilingEvent,
} from './filingEvent.ts';
import { isAmendment, isForm } from './filingRow.ts';

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
    const lastDay = addYears(shelf.filed, closesAfterYears);
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
    return {
      kind: 'shelf_takedown',
      family: 'prospectus',
      label: 'Shelf takedown',
      interpretation:
        'Securities sold from a registered shelf: prospectuses carry its file number; current reports join by date.',
      anchor: shelf,
      needsAnchor: true,
      atLeast: 2,
      members: [
        { event: shelf, confidence: 'direct' },
        ...direct.map((event) => ({ event, confidence: 'direct' as const })),
        ...reports.map((event) => ({ event, confidence: 'derived' as const })),
      ],
    };
  });
}

const prospectuses = ['1', '2', '3', '4', '5', '6', '7', '8'].map((n) => `424B${n}`);

function isShelf(e: FilingEvent): boolean {
  return !isAmendment(e) && isForm(e, 'S-3', 'S-3ASR', 'F-3', 'F-3ASR');
}
