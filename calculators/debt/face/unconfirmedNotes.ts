import type { FactSheet } from '../../filing/factSheet.ts';
import type { XbrlFiling } from '../../filing/xbrlFiling.ts';
import type { Concepts } from '../../parameters/concepts.ts';

/**
 * `debt_line_unconfirmed:<concept>` for a counted line that some filers use for other payables, where the filing has
 * no interest, no proceeds or repayments and no debt note (M1.20 §; NXTT 2025-03-31).
 */
export function unconfirmedNotes(
  roots: readonly { readonly concept: string }[],
  { sheet, filing, concepts }: { sheet: FactSheet; filing: XbrlFiling | null; concepts: Concepts },
): string[] {
  const counted = new Set(roots.map(({ concept }) => concept));
  const doubtful = concepts.debt.filter(({ concept, isDoubtful }) => isDoubtful && counted.has(concept));
  if (doubtful.length === 0) return [];
  const names = [
    ...sheet.facts.filter(({ value }) => value.sign > 0).map(({ concept }) => concept),
    ...(filing?.facts ?? []).filter(({ value }) => (value?.sign ?? 0) > 0).map(({ concept }) => concept),
  ].map((concept) => concept.slice(concept.indexOf(':') + 1));
  if (names.some((name) => confirming.test(name))) return [];
  return doubtful.map(({ concept }) => `debt_line_unconfirmed:${concept}`);
}

const confirming =
  /^(InterestExpense|InterestPaid|ProceedsFrom.*(Debt|Notes|Loans|LinesOfCredit)|RepaymentsOf.*(Debt|Notes|Loans|LinesOfCredit)|DebtInstrument(FaceAmount|CarryingAmount))/;
