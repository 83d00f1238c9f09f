import { isStandard } from '../debt/concepts/classifyDebt.ts';
import { type FactSheet, qualifiedName } from '../filing/factSheet.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { type Flow, selectFlow } from './selectFlow.ts';

/**
 * The filer's own revenue concept that its income statement proves: less `CostsAndExpenses` it is `OperatingIncomeLoss`, to
 * the dollar, in the quarter and in the year to date (M10.11b). null when none or several fit.
 */
export function ownRevenue(asked: {
  readonly sheet: FactSheet;
  readonly form: string;
  readonly parameters: Parameters;
}): string | null {
  const { sheet } = asked;
  const costs = selectFlow({ ...asked, concept: 'us-gaap:CostsAndExpenses' });
  const income = selectFlow({ ...asked, concept: 'us-gaap:OperatingIncomeLoss' });
  if (costs === null || income === null) return null;
  const own = new Set(sheet.facts.filter(({ unit }) => unit === 'USD').map(qualifiedName));
  const fitting = [...own].filter((concept) => {
    if (isStandard(concept) || !/Revenues?$/.test(concept)) return false;
    const revenue = selectFlow({ ...asked, concept });
    if (revenue === null || !leaves(revenue, costs, income)) return false;
    const years = [revenue.yearToDate, costs.yearToDate, income.yearToDate] as const;
    const [ofYear, costsOfYear, incomeOfYear] = years;
    if (ofYear === null || costsOfYear === null || incomeOfYear === null)
      return years.every((flow) => flow === null);
    return leaves(ofYear, costsOfYear, incomeOfYear);
  });
  const [only, ...others] = fitting;
  return only !== undefined && others.length === 0 ? only : null;
}

function leaves(revenue: Flow, costs: Flow, income: Flow): boolean {
  const isOneSpan = [costs, income].every(({ start, end }) => start === revenue.start && end === revenue.end);
  return isOneSpan && revenue.value.minus(costs.value).equals(income.value);
}
