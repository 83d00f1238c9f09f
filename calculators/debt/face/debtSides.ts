import type { FactSheet } from '../../filing/factSheet.ts';
import type { Concepts, DebtConcept } from '../../parameters/concepts.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import { amountOf, type DebtRoot, debtConcept, distinctRoots, firstOf } from './debtRoots.ts';
import { closingLines } from './filedTotals.ts';

const noncurrentUmbrellas = ['us-gaap:LongTermDebtNoncurrent', 'ifrs-full:LongtermBorrowings'];

const currentUmbrellas = [
  'us-gaap:DebtCurrent',
  'ifrs-full:CurrentBorrowingsAndCurrentPortionOfNoncurrentBorrowings',
];

const inclusiveTotals = [
  'us-gaap:DebtAndCapitalLeaseObligations',
  'us-gaap:LongTermDebtAndCapitalLeaseObligationsIncludingCurrentMaturities',
];

const currentMaturities = [
  'us-gaap:LongTermDebtCurrent',
  'us-gaap:LongTermDebtAndCapitalLeaseObligationsCurrent',
];

/** The best noncurrent figure: the umbrella, else the sum of distinct lines and instruments (M1.29 (2)). */
export function noncurrentSide(sheet: FactSheet, parameters: Parameters): DebtRoot[] {
  const best = firstOf(sheet, noncurrentUmbrellas, parameters);
  return best.length > 0 ? best : distinctRoots(sheet, inBucket('N', parameters.concepts), parameters);
}

/**
 * The best current figure: `DebtCurrent`, else current maturities plus `ShortTermBorrowings` or, where that is not
 * filed, every other short-term line (KO, AAPL and HD file `CommercialPaper` alone), else the sum of distinct lines
 * and instruments (M1.29 (2), M1.29b).
 */
export function currentSide(sheet: FactSheet, parameters: Parameters): DebtRoot[] {
  const { concepts } = parameters;
  const umbrella = firstOf(sheet, currentUmbrellas, parameters);
  if (umbrella.length > 0) return [...umbrella, ...leasesInside(sheet, umbrella)];
  const maturities = firstOf(sheet, currentMaturities, parameters)[0];
  if (maturities === undefined) return distinctRoots(sheet, inBucket('C', concepts), parameters);
  const own = debtConcept(maturities.concept, concepts);
  const others = inBucket('C', concepts).filter(({ concept }) => !currentMaturities.includes(concept));
  const borrowings = debtConcept('us-gaap:ShortTermBorrowings', concepts);
  const rest = sheet.positive(borrowings.concept) === null ? others : [borrowings];
  const sum = distinctRoots(sheet, [own, ...rest], parameters);
  return closesCurrent(sheet, sum, concepts) ? sum : (faceLine(sheet, own, parameters) ?? sum);
}

/**
 * Current finance leases inside `DebtCurrent`: a lease-inclusive total is that figure and the lease-inclusive noncurrent
 * line, so that both hold leases (M1.20 †; WM 2025-12-31: 22,907 = 711 + 22,196 M, of which 86 and 477 M leases).
 */
function leasesInside(sheet: FactSheet, umbrella: readonly DebtRoot[]): DebtRoot[] {
  const [noncurrent, lease] = [
    sheet.positive('us-gaap:LongTermDebtAndCapitalLeaseObligations'),
    sheet.positive('us-gaap:FinanceLeaseLiabilityCurrent'),
  ];
  const total = inclusiveTotals.map(sheet.positive).find((amount) => amount !== null);
  const [root] = umbrella;
  if (noncurrent === null || lease === null || total == null || root === undefined) return [];
  if (!root.value.plus(noncurrent).equals(total) || lease.compare(root.value) >= 0) return [];
  return [{ bucket: 'C', concept: 'us-gaap:FinanceLeaseLiabilityCurrent', value: lease, weight: -1 }];
}

/**
 * Maturities and the one undivided line with which current liabilities add up to their filed total (M1.29c): it stands
 * on the face, and short-term instruments that do not are its parts (KO 2025-06-27: 4,379 M of loans and notes, of
 * them 4,040 M commercial paper).
 */
function faceLine(sheet: FactSheet, maturities: DebtConcept, parameters: Parameters): DebtRoot[] | null {
  const elsewhere = [maturities, ...noncurrentSide(sheet, parameters)].map(({ concept }) => concept);
  const holdsAny = (line: string) =>
    elsewhere.some((concept) => parameters.concepts.ancestorsOf(concept).has(line));
  const undivided = parameters.concepts.debt.filter(
    ({ bucket, level, concept }) => bucket === 'T' && (level === 1 || level === 2) && !holdsAny(concept),
  );
  for (const line of undivided) {
    const roots = distinctRoots(sheet, [maturities, { ...line, bucket: 'C' }], parameters);
    if (
      roots.some(({ concept }) => concept === line.concept) &&
      closesCurrent(sheet, roots, parameters.concepts)
    )
      return roots;
  }
  return null;
}

function closesCurrent(sheet: FactSheet, roots: readonly DebtRoot[], concepts: Concepts): boolean {
  return closingLines(sheet, { side: 'C', debt: amountOf(roots), concepts }) !== null;
}

/** `ShortTermBorrowings`, or where that is not filed the lines it would hold: none is part of long-term debt (M1.29b). */
export function shortTermLines(sheet: FactSheet, { concepts }: Parameters): readonly DebtConcept[] {
  const borrowings = 'us-gaap:ShortTermBorrowings';
  if (sheet.positive(borrowings) !== null) return [debtConcept(borrowings, concepts)];
  return inBucket('C', concepts).filter(({ concept }) => concepts.ancestorsOf(concept).has(borrowings));
}

function inBucket(bucket: 'C' | 'N', { debt }: Concepts) {
  return debt.filter((row) => row.bucket === bucket && row.level > 0);
}
