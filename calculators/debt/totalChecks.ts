import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { exceeds } from '../exact/decimals.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { XbrlFiling } from '../filing/xbrlFiling.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { TrailCheck } from '../trail/resolutionTrail.ts';

/** The identities of one total as checks of the trail (M1.31–M1.36). */
export function identityChecks({
  consistent,
  total,
  liabilities,
  rival,
}: {
  consistent: boolean;
  total: ExactDecimal;
  liabilities: ExactDecimal | null;
  rival: ExactDecimal | null;
}): TrailCheck[] {
  return [
    {
      check: 'M1.31-M1.34',
      result: consistent ? 'pass' : 'fail',
      detail: consistent ? 'no identity that binds is broken' : 'an identity that binds is broken',
    },
    liabilities === null
      ? { check: 'M1.35', result: 'unbound', detail: 'liabilities are not filed' }
      : { check: 'M1.35', result: 'pass', detail: `${total} within liabilities of ${liabilities}` },
    rival === null
      ? { check: 'M1.36', result: 'pass', detail: 'no other admissible total disagrees' }
      : { check: 'M1.36', result: 'fail', detail: `${total} against ${rival}` },
  ];
}

/** `carrying_below_principal` when an undimensioned principal exceeds carrying (M1.5); principal never enters a total (M1.6). */
export function principalNotes(sheet: FactSheet, total: ExactDecimal, parameters: Parameters): string[] {
  const principal = sheet.positive('us-gaap:DebtInstrumentFaceAmount');
  if (principal === null || !exceeds(principal, total, parameters.principalExcess)) return [];
  return ['carrying_below_principal'];
}

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
