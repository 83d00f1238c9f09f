import { roundHalfUp } from '../../exact/decimals.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import type { Yardstick } from '../../standing/standings.ts';
import { breadthWithout } from '../baskets/basketFigures.ts';
import type { Basket } from '../baskets/basketsOf.ts';
import type { ConstituentReturn, FactorRow, ZScores } from './factorRow.ts';
import { pressureOf } from './pressureOf.ts';
import { isPublishable } from './publishedFactor.ts';
import { publishedZ } from './windowScores.ts';

type Pressed = {
  readonly zScores: ZScores;
  /** P of the row, null while it may not be published. */
  readonly pressureUnrounded: number | null;
  /** What the z of breadth is measured by. */
  readonly breadthSection: Yardstick | null;
  readonly parameters: Parameters;
};

/**
 * What each constituent adds to the return of the basket, what the contract did beside it (M8.12), and how far P
 * would move without each (M8.13).
 *
 * @param perpReturn the contract's simple return over the same days; null without both marks
 */
export function constituentReturns(
  basket: Basket | null,
  input: Pressed & { readonly perpReturn: number | null },
): Pick<FactorRow, 'returns' | 'maxLeaveOneOut'> {
  const { perpReturn } = input;
  const rows = (basket?.weights.rows ?? []).map(({ constituent, weight }, i): ConstituentReturn => {
    const price = basket?.prices[i] ?? null;
    const simple = price?.return7d ?? null;
    const return7d = simple !== null && isPublishable(simple) ? simple : null;
    return {
      ticker: constituent.ticker,
      cik: constituent.cik,
      name: constituent.name,
      weight,
      return7d,
      contribution:
        basket?.members === null || weight === null || return7d === null ? null : weight * return7d,
      staleMinutes: price?.staleMinutes ?? null,
      leaveOneOut: basket === null ? null : leaveOneOut(basket, { ...input, left: i }),
    };
  });
  const contributions = rows.flatMap(({ contribution }) => (contribution === null ? [] : [contribution]));
  const isAttributed = basket !== null && basket.members !== null && perpReturn !== null;
  const bounds = rows.flatMap((row) => (row.leaveOneOut === null ? [] : [Math.abs(row.leaveOneOut)]));
  return {
    returns: {
      rows,
      perpReturn,
      trackingResidual: isAttributed ? perpReturn - contributions.reduce((sum, c) => sum + c, 0) : null,
    },
    maxLeaveOneOut: bounds.length === 0 ? null : Math.max(...bounds),
  };
}

/** P − P of the basket without one constituent: only its breadth moves, on the published yardstick (M8.13a). */
function leaveOneOut(
  { members }: Basket,
  {
    left,
    zScores,
    pressureUnrounded,
    breadthSection,
    parameters,
  }: Pressed & {
    readonly left: number;
  },
): number | null {
  if (members === null || pressureUnrounded === null || members[left]?.return7d === null) return null;
  const breadth = breadthWithout(members, left);
  if (breadth === null) return null;
  if (zScores.breadth === null || breadthSection === null) return 0;
  const without = pressureOf({
    ...zScores,
    breadth: publishedZ(roundHalfUp(breadth, 6), { section: breadthSection, parameters }),
  });
  return without.unrounded === null ? null : roundHalfUp(pressureUnrounded - without.unrounded, 6);
}
