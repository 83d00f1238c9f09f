import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { filingAge as ageShape } from '../../data/contract/payloads/issuer/filingAge.ts';
import { currentReports, reportingEnded } from '../age/currentReports.ts';
import { nextReportDue } from '../age/nextReport.ts';
import type { GradedPosition } from '../position/gradePosition.ts';
import type { SliceContext } from './assessIssuers.ts';

type AgeMembers = Pick<
  CovenantStress,
  'filed' | 'filing_age_days' | 'next_report_due' | 'current_reports' | 'current_reports_missing'
>;

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

type ListSchema<Row> = {
  readonly shape: Readonly<Record<string, { isNullable(): boolean }>>;
  readonly _output: Row;
};

/**
 * A row of a list of issuers by its schema: what the list adds, else what the issuer's row has by that name. What neither
 * has is null where it may be, else absent; of a row without an age (an older program's) all of the age is absent.
 */
export function listRow<Row>(
  { shape }: ListSchema<Row>,
  row: CovenantStress,
  own: Omit<Row, keyof CovenantStress> & { readonly [Name in keyof Row]?: NoInfer<Row[Name]> | undefined },
): Row {
  const known: Readonly<Record<string, unknown>> = { ...row, ...own };
  const hasAge = row.filing_age_days !== undefined;
  const members = Object.entries(shape).flatMap(([name, field]) => {
    const value = known[name];
    if (value !== undefined) return [[name, value]];
    return field.isNullable() && (hasAge || !(name in ageShape)) ? [[name, null]] : [];
  });
  return Object.fromEntries(members) as Row;
}
