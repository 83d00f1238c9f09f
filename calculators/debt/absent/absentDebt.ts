import { compareText } from '../../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { trailFace } from '../../faceOrder/faceOrder.ts';
import type { TrailRoot, TrailRung } from '../../trail/resolutionTrail.ts';
import { trailFact } from '../../trail/trailFact.ts';
import { subsequentDebt } from '../face/debtAmounts.ts';
import { type DebtInputs, type DebtResolution, unresolvedDebt } from '../result/debtResolution.ts';
import { unprovenDebt } from '../result/unprovenDebt.ts';
import type { DebtWalk } from '../walk/debtWalk.ts';
import { rootDetail } from '../walk/networkDebtRoot.ts';
import { unexplained } from '../walk/sideResiduals.ts';
import { misfiledDebt } from './misfiledDebt.ts';
import { zeroDebtObjection } from './zeroDebtObjection.ts';

/** No debt above zero was found: a filed zero, a corroborated one, or a gap that is never a zero (M1.37, M1.38). */
export function absentDebt(
  debtInputs: DebtInputs,
  walk: DebtWalk,
  rungs: readonly TrailRung[],
): DebtResolution {
  const { sheet, parameters } = debtInputs;
  const concepts = [...parameters.concepts.debt, ...extensionZeros(walk)];
  const filed = concepts.filter(({ concept }) => sheet.reports(concept) || sheet.isNil(concept));
  const zeros = filed.filter(({ concept }) => sheet.isNil(concept) || sheet.amount(concept)?.sign === 0);
  const isLinkbase = walk.kind === 'walked' && walk.side.source === 'linkbase';
  const dataSource = isLinkbase ? 'linkbase_rooted_facts' : 'direct_facts_fallback';
  const gap = (note: string, reason: string): DebtResolution => ({
    ...unresolvedDebt,
    notes: [note],
    rungs: [...rungs, { rung: 'explicit_zero', taken: false, reason }],
  });
  if (walk.kind === 'refused' && walk.atLeast.sign > 0) {
    return gap('zero_debt_unproven:calculation_network', `the network shows ${walk.atLeast} at least`);
  }
  const open = walk.kind === 'walked' ? unexplained(walk.residuals) : ExactDecimal.zero;
  if (open.sign > 0) {
    return gap(`liabilities_residual:${open}`, `${open} of the liabilities is in no line that is filed`);
  }
  const closes = walk.kind === 'walked' && walk.closes;
  if (!closes && debtInputs.filing !== null && unprovenDebt(sheet, ExactDecimal.zero, parameters).sign > 0) {
    return gap(
      'zero_debt_unproven:own_concepts',
      'concepts of the filer itself read as debt and no network places them',
    );
  }
  const misfiled = closes ? null : misfiledDebt(sheet, parameters.concepts);
  if (misfiled !== null) {
    const reason = `${misfiled} is stated in another currency or beside the day of the balance sheet`;
    return gap(`debt_line_misfiled:${misfiled}`, reason);
  }
  if (filed.length > 0) {
    const refuted = filed.find((row) => !zeros.includes(row));
    if (refuted !== undefined) {
      const reason = 'a debt concept is filed below zero or contradicted';
      return gap(`zero_debt_unproven:${refuted.concept}`, reason);
    }
    const rooted = walk.kind === 'walked' ? walk.zeros : [];
    const details =
      rooted.length > 0
        ? rooted.map(rootDetail)
        : zeros.map(({ bucket, concept }) => `${bucket} ${concept} = 0 via explicit_zero`);
    const roots = rooted.length > 0 ? rooted : zeros;
    const reason = `${zeros.length} debt concepts are filed as zero or nil, none above zero`;
    return {
      ...unresolvedDebt,
      dataSource,
      coverage: 'resolved_zero',
      method: 'explicit_zero',
      ...readBy(debtInputs, walk),
      details: details.sort(compareText),
      rungs: [...rungs, { rung: 'explicit_zero', taken: true, reason }],
      roots: roots.map((root): TrailRoot => {
        const { bucket, concept } = root;
        const fact = trailFact(sheet, concept, 1);
        const place = 'parent' in root ? root : { parent: null, role: null, weight: 1 as const };
        return {
          kind: 'root',
          bucket,
          concept,
          value: ExactDecimal.zero,
          weight: place.weight,
          parent: place.parent,
          role: place.role,
          rung: 'explicit_zero',
          reason: 'filed as zero or nil',
          children: fact === null ? [] : [fact],
        };
      }),
    };
  }
  const notFiled: TrailRung = { rung: 'explicit_zero', taken: false, reason: 'no debt concept is filed' };
  const objection = zeroDebtObjection({ ...debtInputs, walk });
  const corroborated: TrailRung = {
    rung: 'corroborated_zero',
    taken: objection === null,
    reason: objection?.reason ?? 'liabilities are explained without debt and nothing shows borrowing',
  };
  if (objection !== null) {
    const notes = [`zero_debt_unproven:${objection.concept}`];
    return { ...unresolvedDebt, notes, rungs: [...rungs, notFiled, corroborated] };
  }
  return {
    ...unresolvedDebt,
    dataSource,
    coverage: 'legitimate_zero_debt',
    method: 'corroborated_zero',
    ...readBy(debtInputs, walk),
    rungs: [...rungs, notFiled, corroborated],
  };
}

/** How the side was read, and debt that came after the period end (M1.24c 7, M1.37b). */
function readBy({ face, sheet, filing, parameters }: DebtInputs, walk: DebtWalk) {
  const isFace = walk.kind === 'walked' && walk.side.source === 'face_order';
  const later = subsequentDebt({ sheet, filing, parameters });
  return {
    face: isFace ? trailFace(face.liabilities) : null,
    notes: [...(isFace ? ['face_order'] : []), ...(later === null ? [] : [`subsequent_debt:${later}`])],
  };
}

function extensionZeros(walk: DebtWalk) {
  return walk.kind === 'walked' ? walk.zeros.filter((root) => root.isExtension) : [];
}
