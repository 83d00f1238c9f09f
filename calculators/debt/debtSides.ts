import type { FactSheet } from '../filing/factSheet.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { debtDictionary } from './debtDictionary.ts';
import { type DebtRoot, debtConcept, distinctRoots, firstOf } from './debtRoots.ts';

const noncurrentUmbrellas = [
  'us-gaap:LongTermDebtNoncurrent',
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

/** The best noncurrent figure: the umbrella, else the sum of distinct lines and instruments (M1.29 (2)). */
export function noncurrentSide(sheet: FactSheet, parameters: Parameters): DebtRoot[] {
  const best = firstOf(sheet, noncurrentUmbrellas);
  return best.length > 0 ? best : distinctRoots(sheet, inBucket('N'), parameters);
}

/**
 * The best current figure: `DebtCurrent`, else current maturities plus `ShortTermBorrowings` or, where that is not
 * filed, every other short-term line (KO, AAPL and HD file `CommercialPaper` alone), else the sum of distinct lines
 * and instruments (M1.29 (2), M1.29b).
 */
export function currentSide(sheet: FactSheet, parameters: Parameters): DebtRoot[] {
  const umbrella = firstOf(sheet, currentUmbrellas);
  if (umbrella.length > 0) return umbrella;
  const maturities = firstOf(sheet, currentMaturities)[0];
  if (maturities === undefined) return distinctRoots(sheet, inBucket('C'), parameters);
  const borrowings = debtConcept('us-gaap:ShortTermBorrowings');
  const others = inBucket('C').filter(({ concept }) => !currentMaturities.includes(concept));
  const rest = sheet.positive(borrowings.concept) === null ? others : [borrowings];
  return distinctRoots(sheet, [debtConcept(maturities.concept), ...rest], parameters);
}

function inBucket(bucket: 'C' | 'N') {
  return debtDictionary.filter((row) => row.bucket === bucket && row.level > 0);
}
