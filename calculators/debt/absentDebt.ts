import { ExactDecimal } from '../../contract/exactDecimal.ts';
import { compareText } from '../compareText.ts';
import type { TrailRoot, TrailRung } from '../resolutionTrail.ts';
import { trailFact } from '../trailFact.ts';
import { corroboratesZeroDebt } from './corroboratesZeroDebt.ts';
import { debtDictionary } from './debtDictionary.ts';
import { type DebtInputs, type DebtResolution, unresolvedDebt } from './debtResolution.ts';
import type { DebtWalk } from './debtWalk.ts';
import { unprovenDebt } from './unprovenDebt.ts';

/** No debt above zero was found: a filed zero, a corroborated one, or a gap that is never a zero (M1.37, M1.38). */
export function absentDebt(o: DebtInputs, walk: DebtWalk, rungs: readonly TrailRung[]): DebtResolution {
  const { sheet } = o;
  const concepts = [...debtDictionary, ...extensionRoots(walk)];
  const filed = concepts.filter(({ concept }) => sheet.reports(concept) || sheet.isNil(concept));
  const zeros = filed.filter(({ concept }) => sheet.isNil(concept) || sheet.amount(concept)?.sign === 0);
  const dataSource = walk.kind === 'walked' ? 'linkbase_rooted_facts' : 'direct_facts_fallback';
  const gap = (rung: string, reason: string): DebtResolution => ({
    ...unresolvedDebt,
    rungs: [...rungs, { rung, taken: false, reason }],
  });
  if (walk.kind === 'refused' && walk.atLeast.sign > 0) {
    return gap('explicit_zero', `the network shows ${walk.atLeast} at least`);
  }
  if (o.filing !== null && unprovenDebt(sheet, ExactDecimal.zero, o.parameters).sign > 0) {
    return gap('explicit_zero', 'concepts of the filer itself read as debt and no network places them');
  }
  if (filed.length > 0) {
    if (zeros.length < filed.length)
      return gap('explicit_zero', 'a debt concept is filed below zero or contradicted');
    const details = zeros.map(({ bucket, concept }) => `${bucket} ${concept} = 0 via explicit_zero`);
    const reason = `${zeros.length} debt concepts are filed as zero or nil, none above zero`;
    return {
      ...unresolvedDebt,
      dataSource,
      coverage: 'resolved_zero',
      method: 'explicit_zero',
      details: details.sort(compareText),
      rungs: [...rungs, { rung: 'explicit_zero', taken: true, reason }],
      roots: zeros.map(({ bucket, concept }): TrailRoot => {
        const fact = trailFact(sheet, concept, 1);
        return {
          ...{ kind: 'root', bucket, concept, value: ExactDecimal.zero, weight: 1, parent: null, role: null },
          ...{ rung: 'explicit_zero', reason: 'filed as zero or nil', children: fact === null ? [] : [fact] },
        };
      }),
    };
  }
  const notFiled: TrailRung = { rung: 'explicit_zero', taken: false, reason: 'no debt concept is filed' };
  const isCorroborated = corroboratesZeroDebt({ ...o, walk });
  const reason = isCorroborated
    ? 'liabilities are explained without debt and nothing shows borrowing'
    : 'liabilities are not explained without debt, or something shows borrowing';
  const corroborated: TrailRung = { rung: 'corroborated_zero', taken: isCorroborated, reason };
  if (!isCorroborated) return { ...unresolvedDebt, rungs: [...rungs, notFiled, corroborated] };
  return {
    ...unresolvedDebt,
    dataSource,
    coverage: 'legitimate_zero_debt',
    method: 'corroborated_zero',
    rungs: [...rungs, notFiled, corroborated],
  };
}

function extensionRoots(walk: DebtWalk) {
  return walk.kind === 'walked' ? walk.roots.filter((root) => root.isExtension) : [];
}
