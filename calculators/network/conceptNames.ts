import type { ConceptDeclaration } from '../filing/xbrlFiling.ts';

// The face of a balance sheet: totals that classify lines and are themselves never debt or coins.

export const assetsConcepts = ['us-gaap:Assets', 'ifrs-full:Assets'] as const;

export const liabilitiesAndEquityConcepts = [
  'us-gaap:LiabilitiesAndStockholdersEquity',
  'ifrs-full:EquityAndLiabilities',
] as const;

export const liabilitiesConcepts = ['us-gaap:Liabilities', 'ifrs-full:Liabilities'] as const;

export const currentLiabilitiesConcepts = [
  'us-gaap:LiabilitiesCurrent',
  'ifrs-full:CurrentLiabilities',
] as const;

const noncurrentLiabilitiesConcepts = [
  'us-gaap:LiabilitiesNoncurrent',
  'us-gaap:LiabilitiesOtherThanLongtermDebtNoncurrent',
  'ifrs-full:NoncurrentLiabilities',
] as const;

const structure: readonly string[] = [
  ...assetsConcepts,
  ...liabilitiesAndEquityConcepts,
  ...liabilitiesConcepts,
  ...currentLiabilitiesConcepts,
  ...noncurrentLiabilitiesConcepts,
  'us-gaap:AssetsCurrent',
  'us-gaap:AssetsNoncurrent',
  'ifrs-full:CurrentAssets',
  'ifrs-full:NoncurrentAssets',
];

/** True for a total that only classifies: unreported with nothing but debt below, it still is no debt root. */
export function isStructural(concept: string): boolean {
  return structure.includes(concept);
}

/** Totals that stand at the end of a part of the face: none of them is ever a line of it (M1.24c 3). */
export function isFaceTotal(concept: string): boolean {
  return /^(us-gaap:(Assets|Liabilities)(Current|Noncurrent)?|ifrs-full:(Assets|Liabilities|(Current|Noncurrent)(Assets|Liabilities)))$/.test(
    concept,
  );
}

/** True for equity and mezzanine subtrees, which include no debt (M1.4, M1.25). */
export function isEquity(concept: string): boolean {
  const name = concept.slice(concept.indexOf(':') + 1);
  return /^(Stockholders|Shareholders|Members|Partners|TotalEquity|Equity$|TemporaryEquity|MinorityInterest|RedeemableNoncontrolling|PreferredStock|CommonStock|AdditionalPaidIn|RetainedEarnings|TreasuryStock|AccumulatedOtherComprehensive|CommitmentsAndContingencies$)/.test(
    name,
  );
}

/** Concepts of the standard taxonomies; everything else is the filer's own. */
export function isStandard(concept: string): boolean {
  return /^(us-gaap|ifrs-full|srt|dei|invest|country|currency|ecd|exch|naics|sic|stpr|cyd|ffd|spac|snj):/.test(
    concept,
  );
}

/**
 * The names a classifier reads: local name and label, lower case, letters only (M1.22).
 *
 * What the amount is net of by its name, includes or excludes, describes its measurement and not the thing itself
 * ("Convertible notes, net of discount" are notes, "Digital assets, excluding stablecoins" are coins).
 */
export function conceptWords(concept: string, declaration?: ConceptDeclaration): readonly string[] {
  const label = labelOf(declaration);
  return [ownName(concept), ...(label === null ? [] : [label])].map(letters);
}

/** The local name without what it is net of, includes or excludes. */
export function ownName(concept: string): string {
  return concept
    .slice(concept.indexOf(':') + 1)
    .replace(
      /((Net|Inclusive|Exclusive)Of|Including|(Less|Except|Without)(?=[A-Z])|Excluding|(Other|Apart|Aside)(Than|From)(?=[A-Z])|Not(Including|Comprising)).*$/,
      '',
    );
}

/** The label without what it has in brackets, is net of, includes or excludes; null without one. */
export function labelOf(declaration?: ConceptDeclaration): string | null {
  const label = declaration?.label ?? null;
  const more =
    /\(.*?\)|[,\s]+(net of|(not )?including|inclusive of|less|excluding|exclusive of|(other|apart|aside) (than|from)|except|without)\b.*$/gi;
  return label === null ? null : label.replace(more, '');
}

/** Single words of a local name, lower case: `CryptoAssetsDefi` is crypto, assets, defi. */
export function wordsOf(concept: string): readonly string[] {
  const local = concept.slice(concept.indexOf(':') + 1);
  return (local.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase());
}

function letters(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, '');
}
