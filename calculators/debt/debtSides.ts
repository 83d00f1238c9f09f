import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { closeTo } from '../exact/decimals.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { Concepts, DebtBucket, DebtConcept } from '../parameters/concepts.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { dividedLeases, undividedLease } from './financeLeases.ts';
import { closingLines } from './otherLiabilities.ts';

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
 * line, so that both include leases (M1.20b; WM 2025-12-31: 22,907 = 711 + 22,196 M, of which 86 and 477 M leases).
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

/** `ShortTermBorrowings`, or where that is not filed the lines it would include: none is part of long-term debt (M1.29b). */
export function shortTermLines(sheet: FactSheet, { concepts }: Parameters): readonly DebtConcept[] {
  const borrowings = 'us-gaap:ShortTermBorrowings';
  if (sheet.positive(borrowings) !== null) return [debtConcept(borrowings, concepts)];
  return inBucket('C', concepts).filter(({ concept }) => concepts.ancestorsOf(concept).has(borrowings));
}

function inBucket(bucket: 'C' | 'N', { debt }: Concepts) {
  return debt.filter((row) => row.bucket === bucket && row.level > 0);
}

/**
 * The filed lines that stand beside the roots of a total although one of these may hold them by the hierarchy: with one
 * of them, or all, a filed total of the liabilities adds up to the last digit, and without them it does not (M1.29d).
 * None where two choices do; a line that holds a root, or equals one, is never beside it.
 */
export function linesBeside(
  sheet: FactSheet,
  roots: readonly DebtRoot[],
  { concepts, identityTolerance }: Parameters,
): readonly DebtRoot[] {
  const isBeside = ({ concept }: DebtConcept) =>
    roots.every(
      (root) =>
        root.concept !== concept &&
        !concepts.ancestorsOf(root.concept).has(concept) &&
        !closeTo(root.value, sheet.positive(concept) ?? root.value, identityTolerance),
    );
  const left = concepts.debt
    .filter((row) => row.level < 3 && isBeside(row))
    .map((row) => rootsOf(sheet, row))
    .filter((own) => own.length > 0);
  const choices = left.length > 1 ? [...left, left.flat()] : left;
  const ofSide = (side: DebtBucket, lines: readonly DebtRoot[]) =>
    lines.filter(({ bucket }) => side === 'T' || bucket === side);
  const closes = (side: DebtBucket, lines: readonly DebtRoot[]) =>
    closingLines(sheet, { side, debt: amountOf(ofSide(side, lines)), concepts, linesMax: 6 }) !== null;
  for (const side of ['T', 'C', 'N'] as const) {
    if (closes(side, roots)) continue;
    const ofIt = choices.filter((lines) => ofSide(side, lines).length === lines.length);
    const [found, another] = ofIt.filter((lines) => closes(side, [...roots, ...lines]));
    if (found !== undefined && another === undefined) return found;
  }
  return [];
}

/** A filed figure that enters a debt total; a lease liability inside another root has weight −1. */
export type DebtRoot = {
  readonly bucket: DebtBucket;
  readonly concept: string;
  readonly value: ExactDecimal;
  readonly weight: 1 | -1;
};

/** The exact weighted sum of roots. */
export function amountOf(roots: readonly DebtRoot[]): ExactDecimal {
  return sumOf(roots.map((root) => (root.weight === 1 ? root.value : root.value.negated())));
}

/** The dictionary row of a concept; throws RangeError for a concept the dictionary lacks. */
export function debtConcept(concept: string, concepts: Concepts): DebtConcept {
  const row = concepts.debtConcept(concept);
  if (row === undefined) throw new RangeError(`not in the debt dictionary: ${concept}`);
  return row;
}

/**
 * The roots of one concept when it is filed above zero: itself, less the finance leases it includes (M1.20b).
 * None when leases are all of it; a lease figure above it cannot be inside it.
 */
function rootsOf(sheet: FactSheet, row: DebtConcept): DebtRoot[] {
  const { concept, bucket } = row;
  const value = sheet.positive(concept);
  if (value === null) return [];
  const root: DebtRoot = { bucket, concept, value, weight: 1 };
  const held = leaseHeldBy(sheet, row);
  const lease = held === null ? null : sheet.positive(held);
  if (held === null || lease === null || lease.compare(value) > 0) return [root];
  if (lease.equals(value)) return [];
  return [root, { bucket, concept: held, value: lease, weight: -1 }];
}

