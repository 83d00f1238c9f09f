import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { absolute } from '../exact/decimals.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { CalculationNetwork } from '../network/calculationNetwork.ts';
import { currentLiabilitiesConcepts, liabilitiesConcepts } from '../network/conceptNames.ts';
import { rootValues, signed, topmostRoots } from '../network/networkRoots.ts';
import type { Parameters } from '../parameters/parameters.ts';

/** What a reported total of the side is above its items; negative where the items are more (M1.18b). */
export type SideResidual = {
  readonly concept: string;
  readonly total: ExactDecimal;
  readonly residual: ExactDecimal;
  readonly result: 'pass' | 'fail';
};

const sideTotals: readonly string[] = [
  ...liabilitiesConcepts,
  ...currentLiabilitiesConcepts,
  'us-gaap:LiabilitiesNoncurrent',
  'ifrs-full:NoncurrentLiabilities',
];

/**
 * Holds every reported total of the liabilities side against its reported items: the totals of the side, where a walk
 * starts, and each parent of a debt root. An item that is not reported stands for what is reported below it.
 */
export function sideResiduals(
  { network, sheet }: { network: CalculationNetwork; sheet: FactSheet },
  { start, parents, parameters }: { start: string; parents: readonly string[]; parameters: Parameters },
): readonly SideResidual[] {
  const totals = [...new Set([...sideTotals, start, ...parents])].filter(
    (concept) => network.childrenOf(concept).length > 0,
  );
  return totals.sort().flatMap((concept): SideResidual[] => {
    const total = sheet.amount(concept);
    const { roots } = topmostRoots({ network, start: concept, matches: sheet.reports });
    const items = rootValues({ network, roots, sheet });
    if (total === null || items.roots.length === 0 || items.blocked.length > 0) return [];
    const residual = total.minus(sumOf(items.roots.map(signed)));
    const rounding = sumOf(
      [concept, ...items.roots.map((item) => item.concept)].map((c) => halfUnit(sheet, c)),
    );
    const share = absolute(total).times(ExactDecimal.fromNumber(parameters.liabilitiesResidual.ofTotal));
    const limit = share.compare(rounding) > 0 ? share : rounding;
    const result = absolute(residual).compare(limit) <= 0 ? 'pass' : 'fail';
    return [{ concept, total, residual, result }];
  });
}

/** The largest part of a total that no item explains; zero when every total adds up or none binds. */
export function unexplained(residuals: readonly SideResidual[]): ExactDecimal {
  const open = residuals.filter(({ result, residual }) => result === 'fail' && residual.sign > 0);
  return open.map(({ residual }) => residual).sort((a, b) => b.compare(a))[0] ?? ExactDecimal.zero;
}

/** True when the total of the whole side binds and every total below it adds up. */
export function closesSide(residuals: readonly SideResidual[], start: string): boolean {
  return (
    residuals.some(({ concept }) => concept === start) && residuals.every(({ result }) => result === 'pass')
  );
}

function halfUnit(sheet: FactSheet, concept: string): ExactDecimal {
  const entry = sheet.chosen(concept);
  const decimals = entry?.origin === 'instance' && entry.kind === 'fact' ? entry.fact.decimals : 'INF';
  if (typeof decimals !== 'number' || !Number.isInteger(decimals) || Math.abs(decimals) > 20) {
    return ExactDecimal.zero;
  }
  return ExactDecimal.parse(`5e${-decimals - 1}`);
}
