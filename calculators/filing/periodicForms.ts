/**
 * Forms of reports with a balance sheet, by pattern, so that a form of next year is read as its kind: annual, quarterly and
 * half-yearly (10-S, proposed) reports, those of a transition period (T), and the annual reports of foreign issuers. The SQL
 * of the warehouse has the same patterns (M1.39).
 */
export const formPatterns = {
  /** May carry a balance sheet: a 6-K does where it has XBRL. */
  periodic: '(10-[KQS]T?|20-F|40-F|6-K)(/A)?',
  /** Should carry one: no amendment, which may correct a page. */
  report: '10-[KQS]T?|20-F|40-F',
} as const;

const periodic = new RegExp(`^(${formPatterns.periodic})$`);
const report = new RegExp(`^(${formPatterns.report})$`);

/** True for the forms of M1.39, their transition reports and amendments. */
export function isPeriodicForm(form: string): boolean {
  return periodic.test(form);
}

/** True for a report that should have a balance sheet: no 6-K, no amendment. */
export function isReportForm(form: string): boolean {
  return report.test(form);
}

/** True for the report of a year or of a transition period that ends with one, amended or not. */
export function isAnnualForm(form: string): boolean {
  return /^(10-KT?|20-F|40-F)(\/A)?$/.test(form);
}

/** True for the report of a transition period, which is of any length (Rule 13a-10). */
export function isTransitionForm(form: string): boolean {
  return /^10-[KQS]T(\/A)?$/.test(form);
}

/** True for reports of domestic issuers, amended or not. */
export function isDomesticReport(form: string): boolean {
  return /^10-[KQS]T?(\/A)?$/.test(form);
}
