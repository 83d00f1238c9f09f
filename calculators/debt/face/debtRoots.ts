import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { closeTo } from '../../exact/closeTo.ts';
import { sumOf } from '../../exact/sumOf.ts';
import type { FactSheet } from '../../filing/factSheet.ts';
import type { Concepts, DebtBucket, DebtConcept } from '../../parameters/concepts.ts';
import type { Parameters } from '../../parameters/parameters.ts';

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
 * The roots of one concept when it is filed above zero: itself, less the finance leases it includes (†, M1.20).
 * None when leases are all of it; a lease figure above it cannot be inside it.
 */
export function rootsOf(sheet: FactSheet, { concept, bucket, leasePart }: DebtConcept): DebtRoot[] {
  const value = sheet.positive(concept);
  if (value === null) return [];
  const root: DebtRoot = { bucket, concept, value, weight: 1 };
  const lease = leasePart === undefined ? null : sheet.positive(leasePart);
  if (leasePart === undefined || lease === null || lease.compare(value) > 0) return [root];
  if (lease.equals(value)) return [];
  return [root, { bucket, concept: leasePart, value: lease, weight: -1 }];
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
 * The roots of several concepts, each amount once: of a concept and one that holds it by the hierarchy the holder
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
 * The roots of one side that no root of the other side holds by the hierarchy: some long-term lines are totals that
 * include their current part (`FederalHomeLoanBankAdvancesLongTerm`), which then counts within them (M1.29a).
 */
export function withoutPartsOf(
  holders: readonly DebtRoot[],
  side: readonly DebtRoot[],
  { concepts }: Parameters,
): DebtRoot[] {
  const names = new Set(holders.filter(({ weight }) => weight === 1).map(({ concept }) => concept));
  const held = side.filter(({ concept }) => !names.isDisjointFrom(concepts.ancestorsOf(concept)));
  // a lease that was taken off a held root goes with it
  const gone = new Set(
    held.flatMap(({ concept }) => [concept, debtConcept(concept, concepts).leasePart ?? concept]),
  );
  return side.filter(({ concept }) => !gone.has(concept));
}

function sameAmount(
  sheet: FactSheet,
  [a, b]: readonly [DebtConcept, DebtConcept],
  tolerance: number,
): boolean {
  const [x, y] = [sheet.positive(a.concept), sheet.positive(b.concept)];
  return x !== null && y !== null && closeTo(x, y, tolerance);
}
