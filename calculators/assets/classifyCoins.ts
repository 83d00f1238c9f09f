import { type FactSheet, qualifiedName } from '../filing/factSheet.ts';
import type { ConceptDeclaration, XbrlFiling } from '../filing/xbrlFiling.ts';
import { conceptWords, labelOf, ownName, wordsOf } from '../network/conceptNames.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { Parameters } from '../parameters/parameters.ts';

/** Why a concept under Assets counts as coins (M2.3); null when it does not. */
type CoinClass = 'dictionary' | 'extension' | 'standard';

/**
 * Classifies a concept that the chosen network has under Assets: the dictionary, then the words of its name and
 * label (M2.3). A declaration that is not monetary and instant, or that is credit, excludes it.
 */
export function classifyCoins(
  concept: string,
  {
    declarations,
    concepts,
  }: { readonly declarations: ReadonlyMap<string, ConceptDeclaration>; readonly concepts: Concepts },
): CoinClass | null {
  if (concepts.coins.includes(concept)) return 'dictionary';
  const declaration = declarations.get(concept);
  if (declaration !== undefined && !isAssetBalance(declaration)) return null;
  if (!readsAsCoins(concept, concepts, declaration)) return null;
  return /^(us-gaap|srt|ifrs-full):/.test(concept) ? 'standard' : 'extension';
}

/** True when name and label are those of coins the issuer holds (M2.3). */
export function readsAsCoins(concept: string, concepts: Concepts, declaration?: ConceptDeclaration): boolean {
  const { hasWord } = concepts;
  return (
    namesCoins({ concept, words: conceptWords(concept, declaration), concepts }) &&
    textsOf(concept, declaration).every((words) => {
      const head = headOf(words, concepts).join('');
      return (
        !hasWord(head, 'not coins') &&
        (isJoined(words, concepts) || !hasWord(head, 'beside coins')) &&
        !words.some((word) => hasWord(word, 'not coins as a word'))
      );
    })
  );
}

/** True for a line of assets whose name says that it is another thing than coins (M2.4d); coins "and" it are both. */
export function namesOtherAsset(concept: string, concepts: Concepts): boolean {
  const [name = ''] = conceptWords(concept);
  const isOther = concepts.hasWord(name, 'other asset');
  const isBeside = concepts.hasWord(headText(concept, concepts), 'beside coins');
  return (isOther || isBeside) && !isJoined(wordsOf(ownName(concept)), concepts);
}

/** True for a name of coins "and" another thing: what of the line is coins is not known (M2.3a). */
export function isJoinedName(concept: string, concepts: Concepts): boolean {
  return isJoined(wordsOf(ownName(concept)), concepts);
}

/** True where coins stand beside an "and": what is joined with them may be anything. */
function isJoined(words: readonly string[], concepts: Concepts): boolean {
  const isCoins = (word = '') => isCoinWord(word, concepts) || /^(digital|virtual)$/.test(word);
  const isNear = (word = '') => isCoins(word) || /^(assets?|currenc(y|ies)|holdings?|held)$/.test(word);
  const isAnd = (word: string, i: number) =>
    /^(and|or)$/.test(word) && (isNear(words[i - 1]) || isCoins(words[i + 1]));
  return words.some((word) => isCoins(word)) && words.some(isAnd);
}

/**
 * True when a name that reads as coins has a word that neither names coins nor says what any holding of them may be:
 * the coins may be the attribute of another thing, so the line is in doubt (M2.3a).
 */
export function isDoubtfulName(
  concept: string,
  concepts: Concepts,
  declaration?: ConceptDeclaration,
): boolean {
  const isOwn = namesCoins({ concept, words: conceptWords(concept), concepts });
  const [own, label] = textsOf(concept, declaration);
  return !headOf((isOwn ? own : label) ?? [], concepts).every(
    (word) => isCoinWord(word, concepts) || concepts.hasWord(word, 'says no more'),
  );
}

/** The words of the name and of the label, without what they exclude. */
function textsOf(concept: string, declaration?: ConceptDeclaration): readonly (readonly string[])[] {
  const label = labelOf(declaration);
  return [wordsOf(ownName(concept)), ...(label === null ? [] : [wordsOf(label.replace(/:/g, ' '))])];
}

