import type { ChainProposal } from './filingChain.ts';
import { compareEvents, type FilingEvent } from './filingEvent.ts';

/** Private convertible notes (M7.5): an 8-K with items 1.01, 2.03 and 3.02, and the next 10-Q or 10-K. */
export function privateConverts(events: readonly FilingEvent[]): ChainProposal[] {
  return events.filter(isConvert).map((anchor) => {
    const report = events.find((e) => isReport(e) && compareEvents(e, anchor) > 0);
    return {
      kind: 'private_convert',
      family: 'debt',
      label: 'Private convertible notes',
      interpretation:
        'An agreement, a new financial obligation and an unregistered sale in one report: convertible notes placed privately; the next periodic report carries them.',
      anchor,
      needsAnchor: true,
      atLeast: 1,
      members: [
        { event: anchor, confidence: 'derived' },
        ...(report === undefined ? [] : [{ event: report, confidence: 'derived' as const }]),
      ],
    };
  });
}

// amendments repeat the items of the report they amend
function isConvert(e: FilingEvent): boolean {
  return e.form === '8-K' && ['1.01', '2.03', '3.02'].every((item) => e.items.includes(item));
}

function isReport(e: FilingEvent): boolean {
  return e.form === '10-Q' || e.form === '10-K';
}
