import { compareText } from '../../data/contract/values/compareText.ts';
import { exceeds } from '../exact/closeTo.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { TrailRoot } from '../trail/resolutionTrail.ts';
import { trailFact } from '../trail/trailFact.ts';
import { debtCandidates } from './face/debtCandidates.ts';
import { debtIdentities } from './face/debtIdentities.ts';
import type { DebtCandidate } from './face/directPrecedence.ts';
import { identityChecks, principalNotes } from './face/totalChecks.ts';
import { unconfirmedNotes } from './face/unconfirmedNotes.ts';
import { type DebtInputs, type DebtResolution, unresolvedDebt } from './result/debtResolution.ts';
import type { DebtWalk } from './walk/debtWalk.ts';

/** The fallback table (M1.29), held against liabilities, identities and what else the filing shows. */
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
  const liabilities = sheet.amount('us-gaap:Liabilities');
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
      ...leaseNotes(candidate, parameters.concepts),
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

/** `includes_finance_lease` when a lease-inclusive figure was used and no lease liability could be taken off (†). */
function leaseNotes({ roots }: DebtCandidate, concepts: Concepts): string[] {
  const counted = roots.map((root) => root.concept);
  const isInclusive = concepts.debt.some(
    ({ concept, leasePart }) =>
      leasePart !== undefined && counted.includes(concept) && !counted.includes(leasePart),
  );
  return isInclusive ? ['includes_finance_lease'] : [];
}
