import { compareText } from '../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { closeTo, exceeds } from '../exact/decimals.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import { relatedPartyLines } from '../filing/relatedPartyLines.ts';
import type { XbrlFiling } from '../filing/xbrlFiling.ts';
import { liabilitiesConcepts } from '../network/conceptNames.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { TrailRoot } from '../trail/resolutionTrail.ts';
import { trailFact } from '../trail/trailFact.ts';
import { classifyDebt, type KnownConcepts, readsAsDebt } from './classifyDebt.ts';
import { debtIdentities, identityChecks, principalNotes, unconfirmedNotes } from './debtIdentities.ts';
import { type DebtInputs, type DebtResolution, unresolvedDebt } from './debtResolution.ts';
import {
  amountOf,
  currentSide,
  type DebtRoot,
  debtConcept,
  distinctRoots,
  firstOf,
  linesBeside,
  noncurrentSide,
  shortTermLines,
  undividedLeases,
  withoutPartsOf,
} from './debtSides.ts';
import type { DebtWalk } from './debtWalk.ts';
import { undividedLease } from './financeLeases.ts';
import { closingLines } from './otherLiabilities.ts';
import { memberSums } from './statedDebt.ts';
import { unprovenDebt } from './unplacedDebt.ts';

/** The fallback table (M1.29), compared with liabilities, identities and other figures of the filing. */
export function directDebt(inputs: DebtInputs, candidate: DebtCandidate, walk: DebtWalk): DebtResolution {
  const { sheet, parameters, filing } = inputs;
  const name = `precedence_${candidate.rule}`;
  const total = candidate.current.plus(candidate.noncurrent);
  const refuse = (reason: string, notes: readonly string[]): DebtResolution => ({
    ...unresolvedDebt,
    notes,
    identitiesConsistent: notes.length === 0,
    rungs: [{ rung: name, taken: false, reason }],
  });
  const liabilities = sheet.firstAmount(liabilitiesConcepts);
  if (liabilities !== null && exceeds(total, liabilities, parameters.identityTolerance)) {
    return refuse(`${total} is above liabilities of ${liabilities}`, ['debt_exceeds_liabilities']);
  }
  if (walk.kind === 'refused' && exceeds(walk.atLeast, total, parameters.identityTolerance)) {
    return refuse(`${total} is below the ${walk.atLeast} the network shows at least`, []);
  }
  const { consistent } = debtIdentities(sheet, total, parameters);
  const rivals = debtCandidates(inputs, { total, concepts: candidate.roots.map(({ concept }) => concept) });
  const other = rivals.at(-1) ?? null;
  return {
    ...unresolvedDebt,
    current: candidate.current,
    noncurrent: candidate.noncurrent,
    total,
    coverage: 'resolved_nonzero',
    method: 'direct_precedence',
    details: detailsOf(candidate),
    identitiesConsistent: consistent,
    disagreement: other !== null,
    rivals,
    notes: [
      ...(other === null ? [] : [`debt_candidates_disagree:${total}/${other}`]),
      ...leaseNotes(candidate, inputs),
      ...principalNotes(sheet, total, parameters),
      ...unconfirmedNotes(candidate.roots, { sheet, filing, concepts: parameters.concepts }),
    ],
    rungs: [{ rung: name, taken: true, reason: `rule ${candidate.rule} of M1.29 yields ${total}` }],
    checks: identityChecks({ consistent, total, liabilities, rival: other }),
    roots: candidate.roots.map((root): TrailRoot => {
      const fact = trailFact(sheet, root.concept, 1);
      return {
        kind: 'root',
        ...root,
        parent: null,
        role: null,
        rung: name,
        reason: 'dictionary',
        children: fact === null ? [] : [fact],
      };
    }),
  };
}

/**
 * One line a root, in the form of M1.28 with the precedence rule in place of the network:
 * `N us-gaap:LongTermDebtNoncurrent = 8173587000 via direct_precedence w=+1 rule=2`.
 */
function detailsOf({ rule, roots }: DebtCandidate): string[] {
  return roots
    .map(({ bucket, concept, value, weight }) => {
      const sign = weight === 1 ? '+1' : '-1';
      return `${bucket} ${concept} = ${value} via direct_precedence w=${sign} rule=${rule}`;
    })
    .sort(compareText);
}

/**
 * `includes_finance_lease` when a lease-inclusive figure was used and no lease liability could be taken off; not where
 * the filing names other lines that hold it.
 */
