import type { CryptoUnitsBasis } from '../../data/contract/values/enums.ts';
import { closeTo } from '../exact/closeTo.ts';
import { divide, doubleOf, exactly } from '../exact/fraction.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { Issuer } from '../filing/rows.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import type { CoinMix } from '../stress/coinMix.ts';
import type { CoinFacts } from './coinFacts.ts';
import type { CryptoHoldings } from './cryptoHoldings.ts';
import { priceCheck } from './priceCheck.ts';
import { memberMix, type ReportedCoins, reportedCoins } from './reportedCoins.ts';

/** Coins and how they were found (M2.12). */
export type CryptoUnits = {
  readonly basis: CryptoUnitsBasis;
  readonly bitcoin: number | null;
  readonly ethereum: number | null;
  /** Reported quantities by asset; empty where coins are estimated or not known. */
  readonly reported: Readonly<Record<string, number>>;
  /** Day of the close that coins were estimated with. */
  readonly referencePriceDate: string | null;
  /** A quantity was filed that no close explains (M2.9). */
  readonly rejected: boolean;
  /** Scale corrections, units of measure, partial quantities (M2.9, M2.11). */
  readonly notes: readonly string[];
};

type Held = {
  readonly issuer: Issuer;
  readonly holdings: CryptoHoldings;
  readonly sheet: FactSheet;
  /** Coin figures of the instance; null when it is not at hand. */
  readonly facts: CoinFacts | null;
  readonly prices: PriceBook;
  readonly parameters: Parameters;
};

/**
 * The mix of holdings: fair values by member where the instance splits C, else the curated primary asset (M2.7);
 * empty when that is unknown or mixed.
 */
export function holdingsMix({
  holdings,
  facts,
  parameters,
  issuer,
}: Pick<Held, 'issuer' | 'holdings' | 'facts' | 'parameters'>): CoinMix {
  const { amount } = holdings;
  if (amount.sign <= 0) return [];
  const split = facts === null ? null : memberMix({ facts, amount, parameters });
  const asset = curatedAsset(issuer);
  return split ?? (asset === null ? [] : [{ asset, amount }]);
}

/**
 * Coins by accepted quantities of the instance, else estimated from fair value and the close of the period end
 * (M2.11, M2.12).
 *
 * Quantities of companyfacts are never published as reported: there is no split, and a visible quantity is often
 * a sum over coins (BMNR), machines or branches (M2.7). They only serve the price check.
 */
export function cryptoUnits(held: Held): CryptoUnits {
  const { amount, measurement } = held.holdings;
  if (measurement === null || amount.sign <= 0) return withoutUnits('unavailable');
  if (measurement === 'carrying_lower_bound') return withoutUnits('carrying_value_lower_bound');
  const primaryAsset = curatedAsset(held.issuer);
  const { facts, prices, parameters } = held;
  const reported =
    facts === null
      ? null
      : reportedCoins({ facts, amount, period: held.sheet.period, primaryAsset, prices, parameters });
  if (reported?.kind === 'complete') return reportedUnits(reported);
  return { ...estimatedUnits(held, reported), notes: reported?.notes ?? [] };
}

function reportedUnits({ coins, notes }: ReportedCoins): CryptoUnits {
  return {
    basis: 'reported_quantity',
    bitcoin: coins.get('BTC')?.toNumber() ?? null,
    ethereum: coins.get('ETH')?.toNumber() ?? null,
    reported: Object.fromEntries([...coins].map(([asset, quantity]) => [asset, quantity.toNumber()])),
    referencePriceDate: null,
    rejected: false,
    notes,
  };
}

function estimatedUnits(held: Held, reported: ReportedCoins | null): Omit<CryptoUnits, 'notes'> {
  const asset = curatedAsset(held.issuer);
  if (asset === null || isMixed(held, asset)) return withoutUnits('mixed_unallocated');
  const close = held.prices.close(asset, held.sheet.period);
  const rejected =
    reported === null
      ? close !== null && hasUnexplainedQuantity(held, close.close)
      : reported.kind === 'rejected';
  if (asset !== 'BTC' && asset !== 'ETH') return { ...withoutUnits('fair_value_implied_other'), rejected };
  if (close === null) return withoutUnits('unavailable');
  const coins = estimate(doubleOf(divide(exactly(held.holdings.amount), exactly(close.close))));
  return {
    basis: asset === 'BTC' ? 'fair_value_implied_btc' : 'fair_value_implied_eth',
    bitcoin: asset === 'BTC' ? coins : null,
    ethereum: asset === 'ETH' ? coins : null,
    reported: {},
    referencePriceDate: close.date,
    rejected,
  };
}

/**
 * True when the instance splits C and the curated asset is too small a part of it to stand for the whole (M2.11). Where
 * the fair values are not split, coins under the tag for users' coins say so, if together they are C.
 */
function isMixed({ holdings, facts, parameters }: Held, asset: string): boolean {
  const { amount } = holdings;
  if (facts === null) return false;
  const own = { facts: { ...facts, valuesByMember: facts.operatorValues }, amount, parameters };
  const split = memberMix({ facts, amount, parameters }) ?? memberMix(own);
  if (split === null) return false;
  const part = split.find((held) => held.asset === asset)?.amount;
  return part === undefined || !closeTo(part, amount, parameters.unitsCompleteness);
}

/** True when quantities are filed for the period and none of them prices the holdings, scaled or not (M2.9). */
function hasUnexplainedQuantity(
  { holdings, sheet, parameters }: { holdings: CryptoHoldings; sheet: FactSheet; parameters: Parameters },
  close: number,
): boolean {
  const quantities = sheet.facts.filter(
    (fact) => fact.concept === 'CryptoAssetNumberOfUnits' && fact.start === null && fact.end === sheet.period,
  );
  const checks = quantities.map((fact) =>
    priceCheck({ fairValue: holdings.amount, quantity: fact.value, close, parameters }),
  );
  return checks.length > 0 && checks.every((check) => check.verdict === 'reject');
}

/** Six significant digits, as many as the closes support. */
function estimate(coins: number): number {
  return Number(coins.toPrecision(6));
}

function withoutUnits(basis: CryptoUnitsBasis): CryptoUnits {
  return {
    basis,
    bitcoin: null,
    ethereum: null,
    reported: {},
    referencePriceDate: null,
    rejected: false,
    notes: [],
  };
}

function curatedAsset({ primaryAsset }: Issuer): string | null {
  return primaryAsset === 'mixed' ? null : primaryAsset;
}
