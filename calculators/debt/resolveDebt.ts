import type { DebtCoverage } from '../../contract/enums.ts';
import { ExactDecimal } from '../../contract/exactDecimal.ts';
import { exceeds } from '../closeTo.ts';
import { compareText } from '../compareText.ts';
import type { FactSheet } from '../factSheet.ts';
import type { Parameters } from '../parameters.ts';
import type { FiledFact } from '../rows.ts';
import { corroboratesZeroDebt } from './corroboratesZeroDebt.ts';
import { debtDictionary } from './debtDictionary.ts';
import { debtIdentities } from './debtIdentities.ts';
import { type DebtCandidate, directPrecedence } from './directPrecedence.ts';

/** Total financial debt of one filing and how it was found (M1.1, M1.28, M1.37). USD, exact. */
export type DebtResolution = {
  readonly current: ExactDecimal;
  readonly noncurrent: ExactDecimal;
  readonly total: ExactDecimal;
  readonly coverage: DebtCoverage;
  readonly method: 'direct_precedence' | 'explicit_zero' | 'corroborated_zero' | null;
  /** Sorted; for a resolved total the weighted values add up to it. */
  readonly details: readonly string[];
  /** False when an identity that binds is broken (M1.40). */
  readonly identitiesConsistent: boolean;
  /** True when a second admissible total disagrees (M1.36): quality Low. */
  readonly disagreement: boolean;
  readonly notes: readonly string[];
};

type DebtInputs = {
  readonly sheet: FactSheet;
  /** Debt-activity flows of other filings that end in the year before the period (M1.37). */
  readonly activity: readonly FiledFact[];
  readonly parameters: Parameters;
};

/** Resolves debt from whole-entity facts alone: precedence, identities, coverage (M1.29–M1.37). */
export function resolveDebt(o: DebtInputs): DebtResolution {
  const candidate = directPrecedence(o.sheet, o.parameters);
  if (candidate === null) return resolveAbsence(o);
  const total = candidate.current.plus(candidate.noncurrent);
  const liabilities = o.sheet.amount('us-gaap:Liabilities');
  if (liabilities !== null && exceeds(total, liabilities, o.parameters.identityTolerance)) {
    return { ...unresolved, identitiesConsistent: false, notes: ['debt_exceeds_liabilities'] };
  }
  const { consistent, rival } = debtIdentities(o.sheet, total, o.parameters);
  return {
    current: candidate.current,
    noncurrent: candidate.noncurrent,
    total,
    coverage: 'resolved_nonzero',
    method: 'direct_precedence',
    details: detailsOf(candidate),
    identitiesConsistent: consistent,
    disagreement: rival !== null,
    notes: [
      ...(rival === null ? [] : [`debt_candidates_disagree:${total}/${rival}`]),
      ...leaseNotes(candidate),
      ...principalNotes(o.sheet, total, o.parameters),
    ],
  };
}

const unresolved: DebtResolution = {
  current: ExactDecimal.zero,
  noncurrent: ExactDecimal.zero,
  total: ExactDecimal.zero,
  coverage: 'low_confidence_missing_debt',
  method: null,
  details: [],
  identitiesConsistent: true,
  disagreement: false,
  notes: [],
};

/** No debt above zero was found: a filed zero, a corroborated one, or a gap that is never a zero (M1.37, M1.38). */
function resolveAbsence(o: DebtInputs): DebtResolution {
  const filed = debtDictionary.filter(({ concept }) => o.sheet.reports(concept));
  const zeros = filed.filter(({ concept }) => o.sheet.amount(concept)?.sign === 0);
  if (filed.length > 0) {
    if (zeros.length < filed.length) return unresolved;
    const details = zeros.map(({ bucket, concept }) => `${bucket} ${concept} = 0 via explicit_zero`);
    return {
      ...unresolved,
      coverage: 'resolved_zero',
      method: 'explicit_zero',
      details: details.sort(compareText),
    };
  }
  if (!corroboratesZeroDebt(o)) return unresolved;
  return { ...unresolved, coverage: 'legitimate_zero_debt', method: 'corroborated_zero' };
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

/** `includes_finance_lease` when a lease-inclusive figure was used and no lease liability could be taken off (†). */
function leaseNotes({ roots }: DebtCandidate): string[] {
  const counted = roots.map((root) => root.concept);
  const isInclusive = debtDictionary.some(
    ({ concept, leasePart }) =>
      leasePart !== undefined && counted.includes(concept) && !counted.includes(leasePart),
  );
  return isInclusive ? ['includes_finance_lease'] : [];
}

/** `carrying_below_principal` when an undimensioned principal exceeds carrying (M1.5); principal never enters a total (M1.6). */
function principalNotes(sheet: FactSheet, total: ExactDecimal, parameters: Parameters): string[] {
  const principal = sheet.positive('us-gaap:DebtInstrumentFaceAmount');
  if (principal === null || !exceeds(principal, total, parameters.principalExcess)) return [];
  return ['carrying_below_principal'];
}
