import type {
  CompanyFundamentals,
  FundamentalFact,
} from '../../data/contract/payloads/issuer/companyFundamentals.ts';
import type { DurationKind } from '../../data/contract/values/enums.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { daysCovered } from '../exact/civilDate.ts';
import { type FactSheet, qualifiedName } from '../filing/factSheet.ts';
import { isAnnualForm, isTransitionForm } from '../filing/periodicForms.ts';
import type { FiledFact, Filing } from '../filing/rows.ts';
import { isStandard } from '../network/conceptNames.ts';
import type { Parameters } from '../parameters/parameters.ts';
import {
  type FlowKey,
  flowConcepts,
  flowKeys,
  type InstantKey,
  instantConcepts,
  instantKeys,
  restrictedCash,
} from './conceptPrecedence.ts';

type Facts = CompanyFundamentals['provenance']['facts'];

/** The figures of one filing as filed, with the fact behind each (M10.8–M10.14, I2.8, I2.9). */
export type FiledFundamentals = {
  readonly fundamentals: CompanyFundamentals['fundamentals'];
  readonly context: NonNullable<CompanyFundamentals['fundamentals_context']>;
  readonly facts: Facts;
  readonly notes: readonly string[];
};

/** Reads the nine members of I2.8 from one filing; a member that is not filed is null. */
export function filedFundamentals(input: Source): FiledFundamentals {
  const facts: Facts = {};
  for (const key of flowKeys) {
    const fact = flowFact(key, input);
    if (fact !== null) facts[key] = fact;
  }
  for (const key of instantKeys) {
    const fact = instantFact(key, input);
    if (fact !== null) facts[key] = fact;
  }
  const value = (key: FlowKey | InstantKey) => facts[key]?.value ?? null;
  return {
    fundamentals: {
      revenue: value('revenue'),
      operating_income: value('operating_income'),
      net_income: value('net_income'),
      cash_flow_from_operations: value('cash_flow_from_operations'),
      total_assets: value('total_assets'),
      current_assets: value('current_assets'),
      cash_and_equivalents: value('cash_and_equivalents'),
      total_liabilities: value('total_liabilities'),
      total_equity: value('total_equity'),
    },
    context: flowContext(facts, input.filing),
    facts,
    notes: facts.cash_and_equivalents?.concept === restrictedCash ? ['includes_restricted_cash'] : [],
  };
}

type Source = { sheet: FactSheet; filing: Filing; parameters: Parameters };

function flowFact(key: FlowKey, { sheet, filing, parameters }: Source): FundamentalFact | null {
  const { form } = filing;
  const found = flowConcepts[key].find(
    (concept) => selectFlow({ sheet, concept, form, parameters }) !== null,
  );
  const concept = found ?? (key === 'revenue' ? ownRevenue({ sheet, form, parameters }) : null);
  const flow = concept === null ? null : selectFlow({ sheet, concept, form, parameters });
  if (concept === null || flow === null) return null;
  return { ...provenance(concept, filing), ...accuracy(flow.decimals), ...span(flow) };
}

function span(flow: SelectedFlow) {
  const { value, start, end, months, durationKind, yearToDate } = flow;
  const ytd =
    yearToDate === null
      ? null
      : {
          value: yearToDate.value,
          start: yearToDate.start,
          end: yearToDate.end,
          months: yearToDate.months,
        };
  return { value, start, end, months, duration_kind: durationKind, ytd };
}

function instantFact(key: InstantKey, { sheet, filing }: Source): FundamentalFact | null {
  for (const concept of instantConcepts[key]) {
    const value = sheet.amount(concept);
    if (value === null) continue;
    return {
      ...provenance(concept, filing),
      ...accuracy(decimalsOf(sheet, concept)),
      value,
      start: null,
      end: filing.period,
      months: null,
      duration_kind: 'instant',
      ytd: null,
    };
  }
  return null;
}

function provenance(concept: string, filing: Filing) {
  return { concept, unit: 'USD', accession_number: filing.accession, filed: filing.filed };
}

/** Decimals as the instance states them, null for exact; absent where they are not known (I2.11). */
function accuracy(decimals: FiledFact['decimals']): Pick<FundamentalFact, 'decimals'> {
  if (decimals === undefined || decimals === null) return {};
  return { decimals: decimals === 'INF' ? null : decimals };
}

