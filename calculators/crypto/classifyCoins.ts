import type { ConceptDeclaration } from '../filing/xbrlFiling.ts';
import { conceptWords, wordsOf } from '../network/conceptWords.ts';
import { cryptoDictionary } from './cryptoDictionary.ts';

const included = /(crypto|digitalasset|bitcoin|ethereum|solana|token|stakedcrypto)/;
/** Too short to be looked for inside longer words (Ethernet, indefinite-lived). */
const includedWords = ['ether', 'defi'];
const excluded =
  /(receivable|derivative|prepaid|revenue|miner|equipment|platformoperator|safeguard|liabilit)/;
/** No coins: tokens that are collectibles, claims on issuers of dollars, shares of funds, customers' coins. */
const otherThings = /(nonfungible|nft|stablecoin|usdc|usdt|usdollar|fund|customer|payable|loanreceiv|mining)/;

/** Why a concept under Assets counts as coins (M2.3); null when it does not. */
export type CoinClass = 'dictionary' | 'extension' | 'standard';

/**
 * Classifies a concept that the chosen network holds under Assets: the dictionary, then the words of its name and
 * label (M2.3). A declaration that is not monetary and instant, or that is credit, speaks against it.
 */
export function classifyCoins(
  concept: string,
  declarations: ReadonlyMap<string, ConceptDeclaration>,
): CoinClass | null {
  if (cryptoDictionary.some((known) => known === concept)) return 'dictionary';
  const declaration = declarations.get(concept);
  if (declaration !== undefined && !isAssetBalance(declaration)) return null;
  if (!readsAsCoins(concept, declaration)) return null;
  return /^(us-gaap|srt|ifrs-full):/.test(concept) ? 'standard' : 'extension';
}

/** True when name and label speak of coins the issuer holds (M2.3). */
export function readsAsCoins(concept: string, declaration?: ConceptDeclaration): boolean {
  const words = conceptWords(concept, declaration);
  return namesCoins(concept, words) && !words.some((text) => excluded.test(text) || otherThings.test(text));
}

/** A claim to coins given as collateral: noted, not counted (M2.2). */
export function isPledgedReceivable(concept: string, declaration?: ConceptDeclaration): boolean {
  const words = conceptWords(concept, declaration);
  return (
    namesCoins(concept, words) &&
    words.some((text) => /receivable/.test(text)) &&
    words.some((text) => /pledg|collateral/.test(text))
  );
}

/** Coins kept at cost beside fair-value ones: wrapped, staked for a receipt, self-issued (M2.1). */
export function isOutsideFairValue(concept: string, declaration?: ConceptDeclaration): boolean {
  return conceptWords(concept, declaration).some((text) =>
    /(carryingvalue|carryingamount|atcost|impairment|wrapped|liquidstak|receipttoken)/.test(text),
  );
}

function namesCoins(concept: string, words: readonly string[]): boolean {
  return (
    words.some((text) => included.test(text)) ||
    wordsOf(concept).some((word) => includedWords.includes(word)) ||
    /DeFi(?![a-z])/.test(concept)
  );
}

function isAssetBalance({ isMonetary, periodType, balance }: ConceptDeclaration): boolean {
  return isMonetary && periodType === 'instant' && balance !== 'credit';
}
