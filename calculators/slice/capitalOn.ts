import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { Capital, FiledCapital } from '../capital/capital.ts';
import { claimShocks, claimsAbsent, claimsAt } from '../capital/claims/claimsAt.ts';
import { type Figure, figureOf } from '../capital/figure.ts';
import { type AssetUnits, type NavCoins, netAssetValue } from '../capital/nav/netAssetValue.ts';
import type { ClaimLens, Nav } from '../capital/parts.ts';
import { runwayAt } from '../capital/runway/runwayAt.ts';
import { quotient, rounded } from '../exact/fraction.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { IssuerPosition } from '../position/positionIssuer.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import type { StockBook } from '../prices/stockBook.ts';

/** The position of an issuer as the day part reads it. */
export type CapitalPosition = Pick<
  IssuerPosition,
  'issuer' | 'filing' | 'debt' | 'holdings' | 'mix' | 'units' | 'balance' | 'capital'
>;
type WithCapital = CapitalPosition & { readonly capital: FiledCapital };

export type CapitalDay = {
  readonly sourceDate: string;
  readonly prices: PriceBook;
  /** Closes of the issuers' own stocks; absent where none are known. */
  readonly stocks?: StockBook | undefined;
  /** The coins at the closes of the day (M3.18); null where a close is missing. */
  readonly liveCoins: ExactDecimal | null;
};

const lenses: readonly ClaimLens[] = ['coins_only', 'all_assets'];

/**
 * The capital of a filing on a day (M18.90): claims at its three falls, what a share holds at the coins of the filing and
 * at those of the day, and how long cash lasts from the day on. No close of a later day is read.
 *
 * @throws RangeError the fault of the filed part (M18.80)
 */
export function capitalOn(position: CapitalPosition, day: CapitalDay): Capital {
  const { capital } = position;
  if ('fault' in capital) throw new RangeError(capital.fault);
  const known = { ...position, capital };
  const { sourceDate, prices } = day;
  const { instruments, maturities, preferred, shares, coinFlows } = capital;
  const claim = { base: capital.claimBase, instruments, preferred, outstanding: shares.perShare };
  return {
    ...capital,
    sourceDate,
    claims: lenses.flatMap((lens) => claimShocks.flatMap((shock) => claimsAt(claim, { lens, shock }) ?? [])),
    claimsAbsent: {
      coins_only: claimsAbsent(claim, 'coins_only'),
      all_assets: claimsAbsent(claim, 'all_assets'),
    },
    nav: [navOf(known, day, 'filed'), navOf(known, day, 'live')],
    runway: runwayAt({
      filed: capital.runway,
      ...{ instruments, maturities, preferred, sourceDate, prices },
      stocks: coinFlows.stocks,
    }),
  };
}

/** What a share holds: coins and close of the period end, or coins and close of the day. */
function navOf(position: WithCapital, day: CapitalDay, basis: Nav['basis']): Nav {
  const { issuer, filing, debt, balance, capital } = position;
  const on = basis === 'filed' ? filing.period : day.sourceDate;
  const { stocks } = day;
  const { pledgedReceivable } = capital.claimBase;
  const close =
    issuer.ticker === null || stocks === undefined
      ? ({ kind: 'none', reason: 'price_missing' } as const)
      : stocks.close(issuer.ticker, on);
  const units = unitsOf(position, day.prices);
  return netAssetValue({
    ...{ capital, basis, units, close },
    coins: coinsAt(position, { day, basis, on, units }),
    debt: debt.method === null ? null : debt.total,
    cash: balance.cash,
    assets: balance.assets,
    pledgedReceivable: pledgedReceivable.sign > 0 ? pledgedReceivable : null,
    filed: filing.filed,
    splits: issuer.ticker === null ? [] : (stocks?.splits(issuer.ticker) ?? []),
  });
}

/** C, or the coins of the day; coins carried at cost are worth their units at a close. */
function coinsAt(
  { holdings }: CapitalPosition,
  {
    day,
    basis,
    on,
    units,
  }: {
    readonly day: CapitalDay;
    readonly basis: Nav['basis'];
    readonly on: string;
    readonly units: readonly AssetUnits[];
  },
): NavCoins | null {
  if (holdings.measurement === null || !holdings.isProven) return null;
  const isLowerBound = holdings.measurement === 'carrying_lower_bound';
  const unitsAtClose = worthOf(units, (asset) => day.prices.close(asset, on)?.close ?? null);
  if (isLowerBound) return { amount: holdings.amount, isLowerBound, unitsAtClose };
  const amount = basis === 'filed' ? holdings.amount : day.liveCoins;
  return amount === null ? null : { amount, isLowerBound, unitsAtClose };
}

function worthOf(
  units: readonly AssetUnits[],
  closeOf: (asset: string) => number | null,
): ExactDecimal | null {
  const parts = units.map(({ asset, units: count }) => {
    const close = closeOf(asset);
    return count.value === null || close === null ? null : count.value.times(ExactDecimal.fromNumber(close));
  });
  const known = parts.filter((part) => part !== null);
  return known.length === 0 || known.length < parts.length ? null : sumOf(known);
}

/**
 * Units of the period end: as accepted by M2.9, else those of a stock of coins, else what C makes at the close of a sole
 * coin (M2.12).
 */
function unitsOf(position: WithCapital, prices: PriceBook): readonly AssetUnits[] {
  const { units, capital } = position;
  const stocks = capital.coinFlows.stocks.filter(
    ({ asset, units: count }) => isCoin(asset) && count.value !== null,
  );
  const reported = Object.entries(units.reported).map(([asset, count]): AssetUnits => {
    const stock = stocks.find((one) => one.asset === asset)?.units;
    const value = ExactDecimal.fromNumber(count);
    const isSame = stock?.value !== null && stock?.value.equals(value) === true;
    return { asset, units: isSame ? stock : counted(value, { status: 'supported', basis: 'reported' }) };
  });
  if (reported.length > 0) return reported;
  if (stocks.length > 0) return stocks.map(({ asset, units: count }) => ({ asset, units: count }));
  return estimatedUnits(position, prices);
}

function estimatedUnits(position: CapitalPosition, prices: PriceBook): readonly AssetUnits[] {
  const { units, holdings, mix, filing } = position;
  const estimate = (asset: string, value: ExactDecimal): AssetUnits => ({
    asset,
    units: counted(value, { status: 'unproven', basis: 'estimated' }),
  });
  const counts = [
    ['BTC', units.bitcoin],
    ['ETH', units.ethereum],
  ] as const;
  const implied = counts.flatMap(([asset, count]) =>
    count === null || count === 0 ? [] : [estimate(asset, ExactDecimal.fromNumber(count))],
  );
  const [sole, ...others] = mix;
  if (implied.length > 0 || sole === undefined || others.length > 0) return implied;
  const close = prices.close(sole.asset, filing.period);
  const isFairValue = holdings.measurement === 'fair_value' && holdings.isProven && holdings.amount.sign > 0;
  if (close === null || !isFairValue) return [];
  return [estimate(sole.asset, rounded(quotient(holdings.amount, ExactDecimal.fromNumber(close.close)), 8))];
}

/** A symbol; a member that no dictionary knows keeps its prefix, and `*` is all coins together. */
function isCoin(asset: string): boolean {
  return /^[A-Z0-9]{2,12}$/.test(asset);
}

function counted(
  value: ExactDecimal,
  { status, basis }: { readonly status: 'supported' | 'unproven'; readonly basis: string },
): Figure {
  return figureOf(value, { basis, facts: [], status });
}
