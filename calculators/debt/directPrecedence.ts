import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { closeTo } from '../exact/decimals.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { Parameters } from '../parameters/parameters.ts';
import {
  amountOf,
  currentSide,
  type DebtRoot,
  debtConcept,
  distinctRoots,
  firstOf,
  noncurrentSide,
  shortTermLines,
  undividedLeases,
  withoutPartsOf,
} from './debtSides.ts';
import { closingLines } from './otherLiabilities.ts';

/** What one rule of the fallback precedence makes of a filing (M1.29). */
export type DebtCandidate = {
  readonly rule: 1 | 2 | 3 | 4 | 5;
  readonly current: ExactDecimal;
  readonly noncurrent: ExactDecimal;
  /** The filed figures; their weighted sum is current + noncurrent. */
  readonly roots: readonly DebtRoot[];
};

type Rule = (sheet: FactSheet, parameters: Parameters) => DebtCandidate | null;

/**
 * The first rule of the fallback precedence that finds debt above zero; null when none does (M1.29).
 *
 * A filed zero ends no search: a zero under one concept does not rule out a positive figure under another.
 */
export function directPrecedence(sheet: FactSheet, parameters: Parameters): DebtCandidate | null {
  const rules: readonly Rule[] = [
    closedSides,
    combinedTotal,
    bothSides,
    longTermTotal,
    instrumentTotals,
    carryingAmount,
  ];
  for (const rule of rules) {
    const candidate = rule(sheet, parameters);
    if (candidate !== null) return candidate;
  }
  return null;
}

/**
 * Noncurrent plus current before any combined total, where each adds up with other lines to its filed total: then both
 * stand on the face, and another total is one of the notes (M1.29c; UNH 2024-12-31: 76,904 against 76,180 M).
 */
const closedSides: Rule = (sheet, parameters) => {
  const noncurrent = noncurrentSide(sheet, parameters);
  const current = withoutPartsOf(noncurrent, currentSide(sheet, parameters), parameters);
  const { concepts } = parameters;
  const closes =
    noncurrent.length > 0 &&
    closingLines(sheet, { side: 'C', debt: amountOf(current), concepts }) !== null &&
    closingLines(sheet, { side: 'N', debt: amountOf(noncurrent), concepts }) !== null;
  const roots = [...current, ...noncurrent];
  return closes ? { rule: 2, roots, ...split(roots, amountOf(noncurrent)) } : null;
};

/** (1) The combined total, split by the noncurrent figure found; the residual is current. */
const combinedTotal: Rule = (sheet, parameters) => {
  const roots = firstOf(sheet, ['us-gaap:DebtLongtermAndShorttermCombinedAmount'], parameters);
  if (roots.length === 0) return null;
  return {
    rule: 1,
    roots,
    ...split(roots, lesser(amountOf(noncurrentSide(sheet, parameters)), amountOf(roots))),
  };
};

/** (2) Noncurrent plus current. A current side alone yields only when no long-term total waits in rule (3). */
const bothSides: Rule = (sheet, parameters) => {
  const noncurrent = noncurrentSide(sheet, parameters);
  const current = withoutPartsOf(noncurrent, currentSide(sheet, parameters), parameters);
  if (noncurrent.length === 0 && (current.length === 0 || longTermRoots(sheet, parameters).length > 0))
    return null;
  const both = [...current, ...noncurrent];
  const leases = undividedLeases(sheet, both, parameters);
  const roots = [...both, ...leases];
  const later = [...noncurrent, ...leases.filter(({ bucket }) => bucket !== 'C')];
  return { rule: 2, roots, ...split(roots, amountOf(later)) };
};

/** (3) `LongTermDebt` + short-term borrowings, unless it turns out to be the noncurrent part (M1.33). */
const longTermTotal: Rule = (sheet, parameters) => {
  const longTerm = longTermRoots(sheet, parameters);
  if (longTerm.length === 0) return null;
  const current = currentSide(sheet, parameters);
  const isLongTermDebt = longTerm[0]?.concept === 'us-gaap:LongTermDebt';
  if (isLongTermDebt && isNoncurrentAlias(sheet, { longTerm, current }, parameters)) {
    const roots = [...current, ...longTerm.map((root) => ({ ...root, bucket: 'N' as const }))];
    return { rule: 3, roots, ...split(roots, amountOf(longTerm)) };
  }
  const lines = [
    debtConcept('us-gaap:LongTermDebt', parameters.concepts),
    ...shortTermLines(sheet, parameters),
  ];
  const roots = isLongTermDebt ? distinctRoots(sheet, lines, parameters) : longTerm;
  const total = amountOf(roots);
  return { rule: 3, roots, ...split(roots, total.minus(lesser(amountOf(current), total))) };
};

/**
 * True when the carrying amount of the debt note is the long-term figure plus the current side, and not the
 * long-term figure alone: then that figure is the noncurrent part under the name of the total (M1.33; ADBE
 * 2024-11-29: 4,129 + 1,499 against 5,650 M). Issuance costs part the two sides of this identity, so it is
 * compared within the limit of M1.36 rather than to rounding.
 */
function isNoncurrentAlias(
  sheet: FactSheet,
  { longTerm, current }: { longTerm: readonly DebtRoot[]; current: readonly DebtRoot[] },
  { candidateDisagreement }: Parameters,
): boolean {
  const carrying = sheet.positive('us-gaap:DebtInstrumentCarryingAmount');
  if (carrying === null || current.length === 0) return false;
  const supports = (roots: readonly DebtRoot[]) => closeTo(carrying, amountOf(roots), candidateDisagreement);
  return supports([...current, ...longTerm]) && !supports(longTerm);
}

/** (4) Instrument totals; `LoansPayable`, which may be principal, only when no other is filed. */
const instrumentTotals: Rule = (sheet, parameters) => {
  const totals = parameters.concepts.debt.filter(
    (row) => row.bucket === 'T' && (row.level === 1 || row.level === 2),
  );
  const [principal = [], carrying = []] = [true, false].map((isPrincipal) =>
    totals.filter((row) => row.isPrincipal === isPrincipal),
  );
  const instruments = distinctRoots(sheet, carrying, parameters);
  const roots = instruments.length > 0 ? instruments : distinctRoots(sheet, principal, parameters);
  return roots.length === 0 ? null : { rule: 4, roots, ...split(roots, amountOf(roots)) };
};

/** (5) The carrying amount of the debt note, as a last resort. */
const carryingAmount: Rule = (sheet, parameters) => {
  const roots = firstOf(sheet, ['us-gaap:DebtInstrumentCarryingAmount'], parameters);
  return roots.length === 0 ? null : { rule: 5, roots, ...split(roots, amountOf(roots)) };
};

function longTermRoots(sheet: FactSheet, parameters: Parameters): DebtRoot[] {
  const order = [
    'us-gaap:LongTermDebt',
    'us-gaap:LongTermDebtAndCapitalLeaseObligationsIncludingCurrentMaturities',
    'us-gaap:DebtAndCapitalLeaseObligations',
    'ifrs-full:Borrowings',
  ];
  return firstOf(sheet, order, parameters);
}

function split(roots: readonly DebtRoot[], noncurrent: ExactDecimal) {
  return { noncurrent, current: amountOf(roots).minus(noncurrent) };
}

function lesser(a: ExactDecimal, b: ExactDecimal): ExactDecimal {
  return a.compare(b) <= 0 ? a : b;
}
