import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { addDays } from '../exact/civilDate.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { FiledFact, Issuer } from '../filing/rows.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import type { TrailPrice } from '../trail/resolutionTrail.ts';
import type { CoinFact, CoinFacts } from './coinFacts.ts';
import { boundedPriceCheck } from './priceCheck.ts';

/**
 * The intangible line of an issuer that tags no `CryptoAsset*` fact and whose curated treasury asset is known,
 * when it is a large enough share of assets (M2.6). Brands of other companies sit under the same concept.
 */
export function coinsAmongIntangibles(
  issuer: Issuer,
  sheet: FactSheet,
  parameters: Parameters,
): ExactDecimal | null {
  if (issuer.primaryAsset === null || issuer.primaryAsset === 'mixed') return null;
  if (sheet.facts.some((fact) => fact.concept.startsWith('CryptoAsset'))) return null;
  const [coins, assets] = [
    sheet.positive(parameters.concepts.intangibleCoins),
    sheet.positive('us-gaap:Assets'),
  ];
  if (coins === null || assets === null) return null;
  const floor = assets.times(ExactDecimal.fromNumber(parameters.intangibleShareOfAssets));
  return coins.compare(floor) >= 0 ? coins : null;
}

/** The fair value on adoption: the same concept dated the day after the period, in a filing known by now (M2.6 a). */
export function adoptionDateValue(
  sheet: FactSheet,
  { supporting, parameters }: { supporting: readonly FiledFact[]; parameters: Parameters },
): { readonly value: ExactDecimal; readonly fact: FiledFact } | null {
  const day = addDays(sheet.period, 1);
  const found = [...sheet.facts, ...supporting]
    .filter((fact) => `${fact.taxonomy}:${fact.concept}` === parameters.concepts.intangibleCoins)
    .filter((fact) => fact.unit === 'USD' && fact.start === null && fact.end === day);
  const [first] = found;
  // two vintages that differ are a contradiction, not a choice (M1.8)
  if (first === undefined || !found.every((fact) => fact.value.equals(first.value))) return null;
  return { value: first.value, fact: first };
}

/** A filed quantity at the close of the period end (M2.6 b), whole USD (M0.4). */
export type UnitsAtClose = {
  readonly value: ExactDecimal;
  readonly quantity: CoinFact;
  readonly coins: ExactDecimal;
  readonly price: TrailPrice;
};

/** The first whole-entity quantity of the curated asset that agrees with the carrying value as a lower bound (M2.6 b). */
export function unitsAtClose({
  carried,
  asset,
  facts,
  period,
  prices,
  parameters,
}: {
  carried: ExactDecimal;
  asset: string | null;
  facts: CoinFacts | null;
  period: string;
  prices: PriceBook;
  parameters: Parameters;
}): UnitsAtClose | null {
  const close = asset === null || asset === 'mixed' ? null : prices.close(asset, period);
  if (close === null) return null;
  for (const quantity of facts?.quantities ?? []) {
    if (quantity.asset !== null && quantity.asset !== asset) continue;
    const check = boundedPriceCheck({
      fairValue: carried,
      quantity: quantity.value,
      close: close.close,
      parameters,
    });
    if (check.verdict === 'reject') continue;
    const { date, source } = close;
    return {
      value: check.quantity.times(ExactDecimal.fromNumber(close.close)).rounded(0),
      quantity,
      coins: check.quantity,
      price: { kind: 'price', asset: close.asset, date, close: close.close, source },
    };
  }
  return null;
}
