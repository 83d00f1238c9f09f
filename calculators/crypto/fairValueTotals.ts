import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { FactSheet } from '../filing/factSheet.ts';

/** The fair value of coins by the tags of ASU 2023-08. */
export type FairValueTotal = {
  readonly amount: ExactDecimal;
  /** The tags it is the sum of. */
  readonly concepts: readonly string[];
  /** Every total that is filed, the chosen one among them (M2.4b). */
  readonly totals: readonly ExactDecimal[];
};

/**
 * The first of current + noncurrent, unrestricted + restricted, and the plain total that is filed (M2.4).
 *
 * Two readings of the same lines are told apart first. When current + noncurrent equals the unrestricted part
 * and a restricted part is filed, the balance-sheet lines leave the restricted coins out, so the second total
 * is the whole (RIOT 2025-09-30: 1,823,630 K of 2,200,053 K; pledged coins stay the issuer's, M2.2). And a
 * total that is another one rounded gives way to the finer figure (LITS: 99,400,000 and 99,369,000).
 */
export function fairValueTotal(sheet: FactSheet): FairValueTotal | null {
  const restricted = sheet.positive('us-gaap:CryptoAssetFairValueRestricted');
  const unrestricted = sheet.amount('us-gaap:CryptoAssetFairValueUnrestricted');
  const lines = sum(sheet, 'CryptoAssetFairValueCurrent', 'CryptoAssetFairValueNoncurrent');
  const leavesOutRestricted =
    restricted !== null && unrestricted !== null && lines?.amount.equals(unrestricted) === true;
  const totals = [
    leavesOutRestricted ? null : lines,
    sum(sheet, 'CryptoAssetFairValueUnrestricted', 'CryptoAssetFairValueRestricted'),
    sum(sheet, 'CryptoAssetFairValue'),
  ].filter((total) => total !== null);
  // a filed zero beside a positive figure is a line without coins, not the total
  const first = totals.find((total) => total.amount.sign > 0) ?? totals[0];
  if (first === undefined) return null;
  const finest = totals.find((other) => isRounded(first.amount, other.amount)) ?? first;
  return { ...finest, totals: totals.map(({ amount }) => amount) };
}

/** True when `coarse` is `fine` rounded to the last nonzero digit of `coarse`. */
function isRounded(coarse: ExactDecimal, fine: ExactDecimal): boolean {
  if (coarse.equals(fine) || coarse.sign === 0 || coarse.scale > 0) return false;
  const zeros = /0*$/.exec(coarse.toString())?.[0].length ?? 0;
  const unit = ExactDecimal.parse(`1${'0'.repeat(zeros)}`);
  const shrunk = fine.times(ExactDecimal.parse(`1e-${zeros}`)).rounded(0);
  return shrunk.times(unit).equals(coarse);
}

function sum(
  sheet: FactSheet,
  ...names: readonly string[]
): Pick<FairValueTotal, 'amount' | 'concepts'> | null {
  const filed = names.flatMap((name) => {
    const amount = sheet.amount(`us-gaap:${name}`);
    return amount === null ? [] : [{ concept: `us-gaap:${name}`, amount }];
  });
  if (filed.length === 0) return null;
  return {
    amount: sumOf(filed.map(({ amount }) => amount)),
    concepts: filed.map(({ concept }) => concept),
  };
}
