import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { exceeds } from '../../exact/closeTo.ts';
import { sumOf } from '../../exact/sumOf.ts';
import type { FactSheet } from '../../filing/factSheet.ts';
import type { Parameters } from '../../parameters/parameters.ts';

/**
 * What the filed parts of counted concepts are above them (M1.29a): a conflict for M1.36, never a sum. Parts of one
 * split only are compared, current and noncurrent or undivided; a difference within one amount is none (M1.34b).
 */
export function hierarchyConflicts(
  sheet: FactSheet,
  counted: readonly string[],
  { concepts, oneAmount }: Parameters,
): readonly ExactDecimal[] {
  const rows = concepts.debt.filter(({ level, isPrincipal }) => level < 3 && !isPrincipal);
  return counted.flatMap((concept): ExactDecimal[] => {
    const whole = sheet.positive(concept);
    if (whole === null) return [];
    const parts = rows.filter(
      (row) => concepts.ancestorsOf(row.concept).has(concept) && sheet.positive(row.concept),
    );
    const topmost = parts.filter((row) =>
      parts.every((other) => !concepts.ancestorsOf(row.concept).has(other.concept)),
    );
    const sums = [true, false].map((isTotal) =>
      sumOf(
        topmost
          .filter(({ bucket }) => (bucket === 'T') === isTotal)
          .map((row) => sheet.positive(row.concept) ?? ExactDecimal.zero),
      ),
    );
    const [largest] = sums.sort((a, b) => b.compare(a));
    return largest !== undefined && exceeds(largest, whole, oneAmount) ? [largest.minus(whole)] : [];
  });
}
