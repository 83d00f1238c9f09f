import type { ConceptDeclaration } from '../filing/xbrlFiling.ts';

/**
 * The names a classifier reads: local name and label, lower case, letters only (M1.22).
 *
 * What a name says the amount is net of, or includes, describes its measurement and not the thing itself
 * ("Convertible notes, net of discount" are notes).
 */
export function conceptWords(concept: string, declaration?: ConceptDeclaration): readonly string[] {
  const local = concept.slice(concept.indexOf(':') + 1);
  const texts = [local.replace(/(Net|Inclusive)Of.*$|Including.*$|Less[A-Z].*$/, '')];
  const label = declaration?.label ?? null;
  if (label !== null)
    texts.push(label.replace(/\(.*?\)|[,\s]+(net of|including|inclusive of|less)\b.*$/gi, ''));
  return texts.map(letters);
}

/** Single words of a local name, lower case: `CryptoAssetsDefi` is crypto, assets, defi. */
export function wordsOf(concept: string): readonly string[] {
  const local = concept.slice(concept.indexOf(':') + 1);
  return (local.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase());
}

function letters(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, '');
}
