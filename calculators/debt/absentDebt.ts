import { compareText } from '../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { addDays } from '../exact/civilDate.ts';
import { exceeds } from '../exact/decimals.ts';
import { sumOf } from '../exact/sumOf.ts';
import { trailFace } from '../faceOrder/faceOrder.ts';
import { type FactSheet, qualifiedName } from '../filing/factSheet.ts';
import type { FiledFact } from '../filing/rows.ts';
import { assetsConcepts, liabilitiesConcepts } from '../network/conceptNames.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { TrailRoot, TrailRung } from '../trail/resolutionTrail.ts';
import { trailFact } from '../trail/trailFact.ts';
import { type DebtInputs, type DebtResolution, rootDetail, unresolvedDebt } from './debtResolution.ts';
import type { DebtWalk } from './debtWalk.ts';
import { closingLines, nonDebtLiabilities } from './otherLiabilities.ts';
import { unexplained } from './sideResiduals.ts';
import { debtAmounts, subsequentDebt } from './statedDebt.ts';
import { identifiedLiabilities } from './unidentifiedLiabilities.ts';
import { misfiledDebt, unprovenDebt } from './unplacedDebt.ts';

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

/** An objection to a zero: the concept it is about, and the reason. */
type ZeroDebtObjection = { readonly concept: string; readonly reason: string };

/**
 * The objection to reading the absence of debt facts as a zero, or null when the rest of the filing corroborates
 * it (M1.37 `legitimate_zero_debt`, M1.37b).
 *
 * A liabilities side that adds up without a debt line corroborates by itself. Otherwise every clause must hold:
 * `Liabilities` filed and explained (or small beside assets), no amount of debt at the period end, dimensioned or not,
 * no material interest expense, no borrowing or repayment in the last four quarters. Rates, ratios, prices, terms and
 * limits are no amounts of debt.
 */
function zeroDebtObjection(
  input: Omit<DebtInputs, 'networks' | 'face'> & { readonly walk: DebtWalk },
): ZeroDebtObjection | null {
  const { sheet, walk } = input;
  if (walk.kind === 'walked' && walk.closes) return null;
  if (!explainsLiabilities(sheet, walk, input.parameters))
    return { concept: 'us-gaap:Liabilities', reason: 'liabilities are not explained without debt' };
  const notDebt = walk.kind === 'walked' ? walk.notDebt : [];
  const [amount] = debtAmounts(input).filter(({ concept }) => !notDebt.includes(concept));
  if (amount !== undefined) {
    const { concept, value } = amount;
    return { concept, reason: `${concept} of ${value} is filed` };
  }
  const since = addDays(sheet.period, -365);
  const flows = [...sheet.facts, ...input.activity].filter(
    (fact) => fact.start !== null && fact.end > since && fact.end <= sheet.period,
  );
  const flow =
    flows.find(isBorrowing) ?? flows.find((fact) => isMaterialInterest(fact, sheet, input.parameters));
  if (flow === undefined) return null;
  const concept = qualifiedName(flow);
  return { concept, reason: `${concept} to ${flow.end} shows borrowing` };
}

/** Without assets a balance sheet can be explained only by the lines of its network. */
function explainsLiabilities(sheet: FactSheet, walk: DebtWalk, parameters: Parameters): boolean {
  const { zeroDebt, identityTolerance, concepts } = parameters;
  const [liabilities, assets] = [sheet.firstAmount(liabilitiesConcepts), sheet.firstAmount(assetsConcepts)];
  if (liabilities === null || (assets === null && walk.kind !== 'walked')) return false;
  const isSmall = assets !== null && liabilities.compare(share(assets, zeroDebt.liabilitiesOfAssets)) <= 0;
  const identified = [
    ...(walk.kind === 'walked' ? [identifiedLiabilities(walk, sheet, concepts)] : []),
    ...(assets === null ? [] : [nonDebtLiabilities(sheet, concepts)]),
  ];
  const explains = (lines: ExactDecimal) =>
    lines.compare(share(liabilities, zeroDebt.identifiedShare)) >= 0 &&
    // above the total the lines overlap and prove nothing
    !exceeds(lines, liabilities, identityTolerance);
  return isSmall || identified.some(explains) || closesWithoutDebt(sheet, liabilities, parameters);
}

/** Both filed totals add up to the last digit without debt, and lines without a name are a small part (M1.29c). */
function closesWithoutDebt(
  sheet: FactSheet,
  liabilities: ExactDecimal,
  { zeroDebt, concepts }: Parameters,
): boolean {
  const sides = (['C', 'N'] as const).map((side) =>
    closingLines(sheet, { side, debt: ExactDecimal.zero, concepts }),
  );
  if (sides.some((side) => side === null)) return false;
  const unnamed = sumOf(sides.flatMap((side) => side?.unnamed ?? []));
  return liabilities.minus(unnamed).compare(share(liabilities, zeroDebt.identifiedShare)) >= 0;
}

/** Borrowing or repaying; lending and trading in securities are not. */
function isBorrowing({ concept, value }: FiledFact): boolean {
  return (
    value.sign !== 0 &&
    /^(ProceedsFrom.*(Debt|Notes|Loans|LinesOfCredit)|RepaymentsOf)/.test(concept) &&
    !/Receivable|Securities|Collection/.test(concept)
  );
}

function isMaterialInterest(fact: FiledFact, sheet: FactSheet, { zeroDebt }: Parameters): boolean {
  const assets = sheet.firstAmount(assetsConcepts);
  if (!fact.concept.startsWith('InterestExpense') || fact.unit !== 'USD') return false;
  if (assets === null) return fact.value.sign > 0;
  return fact.end === sheet.period && fact.value.compare(share(assets, zeroDebt.interestOfAssets)) > 0;
}

function share(amount: ExactDecimal, part: number): ExactDecimal {
  return amount.times(ExactDecimal.fromNumber(part));
}
