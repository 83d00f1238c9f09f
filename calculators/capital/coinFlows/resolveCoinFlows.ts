import { compareText } from '../../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import type { CryptoHoldings } from '../../crypto/cryptoHoldings.ts';
import { localName, type StatedFact } from '../../crypto/statedFacts.ts';
import { addDays, daysCovered } from '../../exact/civilDate.ts';
import { sumOf } from '../../exact/sumOf.ts';
import { type Facilities, noFacilities } from '../../facilities/facility.ts';
import { soleAssetOf } from '../../facilities/resolveFacilities.ts';
import type { Filing } from '../../filing/rows.ts';
import type { InstanceFact } from '../../filing/xbrlFiling.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import type { CoinMix } from '../../prices/coinMix.ts';
import type { PriceBook } from '../../prices/priceBook.ts';
import type { CoinFlow, CoinFlows } from '../parts.ts';
import { coinRolls } from './coinRolls.ts';
import { everyAsset, isLater } from './coinScope.ts';
import { coinStocks } from './coinStocks.ts';
import { flowClass } from './flowClass.ts';

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
  const isWhole = (of: (one: CoinFlow) => ExactDecimal) => sumOf(parts.map(of)).equals(of(flow));
  const areAll = isWhole(({ opening }) => opening) && isWhole(({ closing }) => closing);
  return areAll ? { ...flow, notes: [...flow.notes, 'roll_proven_by_members'] } : flow;
}

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

/** Coins are bought within the day, at other prices than its close. */
const withinDay = 0.02;
/** Longer periods have no filing. */
const greatestDays = 400;

/**
 * Notes where the amount named a purchase cannot have bought the units named so, at any close of the period (M18.72): the
 * sum of a roll may be right where its names are exchanged (NXTT files purchase and gain the wrong way round).
 */
function withPurchaseCheck(
  flows: readonly CoinFlow[],
  { facts, prices }: { readonly facts: readonly StatedFact[]; readonly prices: PriceBook },
): readonly CoinFlow[] {
  return flows.map((flow) => {
    const bought = flow.rows.find(({ kind, amount }) => kind === 'bought' && amount.sign > 0);
    if (flow.measure !== 'value' || flow.asset === everyAsset || bought === undefined) return flow;
    const units = unitsBought({ flow, flows, facts });
    const range = units === null ? null : closeRange(flow, prices);
    if (units === null || range === null) return flow;
    const least = units.times(ExactDecimal.fromNumber(range.low * (1 - withinDay)));
    const most = units.times(ExactDecimal.fromNumber(range.high * (1 + withinDay)));
    const isPossible = bought.amount.compare(least) >= 0 && bought.amount.compare(most) <= 0;
    return isPossible ? flow : { ...flow, notes: [...flow.notes, 'roll_label_suspect'].sort() };
  });
}

/** The one number of coins bought in the period: a row of the roll in units, else a quantity named so. */
function unitsBought({
  flow,
  flows,
  facts,
}: {
  flow: CoinFlow;
  flows: readonly CoinFlow[];
  facts: readonly StatedFact[];
}): ExactDecimal | null {
  const rolled = flows
    .filter(
      ({ asset, measure, start }) => asset === flow.asset && measure === 'units' && start === flow.start,
    )
    .flatMap(({ rows }) => rows.filter(({ kind }) => kind === 'bought').map(({ amount }) => amount));
  const named = facts
    .filter(({ start, end, unit, asset, concept, dimensions, namesCoins }) => {
      const isQuantity = !/^([A-Z]{3}|pure|shares)$/.test(unit) && !unit.includes('/');
      return (
        start === flow.start &&
        end === flow.end &&
        isQuantity &&
        namesCoins &&
        dimensions.every(({ axis }) => axis.endsWith(':CryptoAssetAxis')) &&
        (asset === flow.asset || asset === null) &&
        flowClass(localName(concept))?.kind === 'bought'
      );
    })
    .map(({ value }) => value);
  const found = [...new Map([...rolled, ...named].map((value) => [value.toString(), value])).values()];
  const [only] = found;
  return only === undefined || found.length > 1 || only.sign <= 0 ? null : only;
}

function closeRange(
  { asset, start, end }: CoinFlow,
  prices: PriceBook,
): { readonly low: number; readonly high: number } | null {
  const days = daysCovered(start, end);
  if (days > greatestDays) return null;
  const closes: number[] = [];
  for (let day = 0; day < days; day += 1) {
    const found = prices.closeOn(asset, addDays(start, day));
    if (found !== null) closes.push(found.close);
  }
  if (closes.length * 2 < days) return null;
  return { low: Math.min(...closes), high: Math.max(...closes) };
}
