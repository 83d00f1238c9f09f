import { compareText } from '../../../data/contract/values/compareText.ts';
import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import type { CryptoHoldings } from '../../crypto/cryptoHoldings.ts';
import type { StatedFact } from '../../crypto/statedFacts.ts';
import { sumOf } from '../../exact/sumOf.ts';
import { type Facilities, noFacilities } from '../../facilities/facility.ts';
import type { Filing } from '../../filing/rows.ts';
import type { InstanceFact } from '../../filing/xbrlFiling.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import type { CoinMix } from '../../prices/coinMix.ts';
import type { PriceBook } from '../../prices/priceBook.ts';
import type { CoinFlow, CoinFlows } from './coinFlows.ts';
import { coinRolls } from './coinRolls.ts';
import { everyAsset, isLater, soleAssetOf } from './coinScope.ts';
import { coinStocks } from './coinStocks.ts';
import { withPurchaseCheck } from './purchasePrice.ts';

/**
 * Where the coins of one filing came from and went, what they have cost, and which of them are free (M18.70–M18.75).
 * Closes are read up to the period end only; nothing else depends on it (M18.1).
 */
export function resolveCoinFlows({
  filing,
  facts,
  instance,
  holdings,
  mix,
  facilities = noFacilities,
  prices,
  parameters,
}: {
  readonly filing: Pick<Filing, 'period'>;
  readonly facts: readonly StatedFact[];
  /** The same facts as filed: a nil before the first purchase is an opening of nothing. */
  readonly instance: readonly InstanceFact[];
  readonly holdings: Pick<CryptoHoldings, 'amount' | 'carried' | 'measurement' | 'roots'>;
  readonly mix: CoinMix;
  readonly facilities?: Pick<Facilities, 'found'>;
  readonly prices: PriceBook;
  readonly parameters: Parameters;
}): CoinFlows {
  const { period } = filing;
  // one order, so that which of equal facts is named does not depend on theirs
  const own = facts.filter((fact) => !isLater(fact, period)).toSorted(byIdentity);
  const main = soleAssetOf(mix, parameters);
  // where members divide the coins, what has no member is all of them
  const sole = mix.length === 1 ? main : null;
  const rolls = coinRolls({ period, facts: own, instance, holdings, sole, concepts: parameters.concepts });
  const checked = withPurchaseCheck(rolls.flows, { facts: own, prices });
  const flows = checked.map((flow) => withMembers(flow, checked)).toSorted(inOrder);
  return {
    flows,
    stocks: coinStocks({
      period,
      facts: own,
      holdings,
      mix,
      sole,
      main,
      flows,
      facilities,
      prices,
      parameters,
    }),
    notes: rolls.notes,
  };
}

function byIdentity(a: StatedFact, b: StatedFact): number {
  return compareText(a.identity, b.identity) || a.value.compare(b.value);
}

/** A whole that its own rows do not prove may be proven coin by coin (BTBT, BMNR). */
function withMembers(flow: CoinFlow, flows: readonly CoinFlow[]): CoinFlow {
  if (flow.status === 'proven' || flow.dimensions.length > 0) return flow;
  const parts = flows.filter(
    ({ status, measure, start, dimensions }) =>
      status === 'proven' && measure === flow.measure && start === flow.start && dimensions.length === 1,
  );
  const isWhole = (amounts: readonly ExactDecimal[], whole: ExactDecimal) => sumOf(amounts).equals(whole);
  const areAll =
    isWhole(
      parts.map(({ opening }) => opening),
      flow.opening,
    ) &&
    isWhole(
      parts.map(({ closing }) => closing),
      flow.closing,
    );
  return areAll ? { ...flow, notes: [...flow.notes, 'roll_proven_by_members'] } : flow;
}

/** The whole entity first, then by coin; the longest period first. */
function inOrder(a: CoinFlow, b: CoinFlow): number {
  const rank = ({ asset, dimensions }: CoinFlow) =>
    dimensions.length === 0 ? 0 : asset === everyAsset ? 1 : 2;
  return (
    compareText(a.measure, b.measure) ||
    rank(a) - rank(b) ||
    compareText(a.asset, b.asset) ||
    compareText(a.start, b.start) ||
    compareText(JSON.stringify(a.dimensions), JSON.stringify(b.dimensions))
  );
}
