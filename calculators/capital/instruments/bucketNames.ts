import { localName } from '../../crypto/statedFacts.ts';

/** Which part of a ladder a name states (M18.30). */
export type BucketName =
  | { readonly kind: 'remainder' }
  /** The nth year from the period end, or behind the remainder of the fiscal year. */
  | { readonly kind: 'year'; readonly n: number; readonly isRolling: boolean }
  /** All that falls due behind the nth year. */
  | { readonly kind: 'after'; readonly n: number; readonly isRolling: boolean }
  | { readonly kind: 'fiscal_year'; readonly year: number }
  | { readonly kind: 'thereafter' }
  /** The ladder's own total. */
  | { readonly kind: 'total' }
  /** One amount for all years (DFDV `…InYearOneAndAfterYearOne`). */
  | { readonly kind: 'open' };

const standard = 'LongTermDebtMaturitiesRepaymentsOfPrincipal';
/** Payments that are no principal, and principal of what is no debt of the issuer. */
const otherPayments =
  /(Interest|Lease|Purchase(?:Obligation|Commitment)|FederalHomeLoan|Fhlb|FHLB|Securities|Receivable|Revenue|Amortization|Pension)/;
const ordinals = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'];

/** The part of a ladder that a concept states by its own name; null where it is no such concept. */
export function bucketOfConcept(concept: string): BucketName | null {
  const name = localName(concept);
  if (!/^LongTermDebtMaturit(?:y|ies)/.test(name) || otherPayments.test(name)) return null;
  if (/(?:RepaymentsDue|RepaymentsOfPrincipal|RepaymentsOfPrincipalTotal)$/.test(name)) {
    return { kind: 'total' };
  }
  if (name === `${standard}RemainderOfFiscalYear`) return { kind: 'remainder' };
  const isRolling = /Rolling/.test(name);
  if (/^In(?:Next)(?:Rolling)?TwelveMonths$/.test(name.slice(standard.length))) {
    return { kind: 'year', n: 1, isRolling };
  }
  const year = /^LongTermDebtMaturities\w*In(?:Rolling)?Year([A-Z][a-z]+)$/.exec(name);
  const n = ordinals.indexOf(year?.[1] ?? '') + 1;
  if (n > 0) return { kind: 'year', n, isRolling };
  const after = /After(?:Rolling)?Year([A-Z][a-z]+)$/.exec(name);
  const last = ordinals.indexOf(after?.[1] ?? '') + 1;
  if (last > 0 && !/InYear/.test(name)) return { kind: 'after', n: last, isRolling };
  return { kind: 'open' };
}

/** True for a principal that a filer states year by year on an axis of its own (CLSK `PrincipalAmountOfLoanPayments`). */
export function isYearlyPrincipal(concept: string, axis: string): boolean {
  const names = `${localName(concept)} ${localName(axis)}`;
  return /(Debt|Loan|Note|Borrow|Principal|CreditFacility)/.test(names) && !otherPayments.test(names);
}

/** True for an axis whose name says that its years are those of debt; any other has to be proven by its sum (M18.30). */
export function isDebtAxis(axis: string): boolean {
  return /(Debt|Loan|Note|Borrow|CreditFacility)/.test(localName(axis));
}

/** True for principal on such an axis. */
export function isDebtYears(concept: string, axis: string): boolean {
  return isDebtAxis(axis) && isYearlyPrincipal(concept, axis);
}

const tens: Readonly<Record<string, number>> = { Twenty: 20, Thirty: 30, Forty: 40 };

/** The year a member of a year axis stands for; its whole name must be that year (`Fy2026Member`, `YearTwentyTwentySixMember`). */
export function bucketOfMember(member: string): BucketName | null {
  const name = localName(member).replace(/Member$/, '');
  if (/^(?:Due)?(?:Thereafter|After\w{0,24}|Later)$/.test(name)) return { kind: 'thereafter' };
  const year = /^(?:FY|Fy|FiscalYears?|Years?(?:Ending)?|CalendarYear|Due(?:In)?)?(20\d\d)$/.exec(name);
  if (year !== null) return { kind: 'fiscal_year', year: Number(year[1]) };
  const words =
    /^(?:FiscalYear|Year|Due(?:In)?)?(?:Twenty|TwoThousand(?:And)?)(Twenty|Thirty|Forty)(One|Two|Three|Four|Five|Six|Seven|Eight|Nine)?$/.exec(
      name,
    );
  if (words === null) return null;
  const units = ordinals.indexOf(words[2] ?? '') + 1;
  return { kind: 'fiscal_year', year: 2000 + (tens[words[1] ?? ''] ?? 0) + units };
}
