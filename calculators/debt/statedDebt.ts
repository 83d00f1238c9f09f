import { compareText } from '../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../exact/sumOf.ts';
import { qualifiedName } from '../filing/factSheet.ts';
import type { InstanceFact, XbrlFiling } from '../filing/xbrlFiling.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { DebtInputs } from './debtResolution.ts';

type DebtAmount = { readonly concept: string; readonly value: ExactDecimal };

/** Balances that the dictionary lacks and whose names say debt. */
const debtName = /:\w*(NotesPayable|LoansPayable|Borrowings|Debt|Debentures)(Current|Noncurrent)?$/;

type Stated = Pick<DebtInputs, 'sheet' | 'filing' | 'parameters'>;

/** Amounts of debt above zero that a filing states for its period end, dimensioned or not, by concept (M1.37b). */
export function debtAmounts(stated: Stated): readonly DebtAmount[] {
  const { period } = stated.sheet;
  return amountsOf(stated, (end, fact) => end === period && !isSubsequent(fact));
}

/** The largest amount of debt stated for a day after the period end, or as a subsequent event; null without one. */
export function subsequentDebt(stated: Stated): ExactDecimal | null {
  const { period } = stated.sheet;
  const later = amountsOf(stated, (end, fact) => end > period || (end === period && isSubsequent(fact)));
  return later.map(({ value }) => value).sort((a, b) => b.compare(a))[0] ?? null;
}

function amountsOf(
  { sheet, filing, parameters }: Stated,
  counts: (end: string, fact: InstanceFact | null) => boolean,
): readonly DebtAmount[] {
  const rows = sheet.facts
    .filter(
      ({ unit, start, value, end }) =>
        unit === 'USD' && start === null && value.sign > 0 && counts(end, null),
    )
    .map((fact) => ({ concept: qualifiedName(fact), value: fact.value }));
  const stated = (filing?.facts ?? []).flatMap((fact): DebtAmount[] => {
    const { concept, unit, start, end, value } = fact;
    if (unit !== 'USD' || start !== null || value === null || value.sign <= 0) return [];
    return counts(end, fact) ? [{ concept, value }] : [];
  });
  return [...rows, ...stated]
    .filter(({ concept }) => isDebt(concept, parameters.concepts))
    .sort((a, b) => compareText(a.concept, b.concept) || b.value.compare(a.value));
}

function isDebt(concept: string, concepts: Concepts): boolean {
  return (
    concept === 'us-gaap:DebtInstrumentFaceAmount' ||
    concepts.debtConcept(concept) !== undefined ||
    debtName.test(concept)
  );
}

function isSubsequent(fact: InstanceFact | null): boolean {
  return fact?.dimensions.some(({ member }) => /:SubsequentEventMember$/.test(member)) === true;
}

const faceAmount = 'us-gaap:DebtInstrumentFaceAmount';
const maturities = ['InNextTwelveMonths', 'RemainderOfFiscalYear', 'InYearTwo', 'InYearThree', 'InYearFour']
  .concat('InYearFive', 'AfterYearFive')
  .map((years) => `us-gaap:LongTermDebtMaturitiesRepaymentsOfPrincipal${years}`);

/**
 * What the notes of a filing say is owed at the period end, USD, smallest first: whole-entity amounts of debt or
 * principal, the table of maturities, and sums over the members of a debt axis. Principal may stand among them: they are
 * compared with a total and never enter one (M1.6, M1.36d).
 */
export function statedTotals({
  sheet,
  filing,
  parameters: { concepts },
}: Pick<DebtInputs, 'sheet' | 'filing' | 'parameters'>): readonly ExactDecimal[] {
  const debt = concepts.debt.filter(({ leasePart }) => leasePart === undefined);
  const named = [...debt.map(({ concept }) => concept), faceAmount];
  const positive = (concepts: readonly string[]) =>
    concepts.map((concept) => sheet.positive(concept)).filter((amount) => amount !== null);
  const due = positive(maturities);
  const counts = (concept: string) => named.includes(concept);
  return [
    ...positive(named),
    ...(due.length > 1 ? [sumOf(due)] : []),
    ...(filing === null ? [] : memberSums(filing, { period: sheet.period, counts })),
  ].sort((a, b) => a.compare(b));
}

const debtAxes =
  /:(DebtInstrumentAxis|LongtermDebtTypeAxis|ShortTermDebtTypeAxis|CreditFacilityAxis|DebtSecurityAxis)$/;

/** Sums of each concept that counts over the members of one debt axis at the period end, USD (M1.36b). */
export function memberSums(
  { facts }: XbrlFiling,
  { period, counts }: { readonly period: string; counts(concept: string): boolean },
): ExactDecimal[] {
  const own = facts.filter((fact) => counts(fact.concept) && isMemberAmount(fact, period));
  const groups = Map.groupBy(own, ({ concept, dimensions }) => `${concept} ${dimensions[0]?.axis}`);
  return [...groups.values()].map((group) => {
    const byMember = new Map(
      group.map((fact) => [fact.dimensions[0]?.member, fact.value ?? ExactDecimal.zero]),
    );
    return sumOf([...byMember.values()]);
  });
}

function isMemberAmount({ unit, start, end, dimensions, value }: InstanceFact, period: string): boolean {
  const [only, second] = dimensions;
  if (unit !== 'USD' || start !== null || end !== period || second !== undefined || value === null)
    return false;
  return only !== undefined && debtAxes.test(only.axis) && value.sign > 0;
}
