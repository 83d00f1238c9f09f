import { localName, type StatedFact } from '../crypto/statedFacts.ts';
import type { Dimension } from '../filing/xbrlFiling.ts';

/** Members that name a loan, a credit line or a note issue (M16.2). */
export const loanMember =
  /(Loan|Credit(Facility|Line|Agreement)?|LineOfCredit|Facility|Financing|Lending|Borrowing|Notes?)/;
/** Members whose name has such a word and means something else. */
export const otherMember =
  /(Lease|Receivable|Warrant|Swap|Equipment|Mortgage|Auto|Stock|Securities|PowerPurchase|Level[123])/;
/** Concepts that state a pledge or a term of one, with any members (M16.5–M16.7). */
export const pledgeConcept =
  /(Pledge|Collateral|Restricted|LoanToValue|LTV|AdvanceRate|LiquidationPercentage|MarginCall|MarginLevel)/;

const pledgeWord = /(Pledge|Collateral)/;
/** What came, went or changed: no coins that are pledged at a date. */
const movement =
  /(Transfer|Received|Returned?(?!OfExcess)|Released?|Additional|Additions|Disposition|Sold|Sales|Purchase|Liquidated|Gain|Loss|Proceeds|Repayment|Change|Unencumbered|Initial|Obligation)/;
/** Axes that qualify a fact of a loan and name none (M16.2). */
const qualifying =
  /:(RangeAxis|CollateralAxis|PledgedStatusAxis|CryptoAssetAxis|SubsequentEventTypeAxis|FairValue\w*Axis|\w*FairValue\w*Axis)$/;
const pledgedMember = /:AssetPledgedAsCollateral\w*Member$/;

/** True for a dimension that names what a fact is about; the others qualify it. */
export function isSubject({ axis }: Dimension): boolean {
  return !qualifying.test(axis);
}

export function namesLoan({ member, typed }: Dimension): boolean {
  const name = localName(member);
  return !typed && loanMember.test(name) && !otherMember.test(name);
}

/** True for a quantity or amount of coins that the lender holds (M16.7). */
export function isPledgedCoins(fact: StatedFact): boolean {
  const name = localName(fact.concept);
  if (movement.test(name)) return false;
  const isPledge = pledgeWord.test(name) || fact.dimensions.some(({ member }) => pledgedMember.test(member));
  return isPledge && fact.isOfCoins;
}

/** Coins that cannot be sold; a pledge only where pledged coins are stated in the same number (M16.7). */
export function isRestrictedCoins(fact: StatedFact): boolean {
  const name = localName(fact.concept);
  return name.includes('Restricted') && !movement.test(name) && fact.isOfCoins;
}

/** A debt line of the balance sheet whose own name joins coins and borrowing (M16.2). */
export function isCoinBorrowing({ concept, unit, start, namesCoins }: StatedFact): boolean {
  const name = localName(concept);
  if (unit !== 'USD' || start !== null || !namesCoins) return false;
  return (
    /(Loan|Financing|Borrowing|NotesPayable|Debt|CreditLine|LineOfCredit)/.test(name) && !notOwed.test(name)
  );
}

const notOwed =
  /(Receivable|Loaned|Lent|Lending|Collateral|Pledge|Proceeds|Repayment|Gain|Loss|Interest|Cost|Fee|FairValue|Premium)/;
