import type { DurationKind } from '../../data/contract/values/enums.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { daysCovered } from '../exact/civilDate.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import { qualifiedName } from '../filing/factSheet.ts';
import type { FiledFact } from '../filing/rows.ts';
import type { Parameters } from '../parameters/parameters.ts';

/** A filed flow with the span it covers. */
export type Flow = {
  readonly value: ExactDecimal;
  readonly start: string;
  readonly end: string;
  readonly days: number;
  readonly months: number;
  readonly decimals?: FiledFact['decimals'];
};

export type SelectedFlow = Flow & {
  readonly durationKind: Exclude<DurationKind, 'instant'>;
  /** Fiscal-year-to-date twin; null in annual reports. */
  readonly yearToDate: Flow | null;
};

const annualForms = /^(10-K|20-F|40-F)/;

/**
 * The flow an annual report states for twelve months, an interim report for its shortest span ending at the
 * period end, with the year-to-date twin (M10.12). null when the concept is not filed that way.
 */
export function selectFlow({
  sheet,
  concept,
  form,
  parameters,
}: {
  sheet: FactSheet;
  concept: string;
  form: string;
  parameters: Parameters;
}): SelectedFlow | null {
  const { annualMin, annualMax, quarterMax } = parameters.flowDays;
  const flows = flowsOf(sheet, concept).filter((flow) => flow.days <= annualMax);
  if (annualForms.test(form)) {
    const year = flows.find((flow) => flow.days >= annualMin);
    return year === undefined ? null : { ...year, durationKind: 'annual', yearToDate: null };
  }
  const [shortest] = flows;
  if (shortest === undefined) return null;
  if (shortest.days >= annualMin) return { ...shortest, durationKind: 'annual', yearToDate: null };
  // a trailing year is not a fiscal year to date
  const yearToDate = flows.findLast((flow) => flow.days < annualMin) ?? null;
  return {
    ...shortest,
    durationKind: shortest.days <= quarterMax ? 'quarter' : 'year_to_date',
    yearToDate,
  };
}

/** USD flows of a concept that end at the period end, shortest first; a span stated with two values is left out (M1.8). */
function flowsOf(sheet: FactSheet, concept: string): Flow[] {
  const byStart = new Map<string, FiledFact | null>();
  for (const fact of sheet.facts) {
    if (fact.unit !== 'USD' || fact.end !== sheet.period || qualifiedName(fact) !== concept) continue;
    if (fact.start === null || fact.start >= fact.end) continue;
    const earlier = byStart.get(fact.start);
    const isContradicted = earlier !== undefined && (earlier === null || !earlier.value.equals(fact.value));
    byStart.set(fact.start, isContradicted ? null : fact);
  }
  return [...byStart]
    .flatMap(([start, fact]) => (fact === null ? [] : [flow(fact, start, sheet.period)]))
    .sort((a, b) => a.days - b.days);
}

function flow({ value, decimals }: FiledFact, start: string, end: string): Flow {
  const days = daysCovered(start, end);
  const accuracy = decimals === undefined ? {} : { decimals };
  return { value, start, end, days, months: Math.round(days / 30.4375), ...accuracy };
}
