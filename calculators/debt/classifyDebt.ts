import type { ConceptDeclaration } from '../filing/xbrlFiling.ts';
import { conceptWords, isStandard } from '../network/conceptNames.ts';
import type { Concepts, DebtConcept } from '../parameters/concepts.ts';

const financeLease = /(finance|capital)lease/;

/** Why a concept under Liabilities counts as debt (M1.22, M1.25); null when it does not. */
export type DebtClass =
  | { readonly kind: 'dictionary'; readonly row: DebtConcept }
  | { readonly kind: 'extension' }
  /** An extension that names debt and finance leases together: leases are taken off (M1.20b). */
  | { readonly kind: 'extension_with_leases' }
  /** A standard concept the dictionary lacks, by the same words. */
  | { readonly kind: 'standard' }
  /** Debt at fair value: a line only of a side that adds up, else a figure of the notes. */
  | { readonly kind: 'fair_value' };

/** What the filing and the registry say of concepts. */
export type KnownConcepts = {
  readonly declarations: ReadonlyMap<string, ConceptDeclaration>;
  readonly concepts: Concepts;
};

/**
 * Classifies a concept that the chosen network has under Liabilities: the dictionary, then the words of its name
 * and label (M1.20, M1.22).
 *
 * An extension must be declared monetary, instant and credit; without its declaration it is not accepted.
 */
export function classifyDebt(concept: string, { declarations, concepts }: KnownConcepts): DebtClass | null {
  const row = concepts.debtConcept(concept);
  if (row !== undefined) return { kind: 'dictionary', row };
  if (isStandard(concept)) return readsAsDebt(conceptWords(concept), concepts) ? { kind: 'standard' } : null;
  const declaration = declarations.get(concept);
  if (declaration === undefined || !isCreditBalance(declaration)) return null;
  const words = conceptWords(concept, declaration);
  if (readsAsDebt(words, concepts)) return { kind: 'extension' };
  return namesDebtWithLeases(words, concepts) ? { kind: 'extension_with_leases' } : null;
}

/**
 * Debt that is measured at fair value, by the name without its measurement ("convertible debt, fair value disclosures"): a
 * debt under the fair value option where it is a line of a side that adds up (M1.20), and nothing elsewhere.
 */
export function classifyFairValue(
  concept: string,
  { declarations, concepts }: KnownConcepts,
): DebtClass | null {
  const declaration = declarations.get(concept);
  if (!isStandard(concept) && (declaration === undefined || !isCreditBalance(declaration))) return null;
  const [name = ''] = conceptWords(concept);
  const measured = name.replace(/(at)?fairvalue(disclosures?)?/, '').replace('debtinstrument', 'debt');
  return name.includes('fairvalue') && readsAsDebt([measured], concepts) ? { kind: 'fair_value' } : null;
}

/** True when the words name debt and nothing that is only about debt (M1.22). */
export function readsAsDebt(words: readonly string[], concepts: Concepts): boolean {
  const { hasWord } = concepts;
  return (
    words.some((text) => hasWord(text, 'debt')) &&
    !words.some((text) => hasWord(text, 'not debt') || hasWord(text, 'about debt')) &&
    !isUnderRepurchaseRight(words, concepts)
  );
}

/**
 * True for loans that were sold and are on the books again for a right to buy them back: not owed (M1.22c). Coins
 * sold so are coins still, and what they were sold for is owed.
 */
export function isUnderRepurchaseRight(words: readonly string[], { hasWord }: Concepts): boolean {
  return (
    words.some((text) => hasWord(text, 'repurchase right')) && !words.some((text) => hasWord(text, 'coins'))
  );
}

/** True when the name has a word of debt, beside any other words. */
export function namesDebt(concept: string, { hasWord }: Concepts): boolean {
  const words = conceptWords(concept);
  return words.some((text) => hasWord(text, 'debt')) && !words.some((text) => hasWord(text, 'not debt'));
}

function namesDebtWithLeases(words: readonly string[], concepts: Concepts): boolean {
  const rest = words.map((text) =>
    text.replaceAll(/(and|including|with)?(finance|capital)leases?(obligations?|liabilit(y|ies))?/g, ''),
  );
  return words.some((text) => financeLease.test(text)) && readsAsDebt(rest, concepts);
}

function isCreditBalance({ isMonetary, periodType, balance }: ConceptDeclaration): boolean {
  return isMonetary && periodType === 'instant' && balance === 'credit';
}