/** Where what is said of coins begins: who holds them, where they are from, what they are pledged for. */
const aboutCoins = /^(as|at|by|for|from|in|of|on|to|under|with)$/;

/** What a local name speaks of, lower case, without what is said of coins (M2.3a). */
export function headText(concept: string, concepts: Concepts): string {
  return headOf(wordsOf(ownName(concept)), concepts).join('');
}

/** What a name speaks of: its words up to what is said of the coins, which is no other thing (`BitcoinHeldFromMining`). */
function headOf(words: readonly string[], concepts: Concepts): readonly string[] {
  const first = words.findIndex(
    (word) => isCoinWord(word, concepts) || /^(digital|virtual|coins?)$/.test(word),
  );
  const end = words.findIndex(
    (word, i) => first >= 0 && i > first && aboutCoins.test(word) && !/^invest/.test(words[i - 1] ?? ''),
  );
  return end < 0 ? words : words.slice(0, end);
}

function isCoinWord(word: string, { hasWord, coinNames }: Concepts): boolean {
  return hasWord(word, 'coins') || hasWord(word, 'coins as a word') || coinNames.has(word);
}

/** True for a balance under a coin's name; costs, gains, quantities and flows are figures about coins. */
export function isBalanceOfCoins(concept: string, concepts: Concepts): boolean {
  const isFigure = conceptWords(concept).some((text) => concepts.hasWord(text, 'figure about coins'));
  return readsAsCoins(concept, concepts) && !isFigure;
}

/** A filing, and the words that concepts are read by. */
export type FilingRead = {
  readonly sheet: FactSheet;
  readonly filing: XbrlFiling | null;
  readonly parameters: Pick<Parameters, 'concepts'>;
};

/** True when a concept of any date, a member or a unit of the filing names coins (M2.4d, M2.6). */
export function namesAnyCoins({ sheet, filing, parameters }: FilingRead): boolean {
  const { concepts } = parameters;
  const stated = (filing?.facts ?? []).flatMap(({ concept, unit, dimensions }) => [
    concept,
    unit ?? '',
    ...dimensions.map(({ member }) => member),
  ]);
  const names = new Set([...sheet.facts.map(qualifiedName), ...stated]);
  return [...names].some((name) => readsAsCoins(name, concepts));
}

/** A claim to coins given as collateral: noted, not counted (M2.2). */
export function isPledgedReceivable(concept: string, concepts: Concepts): boolean {
  const words = conceptWords(concept);
  return (
    namesCoins({ concept, words, concepts }) &&
    words.some((text) => /receivable/.test(text)) &&
    words.some((text) => /pledg|collateral/.test(text))
  );
}

/** Coins carried at cost beside fair-value ones: wrapped, staked for a receipt, self-issued (M2.1). */
export function isOutsideFairValue(
  concept: string,
  { hasWord }: Concepts,
  declaration?: ConceptDeclaration,
): boolean {
  return conceptWords(concept, declaration).some((text) => hasWord(text, 'coins at cost'));
}

function namesCoins({
  concept,
  words,
  concepts: { hasWord },
}: {
  readonly concept: string;
  readonly words: readonly string[];
  readonly concepts: Concepts;
}): boolean {
  return (
    words.some((text) => hasWord(text, 'coins')) ||
    wordsOf(ownName(concept)).some((word) => hasWord(word, 'coins as a word')) ||
    /DeFi(?![a-z])/.test(ownName(concept))
  );
}

function isAssetBalance({ isMonetary, periodType, balance }: ConceptDeclaration): boolean {
  return isMonetary && periodType === 'instant' && balance !== 'credit';
}

/** The one asset a member, unit of measure or concept names; null when it names none or several. */
export function assetOf(name: string, { coinNames }: Concepts): string | null {
  const found = new Set(wordsOf(ownName(name)).flatMap((word) => coinNames.get(word) ?? []));
  const [asset, second] = found;
  return asset !== undefined && second === undefined ? asset : null;
}
