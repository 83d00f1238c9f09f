import { compareText } from '../../../data/contract/values/compareText.ts';
import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { type FactSheet, qualifiedName } from '../../filing/factSheet.ts';
import type { InstanceFact, XbrlFiling } from '../../filing/xbrlFiling.ts';
import type { Concepts } from '../../parameters/concepts.ts';
import type { Parameters } from '../../parameters/parameters.ts';

type DebtAmount = { readonly concept: string; readonly value: ExactDecimal };

/** Balances that the dictionary lacks and whose names say debt. */
const debtName = /:\w*(NotesPayable|LoansPayable|Borrowings|Debt|Debentures)(Current|Noncurrent)?$/;

type Stated = {
  readonly sheet: FactSheet;
  readonly filing: XbrlFiling | null;
  readonly parameters: Parameters;
};

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
