import type { ExactDecimal } from '../../contract/exactDecimal.ts';
import { exceeds } from '../closeTo.ts';
import { compareText } from '../compareText.ts';
import { roleName, tieBreak } from '../network/balanceSheetNetwork.ts';
import { signed } from '../network/rootValues.ts';
import { liabilitiesConcepts } from '../network/structuralConcepts.ts';
import type { TrailRoot } from '../resolutionTrail.ts';
import { sumOf } from '../sumOf.ts';
import { trailSources } from '../trailFact.ts';
import { debtIdentities } from './debtIdentities.ts';
import type { DebtInputs, DebtMethod, DebtResolution } from './debtResolution.ts';
import type { DebtWalk } from './debtWalk.ts';
import { directPrecedence } from './directPrecedence.ts';
import { type NetworkDebtRoot, rootDetail } from './networkDebtRoot.ts';
import { identityChecks, principalNotes } from './totalChecks.ts';

type Walked = Extract<DebtWalk, { kind: 'walked' }>;

/** Debt by the walk, or why the walk gives none and the next rung has to be tried. */
export type NetworkDebt =
  | { readonly kind: 'resolved'; readonly resolution: DebtResolution }
  | { readonly kind: 'passed_over'; readonly reason: string; readonly notes: readonly string[] };

/**
 * Adds up the roots of the walk and holds the total against liabilities, identities and the other totals that the
 * filing states (M1.26–M1.28, M1.31–M1.36).
 */
export function networkDebt(walk: Walked, { sheet, parameters }: DebtInputs): NetworkDebt {
  const current = sumOf(walk.roots.filter((root) => root.bucket === 'C').map(signed));
  const noncurrent = sumOf(walk.roots.filter((root) => root.bucket !== 'C').map(signed));
  const total = current.plus(noncurrent);
  const role = roleName(walk.network.role);
  if (total.sign <= 0) {
    return { kind: 'passed_over', reason: `no debt above zero under ${walk.start} in ${role}`, notes: [] };
  }
  const liabilities = sheet.amount('us-gaap:Liabilities');
  if (liabilities !== null && exceeds(total, liabilities, parameters.identityTolerance)) {
    const reason = `${total} is above liabilities of ${liabilities}`;
    return { kind: 'passed_over', reason, notes: ['debt_exceeds_liabilities'] };
  }
  const { consistent, rival } = debtIdentities(sheet, total, parameters);
  const other = largerTotal(total, [rival, directTotal(sheet, parameters)], parameters.candidateDisagreement);
  const extensions = walk.roots.filter((root) => root.isExtension).map((root) => root.concept);
  const resolution: DebtResolution = {
    current,
    noncurrent,
    total,
    coverage: 'resolved_nonzero',
    method: methodOf(walk, extensions),
    dataSource: isRollup(walk.roots) ? 'linkbase_rollup' : 'linkbase_rooted_facts',
    details: walk.roots.map(rootDetail).sort(compareText),
    extensionRoots: extensions.sort(compareText),
    rootedConcepts: walk.roots
      .filter((root) => !root.isLeasePart && root.value.sign > 0)
      .map((root) => root.concept),
    identitiesConsistent: consistent,
    disagreement: other !== null,
    notes: [
      ...(other === null ? [] : [`debt_candidates_disagree:${total}/${other}`]),
      ...(walk.includesLeases ? ['includes_finance_lease'] : []),
      ...principalNotes(sheet, total, parameters),
    ],
    rungs: [
      {
        rung: 'liabilities_walk',
        taken: true,
        reason: `${walk.roots.length} roots under ${walk.start} in ${role}${tieBreak(walk.signal)}`,
      },
    ],
    checks: identityChecks({ consistent, total, liabilities, rival: other }),
    roots: walk.roots.map(
      (root): TrailRoot => ({
        ...{ kind: 'root', bucket: root.bucket, concept: root.concept, value: root.value },
        ...{ weight: root.weight, parent: root.parent, role: root.role, rung: 'liabilities_walk' },
        reason: root.reason,
        children: trailSources(sheet, root),
      }),
    ),
  };
  return { kind: 'resolved', resolution };
}

function methodOf(walk: Walked, extensions: readonly string[]): DebtMethod {
  if (extensions.length > 0) return 'extension_root_rollup';
  if (walk.usesNote) return 'debt_note_network';
  const isLiabilities = liabilitiesConcepts.some((concept) => concept === walk.start);
  return isLiabilities ? 'bs_liabilities_walk' : 'bs_liabilities_and_equity_walk';
}

/** True when a bucket is a sum: several roots above zero, or a root without a fact of its own (M1.27). */
function isRollup(roots: readonly NetworkDebtRoot[]): boolean {
  const filled = roots.filter((root) => root.value.sign > 0);
  const current = filled.filter((root) => root.bucket === 'C').length;
  const isSummed = filled.some((root) => root.parts.length > 1 || root.parts[0]?.concept !== root.concept);
  return isSummed || current > 1 || filled.length - current > 1;
}

/** What the fallback table would give: a larger figure means that the network lacks lines (M1.16, M1.36). */
function directTotal(sheet: DebtInputs['sheet'], parameters: DebtInputs['parameters']): ExactDecimal | null {
  const candidate = directPrecedence(sheet, parameters);
  return candidate === null ? null : candidate.current.plus(candidate.noncurrent);
}

/** The largest of the other totals that is above `total` by more than `limit`; smaller ones merely lack parts. */
function largerTotal(
  total: ExactDecimal,
  others: readonly (ExactDecimal | null)[],
  limit: number,
): ExactDecimal | null {
  const larger = others.filter((other) => other !== null).filter((other) => exceeds(other, total, limit));
  return larger.sort((a, b) => b.compare(a))[0] ?? null;
}