/** undefined where the fact is a row of companyfacts, which carries none (M1.8). */
function decimalsOf(sheet: FactSheet, concept: string): FiledFact['decimals'] {
  const entry = sheet.chosen(concept);
  return entry?.origin === 'instance' && entry.kind === 'fact' ? entry.fact.decimals : undefined;
}

/** The span of the income-statement flows, and the flows that cover another one, each with its own (I2.9, M10.13). */
function flowContext(facts: Facts, filing: Filing): FiledFundamentals['context'] {
  const flow = facts.revenue ?? facts.operating_income ?? facts.net_income;
  const others = flowKeys.flatMap((member) => {
    const fact = facts[member];
    const isOther = fact !== undefined && (fact.start !== flow?.start || fact.end !== flow.end);
    return isOther ? [{ member, ...flowSpan(fact) }] : [];
  });
  return {
    currency: 'USD',
    instant_date: filing.period,
    ...flowSpan(flow),
    ...(others.length > 0 ? { other_flows: others } : {}),
  };
}

function flowSpan(flow: FundamentalFact | undefined) {
  return {
    flow_start: flow?.start ?? null,
    flow_end: flow?.end ?? null,
    flow_duration_days: flow?.start ? daysCovered(flow.start, flow.end) : null,
    flow_basis:
      flow === undefined || flow.duration_kind === 'instant' ? ('unknown' as const) : flow.duration_kind,
  };
}

/**
 * The filer's own revenue concept that its income statement proves: less `CostsAndExpenses` it is `OperatingIncomeLoss`, to
 * the dollar, in the quarter and in the year to date (M10.11b). null when none or several fit.
 */
function ownRevenue(asked: {
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

/** A filed flow with the span it covers. */
type Flow = {
  readonly value: ExactDecimal;
  readonly start: string;
  readonly end: string;
  readonly days: number;
  readonly months: number;
  readonly decimals?: FiledFact['decimals'];
};

type SelectedFlow = Flow & {
  readonly durationKind: Exclude<DurationKind, 'instant'>;
  /** Fiscal-year-to-date twin; null in annual reports. */
  readonly yearToDate: Flow | null;
};

/**
 * The flow an annual report states for twelve months, one of a transition period for all of it, an interim report for its
 * quarter, else its shortest span ending at the period end, with the year-to-date twin (M10.12). null when the concept is not filed that way.
 */
function selectFlow({
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
  if (isAnnualForm(form)) {
    const year = flows.find((flow) => flow.days >= annualMin);
    if (year !== undefined) return { ...year, durationKind: 'annual', yearToDate: null };
    const transition = isTransitionForm(form) ? flows.at(-1) : undefined;
    return transition === undefined
      ? null
      : { ...transition, durationKind: 'year_to_date', yearToDate: transition };
  }
  // a stub of some days beside the quarter is not the quarter
  const shortest = flows.find(({ months }) => months === 3) ?? flows[0];
  if (shortest === undefined) return null;
  if (shortest.days >= annualMin) return { ...shortest, durationKind: 'annual', yearToDate: null };
  // a trailing year is not a fiscal year to date
  const yearToDate = flows.findLast((flow) => flow.days < annualMin) ?? null;
  return {
    ...shortest,
    durationKind:
      shortest.days <= quarterMax
        ? 'quarter'
        : isHalfYear(shortest, { sheet, form, quarterMax })
          ? 'half_year'
          : 'year_to_date',
    yearToDate,
  };
}

/**
 * Whether six months are what a report is of: a half-yearly one, or the 6-K of an issuer that states no quarter. In a
 * quarterly report they are the year to date, as cash flows are filed.
 */
function isHalfYear(
  { months }: Flow,
  { sheet, form, quarterMax }: { sheet: FactSheet; form: string; quarterMax: number },
): boolean {
  if (months !== 6 || /^10-Q/.test(form)) return false;
  return !sheet.facts.some(
    ({ unit, start, end }) =>
      unit === 'USD' &&
      start !== null &&
      start < end &&
      end === sheet.period &&
      daysCovered(start, end) <= quarterMax,
  );
}

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
