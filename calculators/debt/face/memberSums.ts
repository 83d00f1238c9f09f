import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../../exact/sumOf.ts';
import type { InstanceFact, XbrlFiling } from '../../filing/xbrlFiling.ts';

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
