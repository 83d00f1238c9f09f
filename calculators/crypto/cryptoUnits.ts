import type { CryptoUnitsBasis } from '../../contract/enums.ts';
import type { FactSheet } from '../factSheet.ts';
import { divide, exactly, toDouble } from '../fraction.ts';
import type { Parameters } from '../parameters.ts';
import type { PriceBook } from '../priceBook.ts';
import type { Issuer } from '../rows.ts';
import type { CoinMix } from '../stress/coinMix.ts';
import { priceCheck } from './priceCheck.ts';
import type { CryptoHoldings } from './resolveCrypto.ts';

/** Coins and how they were found (M2.12). */
export type CryptoUnits = {
  readonly basis: CryptoUnitsBasis;
  readonly bitcoin: number | null;
  readonly ethereum: number | null;
  /** Day of the close that coins were estimated with. */
  readonly referencePriceDate: string | null;
  /** A quantity was filed that no close explains (M2.9). */
  readonly rejected: boolean;
};

/** The curated primary asset, the whole mix while no split is at hand (M2.7); empty when it is unknown or mixed. */
export function curatedMix(issuer: Issuer, holdings: CryptoHoldings): CoinMix {
  const asset = issuer.primaryAsset;
  return asset === null || asset === 'mixed' || holdings.amount.sign <= 0
    ? []
    : [{ asset, amount: holdings.amount }];
}

/**
 * Estimates coins from fair value and the close of the period end (M2.12).
 *
 * Whole-entity quantities are never published as reported: companyfacts shows no split, and a visible quantity
 * is often a sum over coins (BMNR), machines or branches (M2.7). They only serve the price check.
 */
export function cryptoUnits(o: {
  issuer: Issuer;
  holdings: CryptoHoldings;
  sheet: FactSheet;
  prices: PriceBook;
  parameters: Parameters;
}): CryptoUnits {
  const asset = o.issuer.primaryAsset;
  if (o.holdings.measurement === null || o.holdings.amount.sign <= 0) return withoutUnits('unavailable');
  if (o.holdings.measurement === 'carrying_lower_bound') return withoutUnits('carrying_value_lower_bound');
  if (asset === null || asset === 'mixed') return withoutUnits('mixed_unallocated');
  const close = o.prices.close(asset, o.sheet.period);
  const rejected = close !== null && hasUnexplainedQuantity(o, close.close);
  if (asset !== 'BTC' && asset !== 'ETH') return { ...withoutUnits('fair_value_implied_other'), rejected };
  if (close === null) return withoutUnits('unavailable');
  const coins = estimate(toDouble(divide(exactly(o.holdings.amount), exactly(close.close))));
  return {
    basis: asset === 'BTC' ? 'fair_value_implied_btc' : 'fair_value_implied_eth',
    bitcoin: asset === 'BTC' ? coins : null,
    ethereum: asset === 'ETH' ? coins : null,
    referencePriceDate: close.date,
    rejected,
  };
}

/** True when quantities are filed for the period and none of them prices the holdings, scaled or not (M2.9). */
function hasUnexplainedQuantity(
  o: { holdings: CryptoHoldings; sheet: FactSheet; parameters: Parameters },
  close: number,
): boolean {
  const quantities = o.sheet.facts.filter(
    (fact) =>
      fact.concept === 'CryptoAssetNumberOfUnits' && fact.start === null && fact.end === o.sheet.period,
  );
  const checks = quantities.map((fact) =>
    priceCheck({ fairValue: o.holdings.amount, quantity: fact.value, close, parameters: o.parameters }),
  );
  return checks.length > 0 && checks.every((check) => check.verdict === 'reject');
}

/** Six significant digits, as many as the closes support. */
function estimate(coins: number): number {
  return Number(coins.toPrecision(6));
}

function withoutUnits(basis: CryptoUnitsBasis): CryptoUnits {
  return { basis, bitcoin: null, ethereum: null, referencePriceDate: null, rejected: false };
}
