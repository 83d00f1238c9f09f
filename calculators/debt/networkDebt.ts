import { compareText } from '../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { exceeds } from '../exact/decimals.ts';
import { sumOf } from '../exact/sumOf.ts';
import { networkWords } from '../faceOrder/faceNetwork.ts';
import { trailFace } from '../faceOrder/faceOrder.ts';
import { liabilitiesConcepts } from '../network/conceptNames.ts';
import { tieBreak } from '../network/filingNetworks.ts';
import { signed } from '../network/networkRoots.ts';
import type { TrailCheck, TrailRoot } from '../trail/resolutionTrail.ts';
import { trailSources } from '../trail/trailFact.ts';
import { debtIdentities, identityChecks, principalNotes, unconfirmedNotes } from './debtIdentities.ts';
import {
  type DebtInputs,
  type DebtMethod,
  type DebtResolution,
  type NetworkDebtRoot,
  rootDetail,
} from './debtResolution.ts';
import type { DebtWalk, ShownDebt, Walked } from './debtWalk.ts';
import { directPrecedence } from './directDebt.ts';
import type { SideResidual } from './sideResiduals.ts';

/** Debt by the walk, or why the walk gives none and the next rung has to be tried. */
type NetworkDebt =
  | { readonly kind: 'resolved'; readonly resolution: DebtResolution }
  | {
      readonly kind: 'no_debt' | 'unusable';
      readonly reason: string;
      readonly notes: readonly string[];
    };

/**
 * Adds up the roots of the walk and compares the total with liabilities, identities and the other totals that the
 * filing states (M1.26–M1.28, M1.31–M1.36).
 */
export function networkDebt(walk: Walked, { parameters, face, filing }: DebtInputs): NetworkDebt {
  const { sheet, source } = walk.side;
  const current = sumOf(walk.roots.filter((root) => root.bucket === 'C').map(signed));
  const noncurrent = sumOf(walk.roots.filter((root) => root.bucket !== 'C').map(signed));
  const total = current.plus(noncurrent);
  if (total.sign <= 0) {
    const where = networkWords(walk.network);
    return { kind: 'no_debt', reason: `no debt above zero under ${walk.start} in ${where}`, notes: [] };
  }
  const liabilities = sheet.firstAmount(liabilitiesConcepts);
  if (liabilities !== null && exceeds(total, liabilities, parameters.identityTolerance)) {
    const reason = `${total} is above liabilities of ${liabilities}`;
    return { kind: 'unusable', reason, notes: ['debt_exceeds_liabilities'] };
  }
  const { consistent, rival } = debtIdentities(sheet, total, parameters);
  const isFace = source === 'face_order';
  // a side that adds up outweighs other figures (M1.36b)
  const rivals = walk.closes
    ? []
    : largerTotals(total, [rival, directTotal(sheet, parameters)], parameters.candidateDisagreement);
  const other = rivals.at(-1) ?? null;
  const rung = isFace ? 'face_order' : 'liabilities_walk';
  const extensions = walk.roots.filter((root) => root.isExtension).map((root) => root.concept);
  const resolution: DebtResolution = {
    current,
    noncurrent,
    total,
    coverage: 'resolved_nonzero',
    method: methodOf(walk, extensions),
    dataSource: isFace ? 'direct_facts_fallback' : linkbaseSource(walk.roots),
    details: [
      ...walk.roots.map((root) => `${rootDetail(root)}${membersOf(root, walk)}`),
      ...walk.residuals.map(residualDetail),
    ].sort(compareText),
    extensionRoots: extensions.sort(compareText),
    rootedConcepts: walk.roots
      .filter((root) => !root.isLeasePart && root.value.sign > 0)
      .map((root) => root.concept),
    identitiesConsistent: consistent,
    disagreement: other !== null,
    rivals,
    unidentified: ExactDecimal.zero,
    notes: [
      ...(other === null ? [] : [`debt_candidates_disagree:${total}/${other}`]),
      ...(walk.includesLeases ? ['includes_finance_lease'] : []),
      ...principalNotes(sheet, total, parameters),
      ...(isFace ? ['face_order'] : []),
      ...relatedPartyNotes(walk),
      ...unconfirmedNotes(walk.roots, { sheet, filing, concepts: parameters.concepts }),
    ],
    rungs: [{ rung, taken: true, reason: reasonOf(walk) }],
    checks: [...identityChecks({ consistent, total, liabilities, rival: other }), ...residualChecks(walk)],
    roots: trailRoots(walk, rung),
    face: isFace ? trailFace(face.liabilities) : null,
  };
  return { kind: 'resolved', resolution };
}

