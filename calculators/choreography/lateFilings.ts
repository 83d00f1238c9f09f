import { addDays } from '../exact/civilDate.ts';
import type { ChainProposal } from './filingChain.ts';
import { compareEvents, type FilingEvent } from './filingEvent.ts';

/**
 * Late filers (M7.8, Rule 12b-25): the notice and the report it announces, cured on time within 15 days (10-K) or
 * 5 days (10-Q) of the notice, late after them, open while there is no report.
 */
export function lateFilings(
  events: readonly FilingEvent[],
  input: { readonly annualDays: number; readonly quarterlyDays: number },
): ChainProposal[] {
  return events.flatMap((notice) => {
    const rule = ruleOf(notice.form, input);
    if (rule === null) return [];
    const report = events.find((e) => rule.forms.includes(e.form) && announces(notice, e));
    const outcome = outcomeOf(report, addDays(notice.filed, rule.days));
    return {
      kind: 'late_filer',
      family: 'periodic',
      label: `Late filer: ${outcome}`,
      interpretation: interpretations[outcome],
      anchor: notice,
      needsAnchor: true,
      atLeast: 1,
      members: [notice, ...(report === undefined ? [] : [report])].map((event) => ({
        event,
        confidence: 'derived' as const,
      })),
    } satisfies ChainProposal;
  });
}

type Outcome = 'cured on time' | 'late' | 'open';

const interpretations: Readonly<Record<Outcome, string>> = {
  'cured on time': 'The report followed its late notice within the extension of Rule 12b-25.',
  late: 'The report followed its late notice after the extension of Rule 12b-25.',
  open: 'A late notice was filed; the report has not followed yet.',
};

function ruleOf(form: string, { annualDays, quarterlyDays }: { annualDays: number; quarterlyDays: number }) {
  if (form === 'NT 10-K') return { forms: ['10-K', '10-KT'], days: annualDays };
  if (form === 'NT 10-Q') return { forms: ['10-Q', '10-QT'], days: quarterlyDays };
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
