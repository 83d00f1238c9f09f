import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { exceeds } from '../exact/closeTo.ts';
import { roundHalfUp } from '../exact/roundHalfUp.ts';
import { misfiledDebt } from './absent/misfiledDebt.ts';
import { impliedInterest, paysLongTermInterest } from './impliedInterest.ts';
import type { DebtInputs, DebtResolution } from './result/debtResolution.ts';
import { unprovenTotal } from './result/unprovenTotal.ts';
import { type SideResidual, unexplained } from './walk/sideResiduals.ts';

/**
 * Tests a debt above zero for completeness: what the liabilities do not explain (M1.18b), the rate its interest
 * implies (M1.37b), and lines that are filed but cannot be counted (M1.7c). A total that fails stays as the proven part, a lower bound that supports no tier.
 */
export function testedDebt(
  found: {
    readonly resolution: DebtResolution;
    readonly closes: boolean;
    readonly residuals: readonly SideResidual[];
  },
  { sheet, parameters }: DebtInputs,
): DebtResolution {
  const { resolution, closes } = found;
  if (resolution.coverage !== 'resolved_nonzero') return resolution;
  const open = unexplained(found.residuals);
  if (hidesDebt(open, resolution.total, parameters.liabilitiesResidual.ofDebt)) {
    return unprovenTotal(resolution, {
      note: `liabilities_residual:${open}`,
      check: {
        check: 'M1.18b',
        result: 'fail',
        detail: `${open} of the liabilities is in no line that is filed`,
      },
    });
  }
  const rate = impliedInterest(sheet, resolution.total, parameters);
  const isHigh = rate !== null && rate > parameters.impliedInterest.maxRate;
  const note = isHigh ? [`implied_interest:${roundHalfUp(rate, 6)}`] : [];
  if (closes) return { ...resolution, notes: [...resolution.notes, ...note] };
  if (isHigh) {
    return unprovenTotal(resolution, {
      note: `implied_interest:${roundHalfUp(rate, 6)}`,
      check: {
        check: 'M1.37b',
        result: 'fail',
        detail: `interest of the period is ${roundHalfUp(rate, 6)} a year of debt`,
      },
    });
  }
  const misfiled = misfiledDebt(sheet, parameters.concepts);
  if (misfiled !== null) {
    const detail = `${misfiled} is stated in another currency or beside the day of the balance sheet`;
    const check = { check: 'M1.7c', result: 'fail', detail } as const;
    return unprovenTotal(resolution, { note: `debt_line_misfiled:${misfiled}`, check });
  }
  if (resolution.noncurrent.sign <= 0 && paysLongTermInterest(sheet)) {
    const detail = 'interest on long-term debt is filed and no long-term line is counted';
    return unprovenTotal(resolution, { note: null, check: { check: 'M1.37b', result: 'fail', detail } });
  }
  return resolution;
}

function hidesDebt(open: ExactDecimal, total: ExactDecimal, share: number): boolean {
  return open.sign > 0 && exceeds(total.plus(open), total, share);
}
