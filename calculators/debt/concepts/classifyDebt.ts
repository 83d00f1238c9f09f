import type { ConceptDeclaration } from '../../filing/xbrlFiling.ts';
import { conceptWords } from '../../network/conceptWords.ts';
import { type DebtConcept, debtDictionary } from './debtDictionary.ts';

const included =
  /(convertible|notes?payable|loan|borrowing|debt|debenture|bond|mortgage|creditfacilit(y|ies)|lines?ofcredit|(senior|secured|subordinated|exchangeable|bridge)notes?|termloan|financing(arrangement|obligation)|promissory|prepaidadvanceliabilit)/;
const excluded =
  /(receivable|lease|warrant|interest|issuance|securities|deferred|premium|discount|proceeds|repay|fairvaluedisclos|derivativeasset|tax)/;
/** Disclosures that never enter a total (M1.6). */
const disclosed = /(debtinstrument|faceamount|maturit|unused)/;
const financeLease = /(finance|capital)lease/;

/** Why a concept under Liabilities counts as debt (M1.22, M1.25); null when it does not. */
export type DebtClass =
  | { readonly kind: 'dictionary'; readonly row: DebtConcept }
  | { readonly kind: 'extension' }
  /** An extension that names debt and finance leases together: leases are taken off as for † of M1.20. */
  | { readonly kind: 'extension_with_leases' }
  /** A standard concept the dictionary lacks, by the same words. */
  | { readonly kind: 'standard' };

/**
 * Classifies a concept that the chosen network holds under Liabilities: the dictionary, then the words of its name
 * and label (M1.20, M1.22).
 *
 * An extension must be declared monetary, instant and credit; without its declaration it is not accepted.
 */
export function classifyDebt(
  concept: string,
  declarations: ReadonlyMap<string, ConceptDeclaration>,
): DebtClass | null {
  const row = debtDictionary.find((candidate) => candidate.concept === concept);
  if (row !== undefined) return { kind: 'dictionary', row };
  if (isStandard(concept)) return readsAsDebt(conceptWords(concept)) ? { kind: 'standard' } : null;
  const declaration = declarations.get(concept);
  if (declaration === undefined || !isCreditBalance(declaration)) return null;
  const words = conceptWords(concept, declaration);
  if (readsAsDebt(words)) return { kind: 'extension' };
  return namesDebtWithLeases(words) ? { kind: 'extension_with_leases' } : null;
}

/** True when the words name debt and nothing that is only about debt (M1.22). */
export function readsAsDebt(words: readonly string[]): boolean {
  return (
    words.some((text) => included.test(text)) &&
    !words.some((text) => excluded.test(text) || disclosed.test(text))
  );
}

/** True when the name speaks of debt at all, whatever else it speaks of. */
export function namesDebt(concept: string): boolean {
  const words = conceptWords(concept);
  return (
    words.some((text) => included.test(text)) && !words.some((text) => /receivable|securities/.test(text))
  );
}

/** Concepts of the standard taxonomies; everything else is the filer's own. */
export function isStandard(concept: string): boolean {
  return /^(us-gaap|ifrs-full|srt|dei|invest|country|currency|ecd|exch|naics|sic|stpr|cyd|ffd|spac|snj):/.test(
    concept,
  );
}

function namesDebtWithLeases(words: readonly string[]): boolean {
  const rest = words.map((text) =>
    text.replaceAll(/(and|including|with)?(finance|capital)leases?(obligations?|liabilit(y|ies))?/g, ''),
  );
  return words.some((text) => financeLease.test(text)) && readsAsDebt(rest);
}

function isCreditBalance({ isMonetary, periodType, balance }: ConceptDeclaration): boolean {
  return isMonetary && periodType === 'instant' && balance === 'credit';
}
