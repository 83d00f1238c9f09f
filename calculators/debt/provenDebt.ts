import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { closeTo, exceeds } from '../exact/decimals.ts';
import { published } from '../exact/fraction.ts';
import { sumOf } from '../exact/sumOf.ts';
import { assetsConcepts } from '../network/conceptNames.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { stressBand, stressRatio } from '../stress/stressRatio.ts';
import { type DebtInputs, type DebtResolution, unprovenTotal } from './debtResolution.ts';
import { yearlyInterest } from './impliedInterest.ts';
import { statedTotals } from './statedDebt.ts';

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
  // over a part of the coins every liability is large
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

/**
 * Holds a debt, a zero included, against what the notes say, where lines without a name could be the difference (M1.36d).
 *
 * It is not proven where the debt with one or two of the lines is an amount of debt that the filing states, or where a
 * year's interest is above the debt and not above the debt with the lines. A difference within the limit of M1.36, or
 * within rounding of the assets, decides nothing. Where nothing ties the lines to debt and they are as much as could matter,
 * note `unnamed_liabilities` says how much they are.
 *
 * @param lines what {@link unidentifiedLiabilities} found, USD
 */
export function unnamedDebt(
  debt: DebtResolution,
  lines: readonly ExactDecimal[],
  inputs: DebtInputs,
): DebtResolution {
  if (debt.coverage === 'low_confidence_missing_debt') return debt;
  const { total } = debt;
  const unnamed = sumOf(lines);
  const matters = differsFrom(total, inputs);
  const larger = largerTotal({ total, lines, matters }, inputs);
  if (larger === null) {
    const note = matters(total.plus(unnamed)) ? [`unnamed_liabilities:${unnamed}`] : [];
    return { ...debt, notes: [...debt.notes, ...note] };
  }
  return {
    ...unprovenTotal(debt, {
      note: `debt_candidates_disagree:${total}/${larger}`,
      check: {
        check: 'M1.36d',
        result: 'fail',
        detail: `${larger} of debt is stated; lines without a name are what ${total} lacks of it`,
      },
    }),
    disagreement: true,
  };
}

/** Whether an amount is another debt than `total`: above it by more than the limit of M1.36 and the rounding of the assets. */
function differsFrom(
  total: ExactDecimal,
  { sheet, parameters }: DebtInputs,
): (amount: ExactDecimal) => boolean {
  const assets = sheet.firstAmount(assetsConcepts) ?? ExactDecimal.zero;
  const rounding = assets.times(ExactDecimal.fromNumber(parameters.identityTolerance));
  return (amount) =>
    exceeds(amount, total, parameters.candidateDisagreement) && amount.minus(total).compare(rounding) > 0;
}

function largerTotal(
  found: {
    readonly total: ExactDecimal;
    readonly lines: readonly ExactDecimal[];
    matters(amount: ExactDecimal): boolean;
  },
  { sheet, filing, parameters }: DebtInputs,
): ExactDecimal | null {
  const { total, lines, matters } = found;
  const stated = statedTotals({ sheet, filing, parameters }).filter(matters);
  const some = lines.flatMap((line, i) => [line, ...lines.slice(i + 1).map((other) => line.plus(other))]);
  const tied = stated.find((amount) =>
    some.some((line) => closeTo(total.plus(line), amount, parameters.oneAmount)),
  );
  if (tied !== undefined) return tied;
  const interest = ExactDecimal.fromNumber(Math.round(yearlyInterest(sheet, parameters) ?? 0));
  return matters(interest) && interest.compare(total.plus(sumOf(lines))) <= 0 ? interest : null;
}
