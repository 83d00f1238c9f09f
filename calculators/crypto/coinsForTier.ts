import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { headText, isPledgedReceivable, readsAsCoins } from '../assets/classifyCoins.ts';
import { readsAsDebt } from '../debt/classifyDebt.ts';
import type { DebtResolution } from '../debt/debtResolution.ts';
import { closeTo, exceeds } from '../exact/decimals.ts';
import { published, quotient } from '../exact/fraction.ts';
import { sumOf } from '../exact/sumOf.ts';
import { type FactSheet, qualifiedName } from '../filing/factSheet.ts';
import type { XbrlFiling } from '../filing/xbrlFiling.ts';
import { conceptWords, isStandard } from '../network/conceptNames.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { stressBand, stressRatio } from '../stress/stressRatio.ts';
import type { CryptoHoldings } from './cryptoHoldings.ts';

type Read = {
  readonly holdings: CryptoHoldings;
  readonly edge: EdgeCoins;
  readonly debt: DebtResolution;
  /** Total assets as filed; null when they are not. */
  readonly assets: ExactDecimal | null;
  readonly parameters: Parameters;
};

/**
 * Coins with what stands at their edge named. Where the tier would be another one with the edge counted, with assets
 * that no line explains, with lines whose names do not say what they are, or without those of a doubtful name, the coins
 * are not proven and the smaller amount is published (M2.1b, M2.3a, M2.4c, M2.4d). Lines that change no tier and are as
 * much as could matter are noted.
 */
export function coinsForTier(read: Read): CryptoHoldings {
  const { holdings, edge } = read;
  const noted = { ...holdings, notes: [...holdings.notes, ...edgeNotes(edge)] };
  if (!holdings.isProven || holdings.amount.sign <= 0) return noted;
  const other = otherTier(read);
  if (other === null) return { ...noted, notes: [...noted.notes, ...unnamedNotes(read)] };
  const smaller = other.coins.compare(holdings.amount) < 0 ? other.coins : holdings.amount;
  return {
    ...noted,
    isProven: false,
    disagreement: noted.disagreement || other.isDoubtful,
    amount: smaller,
    carried: smaller,
    notes: [...noted.notes, `tier_depends_on_candidate:${other.filed}/${other.tier}`],
    rungs: [
      ...holdings.rungs,
      {
        rung: 'edge',
        taken: true,
        reason: `${other.filed} with ${holdings.amount}, ${other.tier} with ${other.coins}`,
      },
    ],
  };
}

/** Coins that the filing could be read with and that would give another tier; null when there are none. */
function otherTier({ holdings, edge, debt, assets, parameters }: Read) {
  const { amount, measurement, unexplained, unnamed, doubtful } = holdings;
  const bandOf = (crypto: ExactDecimal) =>
    stressBand(published(stressRatio({ debt: debt.total, crypto }, 0.5, parameters), 6), parameters);
  const filed = bandOf(amount);
  // what a side leaves open is damage, an edge is a choice
  const readings = [
    { coins: adjustedCoins(holdings, edge, debt.total), isDoubtful: false },
    { coins: amount.plus(unexplained).plus(unnamed), isDoubtful: true },
  ];
  const isTested = measurement === 'fair_value' || measurement === 'fair_value_disclosed';
  const named = { coins: amount.minus(doubtful), isDoubtful: true };
  const inOtherBand = [...(isTested ? readings : []), named].find(({ coins }) => bandOf(coins) !== filed);
  if (inOtherBand !== undefined) return { ...inOtherBand, filed, tier: bandOf(inOtherBand.coins) };
  if (assets === null || assets.sign <= 0) return null;
  const hasTier = (crypto: ExactDecimal) =>
    published(quotient(crypto, assets), 6) >= parameters.treasuryRelevance.material;
  const none = 'UNCLASSIFIED' as const;
  if (hasTier(amount)) return hasTier(named.coins) ? null : { ...named, filed, tier: none };
  const coins = amount.plus(unnamed);
  return hasTier(coins) ? { coins, isDoubtful: true, filed: none, tier: bandOf(coins) } : null;
}

/** Lines without a name, or with a doubtful one, above the limits of M1.36d: 5 % of the coins, 0.1 % of the assets. */
function unnamedNotes({ holdings, assets, parameters }: Read): string[] {
  const { amount } = holdings;
  const unnamed = holdings.unnamed.plus(holdings.doubtful);
  const rounding = (assets ?? ExactDecimal.zero).times(ExactDecimal.fromNumber(parameters.identityTolerance));
  const matters =
    exceeds(amount.plus(unnamed), amount, parameters.candidateDisagreement) && unnamed.compare(rounding) > 0;
  return matters ? [`unnamed_assets:${unnamed}`] : [];
}

/** Coins that touch the issuer and are not in its total (M2.1b). USD; zero where there are none. */
type EdgeCoins = {
  /** Claims to own coins that a lender holds as collateral (M2.2). */
  readonly pledged: ExactDecimal;
  /** Coins owed to customers that a coin line of equal amount includes. */
  readonly customers: ExactDecimal;
  /** Coins inside a line of another name. */
  readonly outside: ExactDecimal;
  /** Funds and trusts whose value is a coin. */
  readonly indirect: ExactDecimal;
};

