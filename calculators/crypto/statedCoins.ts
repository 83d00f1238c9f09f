import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { type FactSheet, qualifiedName } from '../filing/factSheet.ts';
import type { Issuer } from '../filing/rows.ts';
import type { XbrlFiling } from '../filing/xbrlFiling.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import { readsAsCoins } from './classifyCoins.ts';
import type { CoinFacts } from './coinFacts.ts';
import { statedFairValues } from './statedFairValues.ts';

/** Coins a filing speaks of although no line of its balance sheet holds them. */
export type StatedCoins = {
  /** The largest amount in USD; zero where it states quantities only. */
  readonly largest: ExactDecimal;
};

/**
 * The coin amounts and quantities of a filing at the period end, in lines and notes, for the whole entity and by
 * member; null when they stay below the share of assets that would matter (M3.3b).
 */
export function statedCoins({
  issuer,
  sheet,
  filing,
  facts,
  prices,
  parameters,
}: {
  readonly issuer: Issuer;
  readonly sheet: FactSheet;
  readonly filing: XbrlFiling | null;
  /** Coin figures of the instance; null when it is not at hand. */
  readonly facts: CoinFacts | null;
  readonly prices: PriceBook;
  readonly parameters: Pick<Parameters, 'coinEvidenceOfAssets' | 'concepts'>;
}): StatedCoins | null {
  const { concepts } = parameters;
  const assets = sheet.positive('us-gaap:Assets') ?? ExactDecimal.zero;
  const floor = assets.times(ExactDecimal.fromNumber(parameters.coinEvidenceOfAssets));
  const matters = (amount: ExactDecimal) => amount.compare(floor) > 0;
  const amounts = [
    ...coinAmounts(sheet, concepts),
    ...coinAmountsByMember(filing, { period: sheet.period, concepts }),
    ...statedFairValues({ sheet, filing, concepts }),
  ];
  const largest = amounts.reduce((a, b) => (b.compare(a) > 0 ? b : a), ExactDecimal.zero);
  if (matters(largest)) return { largest };
  const quantities = [...(facts?.quantities ?? []), ...(facts?.quantitiesByAsset ?? [])];
  const isHeld = quantities.some(({ value, asset }) => {
    const close = prices.close(asset ?? issuer.primaryAsset ?? '', sheet.period);
    // a quantity without a price is one that may be anything
    return value.sign > 0 && (close === null || matters(value.times(ExactDecimal.fromNumber(close.close))));
  });
  return isHeld ? { largest } : null;
}

function coinAmounts(sheet: FactSheet, concepts: Concepts): ExactDecimal[] {
  return sheet.facts
    .filter(({ unit, start, end }) => unit === 'USD' && start === null && end === sheet.period)
    .filter((fact) => readsAsCoins(qualifiedName(fact), concepts))
    .map(({ value }) => value);
}

function coinAmountsByMember(
  filing: XbrlFiling | null,
  { period, concepts }: { readonly period: string; readonly concepts: Concepts },
): ExactDecimal[] {
  return (filing?.facts ?? [])
    .filter(({ unit, start, end }) => unit === 'USD' && start === null && end === period)
    .filter(({ concept, dimensions }) => dimensions.length > 0 && readsAsCoins(concept, concepts))
    .flatMap(({ value }) => (value === null ? [] : [value]));
}
