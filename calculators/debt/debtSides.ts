import type { FactSheet } from '../factSheet.ts';
import type { Parameters } from '../parameters.ts';
import { debtDictionary } from './debtDictionary.ts';
import { type DebtRoot, debtConcept, distinctRoots, firstOf } from './debtRoots.ts';

const noncurrentOrder = [
  'us-gaap:LongTermDebtNoncurrent',
  'us-gaap:LongTermLoansPayable',
  'us-gaap:LongTermNotesPayable',
  'us-gaap:LongTermNotesAndLoans',
  'us-gaap:LongTermDebtAndCapitalLeaseObligations',
  'ifrs-full:NoncurrentPortionOfNoncurrentBorrowings',
];

const currentUmbrellas = [
  'us-gaap:DebtCurrent',
  'ifrs-full:CurrentBorrowingsAndCurrentPortionOfNoncurrentBorrowings',
];

const currentMaturities = [
  'us-gaap:LongTermDebtCurrent',
  'us-gaap:LongTermDebtAndCapitalLeaseObligationsCurrent',
];

/** The best noncurrent figure: the first umbrella filed, else the sum of distinct instruments (M1.29 (2)). */
export function noncurrentSide(sheet: FactSheet, parameters: Parameters): DebtRoot[] {
  const best = firstOf(sheet, noncurrentOrder);
  return best.length > 0 ? best : distinctRoots(sheet, inBucket('N'), parameters);
}

/**
 * The best current figure: `DebtCurrent`, else current maturities plus short-term borrowings, else the sum of
 * distinct instruments (M1.29 (2)).
 */
export function currentSide(sheet: FactSheet, parameters: Parameters): DebtRoot[] {
  const umbrella = firstOf(sheet, currentUmbrellas);
  if (umbrella.length > 0) return umbrella;
  const maturities = firstOf(sheet, currentMaturities)[0];
  if (maturities === undefined) return distinctRoots(sheet, inBucket('C'), parameters);
  const parts = [maturities.concept, 'us-gaap:ShortTermBorrowings'];
  return distinctRoots(sheet, parts.map(debtConcept), parameters);
}

function inBucket(bucket: 'C' | 'N') {
  return debtDictionary.filter((row) => row.bucket === bucket && row.level > 0);
}
