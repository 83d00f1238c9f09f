import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { currentReports, reportingEnded } from '../age/currentReports.ts';
import { nextReportDue } from '../age/nextReport.ts';
import type { GradedPosition } from '../position/gradePosition.ts';
import type { SliceContext } from './assessIssuers.ts';

type AgeMembers = Pick<
  CovenantStress,
  'filed' | 'filing_age_days' | 'next_report_due' | 'current_reports' | 'current_reports_missing'
>;

type StatedAge = Pick<CovenantStress, 'filed' | 'filing_age_days' | 'next_report_due'>;

/** How old the balance sheet behind a row is, what should have replaced it, and what was reported since (M1.60, M1.61). */
export function filingAge(
  { filing, ageDays, reporting, issuer }: GradedPosition,
  { sourceDate, parameters, calendar, submissions }: SliceContext,
): { readonly members: AgeMembers; readonly notes: readonly string[] } {
  const listed = submissions?.(issuer.cik) ?? null;
  const ended = reportingEnded(listed, { sourceDate });
  const due =
    ended === null
      ? nextReportDue(filing, { reporting, calendar: calendar ?? { holidays: new Set() } })
      : null;
  return {
    members: {
      filed: filing.filingDateStatutory === true ? null : filing.filed,
      filing_age_days: ageDays,
      next_report_due: due,
      ...currentReports(filing, { submissions: listed, sourceDate }),
    },
    notes: [
      ...(ageDays > parameters.filingAgeDays.fresh ? [`filing_age:${ageDays}`] : []),
      ...(due !== null && due < sourceDate ? [`newer_report_due:${due}`] : []),
      ...(ended === null ? [] : [`reporting_ended:${ended}`]),
    ],
  };
}

/** The age of an issuer's row, for a row of a list that is made of it; `{}` of a row of an older program. */
export function ageOfRow({ filed, filing_age_days, next_report_due }: CovenantStress): StatedAge {
  if (filing_age_days === undefined) return {};
  return { filed: filed ?? null, filing_age_days, next_report_due: next_report_due ?? null };
}
