import { daysCovered } from '../exact/civilDate.ts';
import { type FactSheet, qualifiedName } from '../filing/factSheet.ts';
import { flowConcepts } from '../fundamentals/conceptPrecedence.ts';
import type { Parameters } from '../parameters/parameters.ts';

/** Statement flows run from the start of the fiscal year; a disclosure may cover any twelve months. */
const statementFlows: readonly string[] = Object.values(flowConcepts).flat();

/**
 * The first day of the fiscal year a filing's period lies in: where its longest statement flow of at most a
 * year begins. null when the filing states no such flow to the period end.
 */
export function fiscalYearStart(sheet: FactSheet, { flowDays }: Parameters): string | null {
  const starts = sheet.facts
    .filter((fact) => fact.end === sheet.period && statementFlows.includes(qualifiedName(fact)))
    .map((fact) => fact.start)
    .filter((start) => start !== null)
    .filter((start) => start < sheet.period && daysCovered(start, sheet.period) <= flowDays.annualMax);
  return starts.sort()[0] ?? null;
}

/** True when the period is measured at fair value because its fiscal year begins after the adoption day (M2.1). */
export function adoptedFairValue(sheet: FactSheet, parameters: Parameters): boolean {
  const start = fiscalYearStart(sheet, parameters);
  return start !== null && start > parameters.fairValueAdoption;
}
