import type { StatedFact } from '../../crypto/statedFacts.ts';
import { agree, type Rounded, roundedOf, roundedSum } from '../filedAmounts.ts';
import { type DebtDay, isOwed } from './debtConcepts.ts';
import { isDebtAxis, mayBeDebt, saysNothing } from './debtMembers.ts';
import { isBareClass, isStandardMember } from './memberNames.ts';

/** A table of the notes whose members add up to its total at the period end (M18.17). */
export type DebtTable = {
  readonly concept: string;
  readonly total: Rounded;
  /** What each member owes; the fact as filed. */
  readonly rows: ReadonlyMap<string, StatedFact>;
};

/**
 * Tables at the period end: an amount owed by members that name something, whose sum is the undimensioned fact of the
 * same concept. One row alone is a sentence that repeats the total.
 */
export function debtTables(facts: readonly StatedFact[], day: DebtDay): readonly DebtTable[] {
  const now = facts.filter(
    (fact) =>
      fact.start === null && fact.end === day.period && fact.unit === day.currency && isOwed(fact, day),
  );
  const byConcept = Map.groupBy(now, ({ concept }) => concept);
  return [...byConcept].flatMap(([concept, own]) => {
    const totals = own.filter(({ dimensions }) => dimensions.length === 0);
    const [total] = totals;
    if (total === undefined || totals.length > 1 || total.value.sign <= 0) return [];
    const named = own.filter(({ dimensions }) => !saysNothing(dimensions));
    // a table may list kinds alone (CLSK `ConvertibleNoteMember`), or total them beside its rows (TSLA)
    for (const withKinds of [false, true]) {
      const rows = rowsOf(named, withKinds);
      const amounts = [...rows.values()];
      const isTable = amounts.filter(({ value }) => value.sign > 0).length > 1;
      if (isTable && agree(roundedSum(amounts.map(roundedOf)), roundedOf(total))) {
        return [{ concept, total: roundedOf(total), rows }];
      }
    }
    return [];
  });
}

/** One amount for each member that names something; what stands beside a name describes it. */
function rowsOf(facts: readonly StatedFact[], withKinds: boolean): ReadonlyMap<string, StatedFact> {
  const rows = new Map<string, StatedFact>();
  for (const fact of facts) {
    const named = fact.dimensions.filter(mayBeDebt);
    const specific = named.filter(({ member }) => !isStandardMember(member) && !isBareClass(member));
    const kinds = named.filter((each) => isDebtAxis(each) && !isStandardMember(each.member));
    const [only, ...others] = specific.length > 0 || !withKinds ? specific : kinds;
    if (only === undefined || others.length > 0) continue;
    const known = rows.get(only.member);
    if (known === undefined || fact.dimensions.length < known.dimensions.length) rows.set(only.member, fact);
  }
  return rows;
}