const owedName = /liabilit|payable|obligation|owed|owing/;
/** Whose the coins are, or that they go back; an own liability may equal a coin line by chance (TSLA 2025-06-30). */
const ofOthers =
  /client|user|member|deposit|borrow|lend|custod|collateral|return|behalf|held|platform|token|coin|crypto|digital/;
const ofCustomers = /(customer|safeguarding)\w*(liabilit|payable|obligation|deposit)/i;
const indirectAsset =
  /(Bitcoin|BTC|Ether(eum)?|ETH|Solana|SOL|Crypto|DigitalAsset)[A-Za-z]*(Funds?|Trusts?|ETFs?|ETPs?)(?![a-z])/;
/** Dollars in another form, and collectibles. */
const notCoins = /(USD[CT]|Stable|NonFungible|NFT)/i;
const notHeld = /(gain|loss|liabilit|payable|cost|commitment)/i;

/**
 * What stands at the edge of an issuer's coins: it is named in the notes and enters no total, except that pledged
 * receivables and customers' coins are read on the same side for the tier test (M2.1b).
 */
export function coinsAtTheEdge(input: {
  readonly sheet: FactSheet;
  /** The filing's own files; null when they are not available. */
  readonly filing: XbrlFiling | null;
  readonly holdings: CryptoHoldings;
  readonly concepts: Concepts;
}): EdgeCoins {
  const { sheet, holdings, concepts } = input;
  const lines = balances(sheet);
  const amountsOf = (matches: (concept: string) => boolean) =>
    sumOf(distinct(lines.filter(({ concept }) => matches(concept)).map(({ value }) => value)));
  const held = holdings.roots.map(({ value }) => value);
  const roots = new Set(holdings.roots.map(({ concept }) => concept));
  const owed = lines
    .filter(({ concept }) => !roots.has(concept) && isOwedInCoins(concept, concepts))
    .map(({ value }) => value)
    .filter((value) => held.some((coin) => coin.equals(value)));
  return {
    pledged: amountsOf((concept) => isPledgedReceivable(concept, concepts)),
    customers: sumOf(distinct(owed)),
    outside: sumOf(distinct(insideOtherLines(input, lines))),
    indirect: amountsOf((concept) => indirectAsset.test(concept) && !notHeld.test(concept)),
  };
}

/** What may be owed in coins of others: to customers, or to others under a name of the filer that is no debt (M2.1b). */
function isOwedInCoins(concept: string, concepts: Concepts): boolean {
  if (isStandard(concept) || ofCustomers.test(concept)) return ofCustomers.test(concept);
  const name = headText(concept, concepts);
  return owedName.test(name) && ofOthers.test(name) && !readsAsDebt(conceptWords(concept), concepts);
}

/** The notes of M2.1b, each with its amount. */
function edgeNotes({ pledged, customers, outside, indirect }: EdgeCoins): string[] {
  const named = [
    ['pledged_receivable', pledged],
    ['customer_coins', customers],
    ['coins_outside_total', outside],
    ['indirect_exposure', indirect],
  ] as const;
  return named.filter(([, amount]) => amount.sign > 0).map(([name, amount]) => `${name}:${amount}`);
}

/** C as the tier test reads it: with pledged coins of a loan that is in debt, without customers' coins (M2.1b). */
function adjustedCoins(
  holdings: CryptoHoldings,
  { pledged, customers }: EdgeCoins,
  debt: ExactDecimal,
): ExactDecimal {
  const pledgedUnderLoan = debt.sign > 0 ? pledged : ExactDecimal.zero;
  return holdings.amount.plus(pledgedUnderLoan).minus(customers);
}

type Balance = { readonly concept: string; readonly value: ExactDecimal };

function balances(sheet: FactSheet): Balance[] {
  return sheet.facts
    .filter(({ unit, start, end }) => unit === 'USD' && start === null && end === sheet.period)
    .map((fact) => ({ concept: qualifiedName(fact), value: fact.value }))
    .filter(({ value }) => value.sign > 0);
}

/**
 * Amounts of one coin under a concept of another name that a whole-entity line states too (BTBT 2025-09-30: LsETH
 * 17,257,172 is the line of intangible assets).
 */
function insideOtherLines(
  { filing, sheet, concepts }: { filing: XbrlFiling | null; sheet: FactSheet; concepts: Concepts },
  lines: readonly Balance[],
): ExactDecimal[] {
  return (filing?.facts ?? []).flatMap(({ concept, unit, start, end, dimensions, value }) => {
    const [dimension, ...others] = dimensions;
    const isOfCoin = dimension?.axis.endsWith(':CryptoAssetAxis') === true && others.length === 0;
    if (!isOfCoin || unit !== 'USD' || start !== null || end !== sheet.period || value === null) return [];
    if (readsAsCoins(concept, concepts) || /CryptoAsset/.test(concept) || value.sign <= 0) return [];
    if (notCoins.test(`${concept} ${dimension?.member}`)) return [];
    const isLine = lines.some((line) => !readsAsCoins(line.concept, concepts) && line.value.equals(value));
    return isLine ? [value] : [];
  });
}

function distinct(amounts: readonly ExactDecimal[]): ExactDecimal[] {
  return amounts.filter((amount, i) => amounts.findIndex((other) => closeTo(other, amount, 0)) === i);
}
