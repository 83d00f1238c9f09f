import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { exceeds } from '../exact/closeTo.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { Issuer } from '../filing/rows.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import type { CoinFacts } from './coinFacts.ts';
import type { FairValueTotal } from './fairValueTotals.ts';
import { priceCheck } from './priceCheck.ts';
import { unprovenCoins } from './unprovenCoins.ts';

/** Totals that a filing gives for the same coins where nothing decides between them. */
export type CoinCandidates = {
  readonly smallest: ExactDecimal;
  readonly largest: ExactDecimal;
  /** They are further apart than the limit: the coins are not proven (M2.4b). */
  readonly disagree: boolean;
};

type Asked = {
  readonly issuer: Issuer;
  readonly fair: FairValueTotal;
  readonly sheet: FactSheet;
  /** Coin figures of the instance; null when it is not at hand. */
  readonly facts: CoinFacts | null;
  readonly prices: PriceBook;
  readonly parameters: Parameters;
};

/**
 * Every total a filing gives for its coins: by tag, by member, by its own balances, by quantity and price (M2.4b).
 * Cost and customers' coins are no total of the issuer; a larger one says that coins may be missing (BTCS 2025-09-30:
 * 2,304,873 by tag, 293,180,682 under the tag of customers' coins), a smaller one says nothing (M15.15).
 */
export function coinCandidates(asked: Asked): CoinCandidates {
  const { fair, sheet, facts, parameters } = asked;
  const doubt = facts === null ? null : unprovenCoins(sheet, fair.amount, parameters);
  const others = [...parameters.concepts.customerCoins, 'us-gaap:CryptoAssetCost']
    .map((concept) => sheet.positive(concept))
    .filter((amount) => amount !== null && amount.compare(fair.amount) > 0);
  const all = [
    ...fair.totals,
    ...others.filter((amount) => amount !== null),
    ...(doubt === null ? [] : [fair.amount.plus(doubt)]),
    ...membersOf(facts),
    ...worthOf(asked),
  ].filter((amount) => amount.sign > 0);
  const smallest = all.reduce((a, b) => (b.compare(a) < 0 ? b : a), fair.amount);
  const largest = all.reduce((a, b) => (b.compare(a) > 0 ? b : a), fair.amount);
  return { smallest, largest, disagree: exceeds(largest, smallest, parameters.cryptoDisagreement) };
}

/** Sums over the members of one coin axis, one for each fair-value concept. */
function membersOf(facts: CoinFacts | null): ExactDecimal[] {
  const byConcept = Map.groupBy(facts?.valuesByMember ?? [], ({ concept }) => concept);
  return [...byConcept.values()]
    .filter((found) => found.length > 1)
    .map((found) => sumOf(found.map(({ value }) => value)));
}

/** A whole-entity quantity that names its coin, at the close, when it is worth more than the total (M2.9). */
function worthOf({ issuer, fair, sheet, facts, prices, parameters }: Asked): ExactDecimal[] {
  return (facts?.quantities ?? []).flatMap(({ asset, value }): ExactDecimal[] => {
    const close = asset === null || asset !== issuer.primaryAsset ? null : prices.close(asset, sheet.period);
    if (close === null) return [];
    const check = priceCheck({ fairValue: fair.amount, quantity: value, close: close.close, parameters });
    const worth = value.times(ExactDecimal.fromNumber(close.close));
    return check.verdict === 'reject' && worth.compare(fair.amount) > 0 ? [worth.rounded(0)] : [];
  });
}
