import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { closeTo, exceeds } from '../exact/decimals.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { XbrlFiling } from '../filing/xbrlFiling.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { TrailCheck } from '../trail/resolutionTrail.ts';
import { amountOf, currentSide, noncurrentSide } from './debtSides.ts';

/** How the filing's other debt figures stand to the total chosen (M1.31–M1.36). */
type DebtIdentities = {
  /** False when an identity that binds does not hold. */
  readonly consistent: boolean;
  /** The admissible total that differs from the chosen one by more than the limit, null when none does. */
  readonly rival: ExactDecimal | null;
};

/** Holds the chosen total against every identity that binds (M1.31–M1.34) and every rival total (M1.36). */
export function debtIdentities(
  sheet: FactSheet,
  total: ExactDecimal,
  parameters: Parameters,
): DebtIdentities {
  const longTerm = longTermDebtLink(sheet, parameters);
  const broken = [longTerm, combinedLink(sheet, parameters)]
    .filter((link) => link !== null)
    .filter((link) => !link.holds);
  const limit = parameters.candidateDisagreement;
  const rival =
    broken.find((link) => !closeTo(link.total, total, limit))?.total ??
    largerTotals(sheet, parameters, longTerm?.holds === true).find((other) => exceeds(other, total, limit));
  return { consistent: broken.length === 0, rival: rival ?? null };
}

type Link = { readonly holds: boolean; readonly total: ExactDecimal };

/**
 * `LongTermDebt` beside a noncurrent figure: the true total (M1.31), an alias of the noncurrent part (M1.32,
 * M1.33), or, when current maturities are not filed, anything between the two. Below the noncurrent part it is
 * one instrument's figure and binds nothing (RIOT 2025-09-30: 5,323 K against 586,501 K).
 */
function longTermDebtLink(sheet: FactSheet, parameters: Parameters): Link | null {
  const longTermDebt = sheet.positive('us-gaap:LongTermDebt');
  const noncurrent = amountOf(noncurrentSide(sheet, parameters));
  if (longTermDebt === null || noncurrent.sign === 0) return null;
  const near = (amount: ExactDecimal) => closeTo(longTermDebt, amount, parameters.identityTolerance);
  const maturities = sheet.positive('us-gaap:LongTermDebtCurrent');
  const upper = noncurrent.plus(maturities ?? amountOf(currentSide(sheet, parameters)));
  if (near(noncurrent) || near(upper)) return { holds: true, total: longTermDebt };
  if (longTermDebt.compare(noncurrent) < 0) return null;
  return { holds: maturities === null && longTermDebt.compare(upper) < 0, total: longTermDebt };
}

/** The combined total against noncurrent + current, when all three are filed (DFDV: 131,711 = 131,444 + 267 K). */
function combinedLink(sheet: FactSheet, parameters: Parameters): Link | null {
  const combined = sheet.positive('us-gaap:DebtLongtermAndShorttermCombinedAmount');
  const [noncurrent, current] = [
    amountOf(noncurrentSide(sheet, parameters)),
    amountOf(currentSide(sheet, parameters)),
  ];
  if (combined === null || noncurrent.sign === 0 || current.sign === 0) return null;
  const sides = noncurrent.plus(current);
  return { holds: closeTo(combined, sides, parameters.identityTolerance), total: sides };
}

/**
 * Filed totals that could show more debt than was counted. `LoansPayable` may be principal and is excluded; so is
 * the note's carrying amount once balance-sheet figures confirm each other (MSFT tags 49,208 M of principal so).
 */
function largerTotals(sheet: FactSheet, { concepts }: Parameters, isConfirmed: boolean): ExactDecimal[] {
  return concepts.debt
    .filter((row) => row.bucket === 'T' && !row.isPrincipal && row.leasePart === undefined)
    .filter((row) => row.level < 3 || !isConfirmed)
    .map((row) => sheet.positive(row.concept))
    .filter((amount) => amount !== null);
}

/** The identities of one total as checks of the trail (M1.31–M1.36). */
export function identityChecks({
  consistent,
  total,
  liabilities,
  rival,
}: DebtIdentities & { total: ExactDecimal; liabilities: ExactDecimal | null }): TrailCheck[] {
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
