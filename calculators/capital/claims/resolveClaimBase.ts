import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import type { CryptoHoldings } from '../../crypto/cryptoHoldings.ts';
import { agreedValue, localName, type StatedFact } from '../../crypto/statedFacts.ts';
import { exactly, multiply, quotient, rounded } from '../../exact/fraction.ts';
import { sumOf } from '../../exact/sumOf.ts';
import { type CoinMix, weightsOf } from '../../prices/coinMix.ts';
import { wholeInstants } from '../filedAmounts.ts';
import type { CoinStock, Instrument, Instruments } from '../parts.ts';

/** Coins that stand behind one instrument before anyone else is paid (M18.51), at the basis of C and before any fall. */
export type OwnCollateral = {
  readonly instrumentId: string;
  readonly value: ExactDecimal;
  readonly basis: 'share_of_coins' | 'filed_value';
};

/** What claims are paid from and who has them, as one filing states it. */
export type ClaimBase = {
  /** C; null where the filing states no coins. */
  readonly coins: ExactDecimal | null;
  /** The coins inside the filed assets. */
  readonly carried: ExactDecimal;
  readonly isLowerBound: boolean;
  /** Pledged coins that stand as a receivable, outside C and inside assets (M2.1b). */
  readonly pledgedReceivable: ExactDecimal;
  /** D; null where it is not proven. */
  readonly debt: ExactDecimal | null;
  readonly assets: ExactDecimal | null;
  readonly goodwill: ExactDecimal;
  /** Intangible assets that are no coins. */
  readonly intangibles: ExactDecimal;
  readonly liabilities: ExactDecimal | null;
  readonly deferredTax: ExactDecimal;
  /** Liabilities that are settled in shares: warrants, earn-outs, agreements for future equity. */
  readonly shareSettled: ExactDecimal;
  readonly collateral: readonly OwnCollateral[];
};

const assetNames = ['Assets'];
const liabilityNames = ['Liabilities'];
const goodwillNames = ['Goodwill'];
const deferredTaxNames = [
  'DeferredIncomeTaxLiabilitiesNet',
  'DeferredTaxLiabilitiesNoncurrent',
  'DeferredIncomeTaxLiabilities',
  'DeferredTaxLiabilities',
];
/** A liability that ends in shares of the issuer, by its own name (FLD warrants and SAFE, DFDV warrants). */
const settledInShares =
  /(Warrants?\w{0,30}Liabilit|Liabilit\w{0,30}Warrant|Earn_?[Oo]ut|SimpleAgreements?ForFutureEquity|SAFENote|SafeNote|ConversionFeature|ConversionOption|(?:Embedded|Stock|Share|Equity|Conver\w{0,10})\w{0,20}Derivative\w{0,30}Liabilit|Derivative\w{0,20}Liabilit\w{0,20}(?:Warrant|Stock|Share|Equity|Conver))/;
const noBalance = /(Gain|Loss|Change|FairValueAdjustment|Issued|Exercise|Reclass|Transfer)/;

/** What claims are paid from, and the coins that stand behind each secured loan (M18.51, M18.52). */
export function resolveClaimBase({
  period,
  currency,
  facts,
  instruments,
  holdings,
  pledgedReceivable,
  debt,
  stocks,
  mix,
}: {
  readonly period: string;
  readonly currency: string;
  readonly facts: readonly StatedFact[];
  readonly instruments: Instruments;
  readonly holdings: Pick<CryptoHoldings, 'amount' | 'carried' | 'measurement' | 'isProven' | 'roots'>;
  readonly pledgedReceivable: ExactDecimal;
  /** D; null where it is not proven. */
  readonly debt: ExactDecimal | null;
  readonly stocks: readonly CoinStock[];
  readonly mix: CoinMix;
}): ClaimBase {
  const whole = wholeInstants(facts, { period, currency });
  const byName = Map.groupBy(whole, ({ concept }) => localName(concept));
  const amount = (names: readonly string[]) => {
    for (const name of names) {
      const found = agreedValue(byName.get(name) ?? []);
      if (found !== null) return found;
    }
    return null;
  };
  const coinRoots = new Set(holdings.roots.map(({ concept }) => localName(concept)));
  const atCost = holdings.measurement === 'carrying_lower_bound' || holdings.measurement === 'units_at_close';
  // claims are paid in the filing's own dollars: what it carries at cost stays so, and is a lower bound
  const coins = atCost ? holdings.carried : holdings.amount;
  return {
    coins: holdings.measurement === null ? null : coins,
    carried: holdings.carried,
    isLowerBound: atCost || !holdings.isProven,
    pledgedReceivable,
    debt,
    assets: amount(assetNames),
    goodwill: amount(goodwillNames) ?? ExactDecimal.zero,
    intangibles: intangibles(amount, coinRoots),
    liabilities: amount(liabilityNames),
    deferredTax: amount(deferredTaxNames) ?? ExactDecimal.zero,
    shareSettled: shareSettled(whole),
    collateral: ownCollateral(instruments, { coins, stocks, mix }),
  };
}

