/** Concepts whose dates, durations and short texts are terms of debt, warrants or shares (M18.11). */
const termName =
  /(Maturity|Expir(?:es|ation|y)|Redemption|Springing|RepurchaseRight|Put(?:Date|Option|Right)|Call(?:Date|Option)|Conver(?:sion|tible)|StockSplit|^DebtInstrument|^LineOfCredit|^(?:LongTerm|ShortTerm)Debt|^Warrants?And|^ClassOfWarrant|(?:Loans?|Notes?|Credit)\w*Term|^TermOf)/;
/** The same words in names of something else; enumerations name concepts, blocks hold tables. */
const otherName =
  /(Lease|Plan|Compensation|CarryForward|Carryforward|TaxAsset|Statute|TrdArr|Arr(?:Adopted|Modified|Trmntd)|Lessee|Investment|DebtSecurities|ExtensibleList|ExtensibleEnumeration|TextBlock|TableTextBlock|Policy|Receivable)/;

/** Longer texts are prose. */
const lengthMax = 200;
/** A filing of 2,000 terms states thirty times what the largest of those known does. */
export const termsMax = 2000;
/** Read of one text at most; what is longer is no term. */
export const termCharactersMax = 4000;

/** True for a concept whose text may state a term. */
export function isTermConcept(concept: string): boolean {
  const local = concept.slice(concept.indexOf(':') + 1);
  return !concept.startsWith('dei:') && termName.test(local) && !otherName.test(local);
}

/** The text of a term with its white space collapsed; null where it is empty or prose. */
export function termText(text: string): string | null {
  const value = text.length > termCharactersMax ? '' : text.replace(/\s+/g, ' ').trim();
  return value === '' || value.length > lengthMax ? null : value;
}
