import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { localName, type StatedFact } from '../../crypto/statedFacts.ts';
import { addDays, daysCovered } from '../../exact/civilDate.ts';
import type { PriceBook } from '../../prices/priceBook.ts';
import type { CoinFlow } from './coinFlows.ts';
import { everyAsset } from './coinScope.ts';
import { flowClass } from './flowClass.ts';

/** Coins are bought within the day, at other prices than its close. */
const withinDay = 0.02;
/** Longer periods have no filing. */
const greatestDays = 400;

/**
 * Notes where the amount named a purchase cannot have bought the units named so, at any close of the period (M18.72): the
 * sum of a roll may be right where its names are exchanged (NXTT files purchase and gain the wrong way round).
 */
export function withPurchaseCheck(
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

/** Lowest and highest close of the days of the flow; null where half of them have none. */
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
