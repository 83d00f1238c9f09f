import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { daysBetween } from '../exact/civilDate.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { Parameters } from '../parameters/parameters.ts';

const interestConcepts: readonly string[] = [
  'InterestExpense',
  'InterestExpenseDebt',
  'InterestExpenseLongTermDebt',
  'InterestAndDebtExpense',
  'InterestExpenseNonoperating',
  'InterestExpenseOperating',
  'InterestPaidNet',
];

/**
 * Interest of the filing's longest period that ends at the balance-sheet date, for a year, over debt (M1.37b): a rate.
 * null when no period is long enough or no interest is filed for it; a period that ends elsewhere is ignored.
 */
export function impliedInterest(sheet: FactSheet, debt: ExactDecimal, parameters: Parameters): number | null {
  if (debt.sign <= 0) return null;
  const interest = yearlyInterest(sheet, parameters);
  return interest === null ? null : interest / debt.toNumber();
}

/** The interest behind {@link impliedInterest}, USD a year; null where there is none. */
export function yearlyInterest(
  sheet: FactSheet,
  { impliedInterest: limits }: Pick<Parameters, 'impliedInterest'>,
): number | null {
  const flows = sheet.facts.flatMap(({ taxonomy, concept, unit, start, end, value }) => {
    const isInterest = taxonomy === 'us-gaap' && interestConcepts.includes(concept) && unit === 'USD';
    if (!isInterest || start === null || end !== sheet.period || value.sign <= 0) return [];
    return [{ days: daysBetween(start, end) + 1, value }];
  });
  const days = Math.max(0, ...flows.map((flow) => flow.days));
  if (days < limits.minDays) return null;
  const most = flows.filter((flow) => flow.days === days).map(({ value }) => value.toNumber());
  return (Math.max(...most) * 365) / days;
}

/** True when interest on long-term debt is filed for a period that ends at the balance-sheet date. */
export function paysLongTermInterest(sheet: FactSheet): boolean {
  return sheet.facts.some(
    ({ concept, unit, start, end, value }) =>
      concept === 'InterestExpenseLongTermDebt' &&
      unit === 'USD' &&
      start !== null &&
      end === sheet.period &&
      value.sign > 0,
  );
}
