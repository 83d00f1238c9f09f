import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { checkCalculations } from '../calculation/checkCalculations.ts';
import { closingSum, type FaceOrder, type FaceSide } from '../faceOrder/faceOrder.ts';
import type { CalculationArc, InstanceFact, XbrlFiling } from '../filing/xbrlFiling.ts';
import type { CalculationNetwork } from '../network/calculationNetwork.ts';
import { assetsConcepts, liabilitiesConcepts } from '../network/conceptNames.ts';
import type { FilingNetworks } from '../network/filingNetworks.ts';
import type { TrailCheck } from '../trail/resolutionTrail.ts';

/** How Assets and Liabilities stand to their items on the balance sheet (M1.17–M1.19). */
export type FaceCalculation = {
  readonly result: 'pass' | 'fail' | 'unbound';
  /** One for each of the two totals. */
  readonly checks: readonly TrailCheck[];
};

/**
 * Checks Assets and Liabilities against their items: by Calculations 1.1, rounding to nearest, where the filing's
 * linkbase breaks the total down, else by the document order (M1.18, M1.24c 7, M1.40).
 *
 * One failure is a failure. A linkbase has to pass for both totals, so that half of its arcs earns nothing; of the
 * document order one closed side is enough, because a side that closes is complete.
 */
export function faceCalculation({
  filing,
  networks,
  face,
  period,
}: {
  filing: XbrlFiling | null;
  networks: FilingNetworks;
  face: FaceOrder;
  period: string;
}): FaceCalculation {
  const facts = (filing?.facts ?? []).filter(
    (fact) =>
      fact.dimensions.length === 0 && fact.unit === 'USD' && fact.start === null && fact.end === period,
  );
  const sides = [
    { totals: assetsConcepts, face: face.assets },
    { totals: liabilitiesConcepts, face: face.liabilities },
  ].map(({ totals, face }) => {
    const linkbase = linkbaseCheck(totals, { facts, networks });
    return { check: linkbase ?? orderCheck(totals[0], face), isLinkbase: linkbase !== null };
  });
  const checks = sides.map(({ check }) => check);
  if (checks.some(({ result }) => result === 'fail')) return { result: 'fail', checks };
  const passes = sides.filter(({ check }) => check.result === 'pass');
  const isEnough =
    passes.length === 2 || (passes.length === 1 && sides.every(({ isLinkbase }) => !isLinkbase));
  return { result: isEnough ? 'pass' : 'unbound', checks };
}

/** The total against its items in the linkbase; null where no usable network breaks it down. */
function linkbaseCheck(
  totals: readonly string[],
  { facts, networks }: { facts: readonly InstanceFact[]; networks: FilingNetworks },
): TrailCheck | null {
  for (const network of networks.balanceSheets) {
    const total = totals.find((concept) => network.childrenOf(concept).length > 0);
    if (total !== undefined) return checkOf(total, network, facts);
  }
  return null;
}

function checkOf(total: string, network: CalculationNetwork, facts: readonly InstanceFact[]): TrailCheck {
  const arcs = network.childrenOf(total).map(
    ({ child, weight, order }): CalculationArc => ({
      role: network.role,
      from: total,
      to: child,
      order,
      version: '1.1',
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
}

function orderCheck(total: string, face: FaceSide): TrailCheck {
  if (face.kind !== 'closed') return { check: total, result: 'unbound', detail: face.reason };
  const [reading] = face.readings;
  const detail = `${reading.lines.length} lines in document order add up to ${closingSum(reading)}`;
  return { check: total, result: 'pass', detail };
}
