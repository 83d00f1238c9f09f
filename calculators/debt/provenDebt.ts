import type { ExactDecimal } from '../../contract/values/exactDecimal.ts';
import { published } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { stressBand } from '../stress/bands.ts';
import { stressRatio } from '../stress/stressRatio.ts';
import type { DebtResolution } from './debtResolution.ts';
import { unprovenTotal } from './unprovenTotal.ts';

/**
 * Holds a debt against its rival totals over the same coins (M1.36b): where two of them lie in different stress bands
 * the debt is not proven, and the smaller total stays as its proven part.
 */
export function provenDebt(
  debt: DebtResolution,
  { coins, parameters }: { readonly coins: ExactDecimal; readonly parameters: Parameters },
): DebtResolution {
  if (debt.coverage !== 'resolved_nonzero' || coins.sign <= 0) return debt;
  const bandOf = (amount: ExactDecimal) =>
    stressBand(published(stressRatio({ debt: amount, crypto: coins }, 0.5, parameters), 6), parameters);
  const own = bandOf(debt.total);
  const other = debt.rivals.toReversed().find((rival) => bandOf(rival) !== own);
  if (other === undefined) return debt;
  const bands = `${own}/${bandOf(other)}`;
  return unprovenTotal(debt, {
    note: `tier_depends_on_candidate:${bands}`,
    check: { check: 'M1.36b', result: 'fail', detail: `${debt.total} or ${other} of debt: ${bands}` },
  });
}
