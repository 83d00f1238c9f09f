import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../../exact/sumOf.ts';
import type { FactSheet } from '../../filing/factSheet.ts';
import { conceptWords } from '../../network/conceptWords.ts';
import { rootValues, signed } from '../../network/rootValues.ts';
import { topmostRoots } from '../../network/topmostRoots.ts';
import type { Walked } from './debtWalk.ts';

/** Lines that are surely not debt; "other" and related-party lines are not identified, nor is interest. */
const identified =
  /^(accountspayable|trade(andother)?payable|accrued|accrual|employee|salaries|wages|contractwithcustomer|deferredrevenue|deferredincome|deferredtax|unearned|customer|operatinglease|financelease|leaseliabilit|incometax|tax(es)?payable|warrant|derivativeliabilit|dividendspayable|assetretirement|.*contingentconsideration|.*purchaseconsideration|unsettled.*trade|.*refundliabilit|.*warrantliabilit|pension|productwarrant)/;
const doubtful = /(debt|loan|notes?payable|borrow|interest|credit|financingob|relatedpart|otherliabilit)/;

/**
 * The sum of identified non-debt lines under the start of a walk (M1.37), each once; of an unreported line the
 * facts below it.
 */
export function identifiedLiabilities({ network, start }: Walked, sheet: FactSheet): ExactDecimal {
  const { roots } = topmostRoots({ network, start, matches: isIdentified });
  return sumOf(rootValues({ network, roots, sheet }).roots.map(signed));
}

/** True for a name that is surely no debt: what it is stands in it. */
export function isIdentified(concept: string): boolean {
  const [name = ''] = conceptWords(concept);
  return identified.test(name) && !doubtful.test(name);
}