/** Intangible lines but for those that were read as coins (MSTR before 2025). */
function intangibles(
  amount: (names: readonly string[]) => ExactDecimal | null,
  coinRoots: ReadonlySet<string>,
): ExactDecimal {
  const total = 'IntangibleAssetsNetExcludingGoodwill';
  const parts = ['FiniteLivedIntangibleAssetsNet', 'IndefiniteLivedIntangibleAssetsExcludingGoodwill'];
  const hasCoins = [total, ...parts].some((name) => coinRoots.has(name));
  const whole = hasCoins ? null : amount([total]);
  if (whole !== null) return whole;
  return sumOf(parts.filter((name) => !coinRoots.has(name)).flatMap((name) => amount([name]) ?? []));
}

/** Lines of the balance sheet alone: the notes state the same liabilities again, in parts. */
function shareSettled(whole: readonly StatedFact[]): ExactDecimal {
  const end = whole.find(({ concept }) =>
    /^LiabilitiesAndStockholdersEquity$/.test(localName(concept)),
  )?.position;
  const lines = whole.filter(({ concept, position, value }) => {
    const name = localName(concept);
    const isOnFace = end === undefined || (position !== undefined && position < end);
    return isOnFace && value.sign > 0 && settledInShares.test(name) && !noBalance.test(name);
  });
  const byConcept = new Map(lines.map((fact) => [fact.concept, fact.value]));
  return sumOf([...byConcept.values()]);
}

/**
 * Coins of a secured loan at the basis of C: its share of the coins held where both are counted, else the value filed for
 * the pledge (M16.7).
 */
function ownCollateral({ found }: Instruments, held: HeldCoins): OwnCollateral[] {
  const secured = found.filter(({ state, rank }) => state === 'outstanding' && rank === 'secured_by_coins');
  return secured.flatMap((one): OwnCollateral[] => {
    const share = shareOfCoins(one, held);
    if (share !== null) return [{ instrumentId: one.id, value: share, basis: 'share_of_coins' }];
    const { value } = one.pledgedValue;
    return value === null ? [] : [{ instrumentId: one.id, value, basis: 'filed_value' }];
  });
}

type HeldCoins = {
  readonly coins: ExactDecimal;
  readonly stocks: readonly CoinStock[];
  readonly mix: CoinMix;
};

function shareOfCoins({ pledgedUnits }: Instrument, { coins, stocks, mix }: HeldCoins): ExactDecimal | null {
  const { value: pledged } = pledgedUnits;
  if (pledged === null || pledged.sign <= 0) return null;
  // a pledge without an asset is known to be of the only coin held
  const [stock, ...others] = stocks.filter(({ units }) => (units.value?.sign ?? 0) > 0);
  const held = stock?.units.value ?? null;
  if (held === null || others.length > 0 || pledged.compare(held) > 0) return null;
  const weight = weightsOf(mix).find(({ asset }) => asset === stock?.asset)?.weight;
  const whole = weight === undefined ? exactly(coins) : multiply(exactly(coins), weight);
  return rounded(multiply(whole, quotient(pledged, held)), 6);
}
