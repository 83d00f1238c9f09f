import { ExactDecimal } from '../../../contract/values/exactDecimal.ts';
import { sumOf } from '../../exact/sumOf.ts';
import type { FactSheet } from '../../filing/factSheet.ts';
import { rootValues, signed } from '../../network/rootValues.ts';
import { isEquity, isStructural } from '../../network/structuralConcepts.ts';
import { topmostRoots } from '../../network/topmostRoots.ts';
import { nonDebtLiabilities } from '../face/nonDebtLiabilities.ts';
import type { DebtResolution } from '../result/debtResolution.ts';
import type { DebtWalk } from './debtWalk.ts';
import { isIdentified } from './identifiedLiabilities.ts';

type Walked = Extract<DebtWalk, { kind: 'walked' }>;

/**
 * Liabilities at the period end that were not counted as debt and whose names do not say what else they are (M1.36c):
 * of a walk that decides its unnamed lines, otherwise what the filed total leaves over. They enter no total; they
 * say how much more debt there may be.
 *
 * A zero that the filer states is a statement about all lines, also of a side that was not walked (T15).
 */
export function unidentifiedLiabilities(
  debt: Pick<DebtResolution, 'total' | 'method'>,
  { walk, sheet }: { readonly walk: Walked | null; readonly sheet: FactSheet },
): ExactDecimal {
  if (walk !== null) return unnamedLines(walk);
  const liabilities = sheet.positive('us-gaap:Liabilities');
  if (liabilities === null || debt.method === 'explicit_zero') return ExactDecimal.zero;
  const left = liabilities.minus(debt.total).minus(nonDebtLiabilities(sheet));
  return left.sign > 0 ? left : ExactDecimal.zero;
}

function unnamedLines({ network, start, side: { sheet }, roots: counted }: Walked): ExactDecimal {
  const debt = new Set(
    counted.flatMap(({ concept, parts }) => [concept, ...parts.map((part) => part.concept)]),
  );
  const isLine = (concept: string) =>
    debt.has(concept) ||
    isIdentified(concept) ||
    (network.childrenOf(concept).length === 0 && !isStructural(concept));
  const lines = topmostRoots({ network, start, skips: isEquity, matches: isLine });
  const roots = lines.roots.filter(({ concept }) => !debt.has(concept) && !isIdentified(concept));
  return sumOf(
    rootValues({ network, roots, sheet })
      .roots.map(signed)
      .filter((value) => value.sign > 0),
  );
}
