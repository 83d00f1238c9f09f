import { ExactDecimal } from '../../contract/exactDecimal.ts';
import { checkCalculations } from '../calculation/checkCalculations.ts';
import type { FilingNetworks } from '../network/filingNetworks.ts';
import { assetsConcepts, liabilitiesConcepts } from '../network/structuralConcepts.ts';
import type { TrailCheck } from '../resolutionTrail.ts';
import type { CalculationArc, XbrlFiling } from '../xbrlFiling.ts';

/** How Assets and Liabilities stand to their items on the balance sheet (M1.17–M1.19). */
export type FaceCalculation = {
  readonly result: 'pass' | 'fail' | 'unbound';
  /** One for each of the two totals. */
  readonly checks: readonly TrailCheck[];
};

/**
 * Checks Assets and Liabilities against their items by Calculations 1.1, rounding to nearest (M1.18, M1.40).
 *
 * One failure is a failure; a pass needs both totals, so that a balance sheet with half of its arcs earns nothing.
 */
export function faceCalculation(o: {
  filing: XbrlFiling | null;
  networks: FilingNetworks;
  period: string;
}): FaceCalculation {
  const facts = (o.filing?.facts ?? []).filter(
    (fact) =>
      fact.dimensions.length === 0 && fact.unit === 'USD' && fact.start === null && fact.end === o.period,
  );
  const checks = [assetsConcepts, liabilitiesConcepts].map((totals): TrailCheck => {
    const [standard] = totals;
    const network = o.networks.balanceSheets.find((candidate) =>
      totals.some((total) => candidate.childrenOf(total).length > 0),
    );
    const total = totals.find((concept) => (network?.childrenOf(concept).length ?? 0) > 0);
    if (network === undefined || total === undefined) {
      return { check: standard, result: 'unbound', detail: 'no usable network breaks it down' };
    }
    const arcs = network.childrenOf(total).map(
      ({ child, weight, order }): CalculationArc => ({
        ...{ role: network.role, from: total, to: child, order, version: '1.1' },
        weight: ExactDecimal.fromNumber(weight),
      }),
    );
    const [check] = checkCalculations({ facts, arcs, mode: '1.1-round' });
    if (check === undefined) return { check: total, result: 'unbound', detail: 'it is not reported' };
    switch (check.outcome) {
      case 'unbound':
      case 'stopped':
        return { check: total, result: check.outcome, detail: check.reason };
      default: {
        const [low, high] = [check.sum.low, check.sum.high];
        const items = low.equals(high) ? `${low}` : `${low} to ${high}`;
        return { check: total, result: check.outcome, detail: `items add up to ${items}` };
      }
    }
  });
  const results = checks.map((check) => check.result);
  if (results.includes('fail')) return { result: 'fail', checks };
  return { result: results.every((result) => result === 'pass') ? 'pass' : 'unbound', checks };
}
