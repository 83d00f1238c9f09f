import { localName, type StatedFact } from '../../crypto/statedFacts.ts';

/** Standard names of a carrying amount, the undivided ones first (M18.18). */
export const carryingNames = [
  'LongTermDebt',
  'SecuredDebt',
  'SecuredLongTermDebt',
  'UnsecuredDebt',
  'ConvertibleNotesPayable',
  'ConvertibleLongTermNotesPayable',
  'ConvertibleDebt',
  'NotesPayable',
  'LongTermNotesPayable',
  'LoansPayable',
  'LongTermLoansPayable',
  'ShortTermBorrowings',
  'LineOfCredit',
  'LongTermLineOfCredit',
  'DebtLongtermAndShorttermCombinedAmount',
] as const;

/** A debt divided by when it is due: the one part, and the other beside it. */
export const dividedNames: readonly {
  readonly current: readonly string[];
  readonly noncurrent: readonly string[];
}[] = [
  { current: ['LongTermDebtCurrent', 'DebtCurrent'], noncurrent: ['LongTermDebtNoncurrent'] },
  { current: ['SecuredDebtCurrent'], noncurrent: ['SecuredLongTermDebtNoncurrent'] },
  {
    current: ['ConvertibleNotesPayableCurrent', 'ConvertibleDebtCurrent'],
    noncurrent: ['ConvertibleNotesPayableNoncurrent', 'ConvertibleDebtNoncurrent'],
  },
  { current: ['NotesPayableCurrent'], noncurrent: ['NotesPayableNoncurrent'] },
  {
    current: ['LoansPayableCurrent'],
    noncurrent: ['LoansPayableNoncurrent', 'LongTermLoansPayableNoncurrent'],
  },
  { current: ['LinesOfCreditCurrent'], noncurrent: ['LinesOfCreditNoncurrent'] },
];

export const grossName = 'DebtInstrumentCarryingAmount';
export const faceName = 'DebtInstrumentFaceAmount';
export const limitName = 'LineOfCreditFacilityMaximumBorrowingCapacity';

/** Principal by its own name (MSTR `DebtInstrumentOutstandingPrincipal`, CLSK `DebtInstrumentAggregatePrincipalAmount`). */
const principalName =
  /(Outstanding\w*Principal|Principal\w*Outstanding|AggregatePrincipalAmount|UnpaidPrincipal|NotesPayableGross)/;
/** A part, a condition or a flow of it, or what may still be issued; CLSK files the option part as managed and securitized. */
const noPrincipal =
  /(LoansManagedAndSecuritized|Percent|Condition|Threshold|Minimum|Maximum|Convert(?!ible)|Repaid|Repay|Redeem|Repurchase|Average|Forgiv|Exchange|Interest|Ratio|Option|Additional|Authorized|Available)/;

/** True for a filer's own name of the principal owed. */
export function isPrincipalConcept(concept: string): boolean {
  const name = localName(concept);
  return principalName.test(name) && !noPrincipal.test(name);
}

/** Unamortized cost by what it is of; a premium is below zero (M18.18). */
export const costNames = {
  together: ['DebtInstrumentUnamortizedDiscountPremiumAndDebtIssuanceCostsNet'],
  discount: [
    'DebtInstrumentUnamortizedDiscountPremiumNet',
    'DebtInstrumentUnamortizedDiscount',
    'DebtInstrumentUnamortizedDiscountNoncurrent',
  ],
  premium: ['DebtInstrumentUnamortizedPremium'],
  issuance: [
    'UnamortizedDebtIssuanceExpense',
    'DeferredFinanceCostsNet',
    'DebtIssuanceCostsNet',
    'DeferredFinanceCostsNoncurrentNet',
    'DebtIssuanceCostsNoncurrentNet',
  ],
} as const;

const bucketName =
  /^LongTermDebtMaturit(?:y|ies)\w*(?:InNext\w*TwelveMonths|InYear|InRollingYear|AfterYear|AfterRollingYear|RemainderOfFiscalYear)/;
const ladderTotalName = /^LongTermDebtMaturit(?:y|ies)\w*(?:RepaymentsDue|RepaymentsOfPrincipal)$/;

/** True for a year of a maturity ladder. */
export function isBucket({ concept }: Pick<StatedFact, 'concept'>): boolean {
  const name = localName(concept);
  return bucketName.test(name) && !/Interest/.test(name);
}

export function isLadderTotal({ concept }: Pick<StatedFact, 'concept'>): boolean {
  return ladderTotalName.test(localName(concept));
}

const owedNames = new Set<string>([
  ...[...carryingNames, grossName, faceName],
  ...dividedNames.flatMap(({ current, noncurrent }) => [...current, ...noncurrent]),
]);

/** What the amounts of a filing are read by: its period end, its currency, and the lines of its debt (M1.25). */
export type DebtDay = {
  readonly period: string;
  readonly currency: string;
  /** Concepts of D; a filer's own line is an amount owed under a member too (DDC `ShareholderLoansAtAmortizedCostCurrent`). */
  readonly lines: ReadonlySet<string>;
};

/** True for an amount that is owed, in whichever currency (M18.10). */
export function isOwed(
  { concept, unit }: Pick<StatedFact, 'concept' | 'unit'>,
  { lines }: Pick<DebtDay, 'lines'>,
): boolean {
  if (lines.has(concept) && /^[A-Z]{3}$/.test(unit)) return true;
  return /^[A-Z]{3}$/.test(unit) && (owedNames.has(localName(concept)) || isPrincipalConcept(concept));
}

/** Lines of D whose names are none of the standard ones. */
export function ownLines({ lines }: Pick<DebtDay, 'lines'>): readonly string[] {
  return [...lines]
    .map(localName)
    .filter((name) => !owedNames.has(name))
    .sort();
}
