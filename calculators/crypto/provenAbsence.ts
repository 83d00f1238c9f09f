import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { type AssetsSide, unnamedAssets } from '../assets/assetsSide.ts';
import { namesAnyCoins, readsAsCoins } from '../assets/classifyCoins.ts';
import { sumOf } from '../exact/sumOf.ts';
import { type FactSheet, qualifiedName } from '../filing/factSheet.ts';
import type { Issuer } from '../filing/rows.ts';
import type { XbrlFiling } from '../filing/xbrlFiling.ts';
import { assetsConcepts, liabilitiesAndEquityConcepts } from '../network/conceptNames.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import type { CoinFacts } from './coinFacts.ts';
import { statedFairValues } from './fairValues.ts';

/** Classes whose business is coins: facts of the entity alone never prove that they hold none (M3.3b). */
const coinClasses = ['crypto_treasury', 'miner', 'exchange_or_custodian', 'crypto_financial'];

/** What is owned, and the same from the other side. */
const totals = [...assetsConcepts, ...liabilitiesAndEquityConcepts];

/** What proves that an issuer without a coin amount holds no coins, or why nothing does (M3.3b). */
type Absence =
  | {
      readonly kind: 'proven';
      readonly reason: string;
      /** Asset lines whose names do not say what they are, too small to be the coins of a treasury (M2.4d). */
      readonly unnamed: ExactDecimal;
    }
  | { readonly kind: 'unproven'; readonly reason: string };

/**
 * A missing amount is not a zero: the assets must add up without a coin line, or the issuer must be one that has no
 * business with coins, and the filing must not name coins anywhere (M3.3b). Assets that add up prove that nothing is
 * missing, not what a line is: lines without a name are compared with the coins the filing names (M2.4d).
 */
export function provenAbsence({
  issuer,
  sheet,
  side,
  reason,
  stated,
  filing,
  parameters,
}: {
  readonly issuer: Issuer;
  readonly sheet: FactSheet;
  /** A side that was read and has no coin line; null when there is none. */
  readonly side: AssetsSide | null;
  /** Why there is none. */
  readonly reason: string;
  readonly stated: StatedCoins | null;
  /** The filing's own files; null when they are not available. */
  readonly filing: XbrlFiling | null;
  readonly parameters: Pick<Parameters, 'coinEvidenceOfAssets' | 'concepts' | 'treasuryRelevance'>;
}): Absence {
  if (stated !== null) {
    const amount = stated.largest.sign > 0 ? `${stated.largest} in coins` : 'quantities of coins';
    return { kind: 'unproven', reason: `the filing states ${amount} that no line of the face holds` };
  }
  const isEmpty = totals.some((total) => sheet.isNil(total) || sheet.amount(total)?.sign === 0);
  const nothing = { kind: 'proven', unnamed: ExactDecimal.zero } as const;
  if (isEmpty) return { ...nothing, reason: 'there are no assets' };
  if (!coinClasses.includes(issuer.issuerClass ?? '')) {
    return { ...nothing, reason: 'nothing filed speaks of coins, and they are not its business' };
  }
  if (side === null) return { kind: 'unproven', reason };
  if (!side.closes) return { kind: 'unproven', reason: `${side.start} does not add up` };
  const unnamed = sumOf(unnamedAssets(side, [], parameters.concepts));
  const assets = side.sheet.amount(side.start) ?? ExactDecimal.zero;
  const isAbove = (share: number) => unnamed.compare(assets.times(ExactDecimal.fromNumber(share))) > 0;
  const { coinEvidenceOfAssets: noticed, treasuryRelevance: large } = parameters;
  if (isAbove(namesAnyCoins({ sheet, filing, concepts: parameters.concepts }) ? noticed : large.core)) {
    return { kind: 'unproven', reason: `names of ${unnamed} of the assets do not say what they are` };
  }
  return {
    kind: 'proven',
    reason: `${side.start} adds up without a line of coins`,
    unnamed: isAbove(large.material) ? unnamed : ExactDecimal.zero,
  };
}

/** Coins a filing names although no line of its balance sheet includes them. */
type StatedCoins = {
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
  /** Coin figures of the instance; null when it is not available. */
  readonly facts: CoinFacts | null;
  readonly prices: PriceBook;
  readonly parameters: Pick<Parameters, 'coinEvidenceOfAssets' | 'concepts'>;
}): StatedCoins | null {
  const { concepts } = parameters;
  const assets = sheet.firstAmount(assetsConcepts) ?? ExactDecimal.zero;
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
