import { daysCovered } from '../civilDate.ts';
import type { FactSheet } from '../factSheet.ts';
import type { Parameters } from '../parameters.ts';

/**
 * The first day of the fiscal year a filing's period lies in: where its longest flow of at most a year begins.
 * null when the filing states no flow to the period end.
 */
export function fiscalYearStart(sheet: FactSheet, { flowDays }: Parameters): string | null {
  const starts = sheet.facts
    .filter((fact) => fact.end === sheet.period)
    .map((fact) => fact.start)
    .filter((start) => start !== null)
    .filter((start) => start < sheet.period && daysCovered(start, sheet.period) <= flowDays.annualMax);
  return starts.reduce<string | null>(
    (earliest, start) => (earliest === null || start < earliest ? start : earliest),
    null,
  );
}

/** True when the period is measured at fair value because its fiscal year begins after the adoption day (M2.1). */
export function adoptedFairValue(sheet: FactSheet, parameters: Parameters): boolean {
  const start = fiscalYearStart(sheet, parameters);
  return start !== null && start > parameters.fairValueAdoption;
}