/** The lease balance inside a concept: by the lists of the filing that name the line of it, else by the dictionary. */
function leaseHeldBy(sheet: FactSheet, { concept, leasePart }: DebtConcept): string | null {
  const named = [...dividedLeases, undividedLease].find((lease) => {
    const lines = sheet.linesHolding(lease);
    return lines.length > 0 && lines.every((line) => line === concept);
  });
  if (named !== undefined) return named;
  return leasePart === undefined || sheet.linesHolding(leasePart).length > 0 ? null : leasePart;
}

/**
 * The undivided lease balance as a part of both sides, where each has a lease-inclusive root whose own part is not filed
 * (M1.20b).
 */
export function undividedLeases(
  sheet: FactSheet,
  roots: readonly DebtRoot[],
  { concepts }: Parameters,
): DebtRoot[] {
  const lease = sheet.positive(undividedLease);
  const holders = roots.filter(({ concept }) => concepts.debtConcept(concept)?.leasePart !== undefined);
  const isOpen = [...dividedLeases, undividedLease].every(
    (concept) => !roots.some((root) => root.concept === concept) && sheet.linesHolding(concept).length === 0,
  );
  const [largest] = holders.toSorted((a, b) => b.value.compare(a.value));
  const areBoth = new Set(holders.map(({ bucket }) => bucket === 'C')).size === 2;
  if (lease === null || largest === undefined || !areBoth || !isOpen) return [];
  return lease.compare(largest.value) < 0
    ? [{ bucket: largest.bucket, concept: undividedLease, value: lease, weight: -1 }]
    : [];
}

/** The roots of the first concept of `order` that is filed above zero (M1.29). */
export function firstOf(sheet: FactSheet, order: readonly string[], { concepts }: Parameters): DebtRoot[] {
  for (const concept of order) {
    const roots = rootsOf(sheet, debtConcept(concept, concepts));
    if (roots.length > 0) return roots;
  }
  return [];
}

/**
 * The roots of several concepts, each amount once: of a concept and one that contains it by the hierarchy the containing one
 * counts (M1.29a), and equal amounts under two concepts are one amount, also when rounding parts them (M1.34; IBM
 * 2025-06-30: 8,944 M and 8,945 M).
 */
export function distinctRoots(
  sheet: FactSheet,
  lines: readonly DebtConcept[],
  { identityTolerance, concepts }: Parameters,
): DebtRoot[] {
  const filed = lines.filter((row) => sheet.positive(row.concept) !== null);
  const names = new Set(filed.map(({ concept }) => concept));
  const counted: DebtConcept[] = [];
  for (const row of filed) {
    if (!names.isDisjointFrom(concepts.ancestorsOf(row.concept))) continue;
    if (counted.some((other) => sameAmount(sheet, [row, other], identityTolerance))) continue;
    counted.push(row);
  }
  return counted.flatMap((row) => rootsOf(sheet, row));
}

/**
 * The roots of one side that no root of the other side contains by the hierarchy: some long-term lines are totals that
 * include their current part (`FederalHomeLoanBankAdvancesLongTerm`), which then counts within them (M1.29a).
 */
export function withoutPartsOf(
  holders: readonly DebtRoot[],
  side: readonly DebtRoot[],
  { concepts }: Parameters,
): DebtRoot[] {
  const names = new Set(holders.filter(({ weight }) => weight === 1).map(({ concept }) => concept));
  const contained = side.filter(({ concept }) => !names.isDisjointFrom(concepts.ancestorsOf(concept)));
  // a lease subtracted from an excluded root is excluded with it
  const excluded = new Set(
    contained.flatMap(({ concept }) => [concept, debtConcept(concept, concepts).leasePart ?? concept]),
  );
  return side.filter(({ concept }) => !excluded.has(concept));
}

function sameAmount(
  sheet: FactSheet,
  [a, b]: readonly [DebtConcept, DebtConcept],
  tolerance: number,
): boolean {
  const [x, y] = [sheet.positive(a.concept), sheet.positive(b.concept)];
  return x !== null && y !== null && closeTo(x, y, tolerance);
}