function leaseNotes({ roots }: DebtCandidate, { sheet, parameters }: DebtInputs): string[] {
  const counted = roots.map((root) => root.concept);
  if (counted.includes(undividedLease)) return [];
  const isInclusive = parameters.concepts.debt.some(
    ({ concept, leasePart }) =>
      leasePart !== undefined &&
      counted.includes(concept) &&
      !counted.includes(leasePart) &&
      (sheet.linesHolding(leasePart).length === 0 || sheet.linesHolding(leasePart).includes(concept)),
  );
  return isInclusive ? ['includes_finance_lease'] : [];
}

/**
 * Admissible totals that are above `total` by more than the limit of M1.36, smallest first: identities that do not
 * hold, parts larger than their whole, lines stated by counterparty, members of a debt axis, balances of the filer
 * itself. A total below the chosen one merely lacks parts; one above the liabilities is no candidate (M1.35).
 */
function debtCandidates(
  inputs: DebtInputs,
  chosen: { total: ExactDecimal; concepts: readonly string[] },
): readonly ExactDecimal[] {
  const { sheet, parameters, filing } = inputs;
  const { total } = chosen;
  const { rival } = debtIdentities(sheet, total, parameters);
  const others = [
    ...(rival === null ? [] : [rival]),
    ...hierarchyConflicts(sheet, chosen.concepts, parameters).map((more) => total.plus(more)),
    ...(filing === null ? [] : [total.plus(unprovenDebt(sheet, total, parameters))]),
    ...(filing === null
      ? []
      : [total.plus(counterpartyDebt(filing, inputs)), ...undividedSums(filing, inputs)]),
  ];
  const liabilities = sheet.firstAmount(liabilitiesConcepts);
  return others
    .filter((other) => exceeds(other, total, parameters.candidateDisagreement))
    .filter((other) => liabilities === null || !exceeds(other, liabilities, parameters.identityTolerance))
    .sort((a, b) => a.compare(b));
}

/** Debt that the filing states for related parties only, where no total is available to place it (M1.7b). */
function counterpartyDebt(filing: XbrlFiling, { sheet, networks, parameters }: DebtInputs): ExactDecimal {
  const isFiled = (concept: string) => sheet.chosen(concept) !== null;
  const lines = relatedPartyLines(filing, { period: sheet.period, isFiled });
  const known = { declarations: networks.declarations, concepts: parameters.concepts };
  const debts = lines.filter(({ concept }) => isLineOfDebt(concept, known));
  return sumOf(debts.map(({ value }) => value));
}

function isLineOfDebt(concept: string, known: KnownConcepts): boolean {
  const found = classifyDebt(concept, known);
  return found === null
    ? concept
        .split(':')
        .slice(1)
        .some((name) => readsAsDebt([name.toLowerCase()], known.concepts))
    : true;
}

/** Sums of one debt concept over the members of one debt axis, where the filing states no undivided amount of it. */
function undividedSums(filing: XbrlFiling, { sheet, parameters }: DebtInputs): ExactDecimal[] {
  const counts = (concept: string) =>
    parameters.concepts.debtConcept(concept)?.isPrincipal === false && sheet.chosen(concept) === null;
  return memberSums(filing, { period: sheet.period, counts });
}

/**
 * What the filed parts of counted concepts are above them (M1.29a): a conflict for M1.36, never a sum. Parts of one
 * split only are compared, current and noncurrent or undivided; a difference within one amount is none (M1.34b).
 */
function hierarchyConflicts(
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
    if (candidate !== null) return withLinesBeside(candidate, { sheet, parameters });
  }
  return null;
}

/** Sides or instruments with the lines that a filed total of the liabilities shows beside them (M1.29d). */
function withLinesBeside(
  candidate: DebtCandidate,
  { sheet, parameters }: { sheet: FactSheet; parameters: Parameters },
): DebtCandidate {
  const isOfLines = candidate.rule === 2 || candidate.rule === 4;
  const more = isOfLines ? linesBeside(sheet, candidate.roots, parameters) : [];
  const current = more.filter(({ bucket }) => bucket === 'C');
  return {
    ...candidate,
    current: candidate.current.plus(amountOf(current)),
    noncurrent: candidate.noncurrent.plus(amountOf(more).minus(amountOf(current))),
    roots: [...candidate.roots, ...more],
  };
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
