import { addDays } from '../exact/civilDate.ts';
import { type ChainProposal, type Confidence, compareEvents, type FilingEvent } from './filingEvent.ts';
import { isAmendment, isForm } from './filingRow.ts';

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
    const steps = [...messages, proxy, closing].flatMap((event) => (event === undefined ? [] : [event]));
    const amendments = after.filter(
      (e) =>
        isAmendment(e) &&
        core.fileNumber !== null &&
        e.fileNumber === core.fileNumber &&
        isForm(e, 'S-4', 'F-4'),
    );
    // which of several agreements was the merger the archive does not say (M7.10)
    const found: Confidence = agreements.length > 1 ? 'unresolved' : 'derived';
    proposals.push({
      kind: 'merger',
      family: 'registration',
      label: 'Merger or SPAC combination',
      interpretation:
        'An agreement, its registration or merger proxy, communications and completion, as far as filed.',
      anchor,
      needsAnchor: false,
      atLeast: 2,
      members: [
        ...(agreement === undefined ? [] : [{ event: agreement, confidence: found }]),
        { event: core, confidence: agreement === undefined ? 'direct' : 'derived' },
        ...amendments.map((event) => ({ event, confidence: 'direct' as const })),
        ...steps
          .filter((event) => event !== agreement && compareEvents(event, anchor) >= 0)
          .map((event) => ({ event, confidence: 'derived' as const })),
      ],
    });
    closedBy = closing ?? within.at(-1) ?? core;
  }
  return proposals;
}

function isBefore(e: FilingEvent, other: FilingEvent | undefined): boolean {
  return other === undefined || compareEvents(e, other) < 0;
}
