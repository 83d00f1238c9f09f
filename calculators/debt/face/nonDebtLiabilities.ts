import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../../exact/sumOf.ts';
import type { FactSheet } from '../../filing/factSheet.ts';
import type { Concepts } from '../../parameters/concepts.ts';

/**
 * The sum of identified non-debt liabilities at the period end, a total for its parts (M1.37); "other" and related-party
 * lines are not identified.
 */
export function nonDebtLiabilities(
  sheet: FactSheet,
  { otherLiabilities, ancestorsOf }: Concepts,
): ExactDecimal {
  const lines = otherLiabilities.filter(({ certainty }) => certainty === 'certain');
  const filed = new Map(
    lines.flatMap(({ concept }) => {
      const amount = sheet.positive(concept);
      return amount === null ? [] : [[concept, amount] as const];
    }),
  );
  const counted = [...filed].filter(
    ([concept]) =>
      !ancestorsOf(concept)
        .values()
        .some((a) => filed.has(a)),
  );
  return sumOf(counted.map(([, amount]) => amount));
}