function trailRoots({ side, roots }: ShownDebt, rung: string): readonly TrailRoot[] {
  return roots.map((root) => ({
    kind: 'root',
    bucket: root.bucket,
    concept: root.concept,
    value: root.value,
    weight: root.weight,
    parent: root.parent,
    role: root.role,
    rung,
    reason: root.reason,
    children: trailSources(side.sheet, root),
  }));
}

/**
 * A debt of which nothing was found, with the lines of the balance sheet that are debt all the same as its proven part
 * (M3.3c): the first of `walks` that shows any. Above the liabilities they prove nothing (M1.35).
 */
export function withShownLines(
  debt: DebtResolution,
  walks: readonly DebtWalk[],
  { sheet, parameters }: DebtInputs,
): DebtResolution {
  if (debt.coverage !== 'low_confidence_missing_debt' || debt.total.sign > 0) return debt;
  const liabilities = sheet.firstAmount(liabilitiesConcepts);
  for (const walk of walks) {
    const shown = walk.kind === 'walked' ? walk : walk.shown;
    if (shown === null) continue;
    const sum = (isCurrent: boolean) =>
      sumOf(shown.roots.filter(({ bucket }) => (bucket === 'C') === isCurrent).map(signed));
    const [current, noncurrent] = [sum(true), sum(false)];
    const total = current.plus(noncurrent);
    if (current.sign < 0 || noncurrent.sign < 0 || total.sign === 0) continue;
    if (liabilities !== null && exceeds(total, liabilities, parameters.identityTolerance)) continue;
    const details = shown.roots.map(rootDetail).sort(compareText);
    return { ...debt, current, noncurrent, total, details, roots: trailRoots(shown, 'liabilities_walk') };
  }
  return debt;
}

function methodOf(walk: Walked, extensions: readonly string[]): DebtMethod {
  if (walk.side.source === 'face_order') return 'face_order';
  if (extensions.length > 0) return 'extension_root_rollup';
  if (walk.usesNote) return 'debt_note_network';
  const isLiabilities = liabilitiesConcepts.some((concept) => concept === walk.start);
  return isLiabilities ? 'bs_liabilities_walk' : 'bs_liabilities_and_equity_walk';
}

function reasonOf({ roots, start, side, signal }: Walked): string {
  const found = `${roots.length} roots under ${start}`;
  const where = `${found} in ${networkWords(side.network)}`;
  return side.source === 'face_order' ? `${where}, whose lines add up` : `${where}${tieBreak(signal)}`;
}

/** Debt lines that the filer shows by counterparty only (M1.7b). */
function relatedPartyNotes({ roots, side }: Walked): string[] {
  const counted = new Set(roots.flatMap(({ parts }) => parts.map(({ concept }) => concept)));
  return side.relatedParty
    .filter(({ concept }) => counted.has(concept))
    .map(({ concept }) => `related_party_line:${concept}`);
}

/** Whose members stand for a line shown by counterparty; empty for every other (M1.7b). */
function membersOf({ parts }: NetworkDebtRoot, { side }: Walked): string {
  const lines = side.relatedParty.filter((line) => parts.some(({ concept }) => concept === line.concept));
  const members = lines.flatMap((line) => line.members);
  return members.length === 0 ? '' : ` members=${members.join('+')}`;
}

function linkbaseSource(roots: readonly NetworkDebtRoot[]): 'linkbase_rollup' | 'linkbase_rooted_facts' {
  return isRollup(roots) ? 'linkbase_rollup' : 'linkbase_rooted_facts';
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

/** The other totals that are above `total` by more than `limit`, smallest first; smaller ones merely lack parts. */
function largerTotals(
  total: ExactDecimal,
  others: readonly (ExactDecimal | null)[],
  limit: number,
): readonly ExactDecimal[] {
  const larger = others.filter((other) => other !== null).filter((other) => exceeds(other, total, limit));
  return larger.sort((a, b) => a.compare(b));
}

function residualDetail({ concept, residual }: SideResidual): string {
  return `residual ${concept} = ${residual}`;
}

function residualChecks({ residuals }: { readonly residuals: readonly SideResidual[] }): TrailCheck[] {
  return residuals.map(({ concept, total, residual, result }) => ({
    check: 'M1.18b',
    result,
    detail: `${concept} of ${total} is ${residual} above its items`,
  }));
}
