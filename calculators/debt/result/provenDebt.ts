import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { published } from '../../exact/fraction.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import { stressBand } from '../../stress/bands.ts';
import { stressRatio } from '../../stress/stressRatio.ts';
import type { DebtResolution } from './debtResolution.ts';
import { unprovenTotal } from './unprovenTotal.ts';

/**
 * Holds a debt, a zero included, against what it could be over the same coins: its rival totals (M1.36b) and itself
 * with the liabilities whose names do not say what they are (M1.36c). Where two of them lie in different stress bands
 * the debt is not proven, and the smaller total stays as its proven part.
 */
export function provenDebt(
  debt: DebtResolution,
  {
    coins,
    areCoinsProven,
    parameters,
  }: { readonly coins: ExactDecimal; readonly areCoinsProven: boolean; readonly parameters: Parameters },
): DebtResolution {
  if (debt.coverage === 'low_confidence_missing_debt' || coins.sign <= 0) return debt;
  const bandOf = (amount: ExactDecimal) =>
    stressBand(published(stressRatio({ debt: amount, crypto: coins }, 0.5, parameters), 6), parameters);
  const own = bandOf(debt.total);
  const rivals: Rival[] = debt.rivals.map((amount) => ({ amount, check: 'M1.36b' }));
  const most: Rival = { amount: debt.total.plus(debt.unidentified), check: 'M1.36c' };
  // over a part of the coins every liability looks large
  const possible = [...rivals.toReversed(), ...(areCoinsProven ? [most] : [])];
  const other = possible.find(({ amount }) => bandOf(amount) !== own);
  if (other === undefined) return debt;
  const { amount, check } = other;
  const bands = `${own}/${bandOf(amount)}`;
  return unprovenTotal(debt, {
    note: `tier_depends_on_candidate:${bands}`,
    check: { check, result: 'fail', detail: `${debt.total} or ${amount} of debt: ${bands}` },
  });
}

type Rival = { readonly amount: ExactDecimal; readonly check: 'M1.36b' | 'M1.36c' };
