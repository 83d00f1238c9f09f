/** C current, N noncurrent, T total of both. */
export type DebtBucket = 'C' | 'N' | 'T';

/**
 * One row of the debt dictionary (M1.20).
 *
 * Within a bucket the concepts of one `family` describe the same instruments at different depth: the lowest
 * `level` filed is the amount, deeper ones are its parts.
 */
export type DebtConcept = {
  readonly concept: string;
  readonly bucket: DebtBucket;
  readonly family: string;
  readonly level: 0 | 1 | 2 | 3;
  /** Finance-lease liability inside a lease-inclusive concept (†), subtracted when filed. */
  readonly leasePart?: string;
};

const rows: readonly (readonly [DebtBucket, 0 | 1 | 2 | 3, string, string, string?])[] = [
  ['T', 0, 'umbrella', 'us-gaap:DebtLongtermAndShorttermCombinedAmount'],
  ['C', 0, 'umbrella', 'us-gaap:DebtCurrent'],

  ['T', 1, 'long_term', 'us-gaap:LongTermDebt'],
  ['T', 1, 'long_term', 'us-gaap:DebtAndCapitalLeaseObligations', 'us-gaap:FinanceLeaseLiability'],
  ['T', 1, 'notes_and_loans', 'us-gaap:NotesAndLoansPayable'],
  ['T', 1, 'notes', 'us-gaap:NotesPayable'],
  ['T', 1, 'convertible', 'us-gaap:ConvertibleDebt'],
  ['T', 1, 'convertible', 'us-gaap:ConvertibleNotesPayable'],
  ['T', 1, 'secured', 'us-gaap:SecuredDebt'],
  ['T', 1, 'credit_line', 'us-gaap:LineOfCredit'],
  // may be gross principal, hence last among the totals (CLSK 835,143 K against 820,337 K carrying)
  ['T', 1, 'loans', 'us-gaap:LoansPayable'],
  ['T', 1, 'borrowings', 'ifrs-full:Borrowings'],

  ['N', 1, 'long_term', 'us-gaap:LongTermDebtNoncurrent'],
  [
    'N',
    1,
    'long_term',
    'us-gaap:LongTermDebtAndCapitalLeaseObligations',
    'us-gaap:FinanceLeaseLiabilityNoncurrent',
  ],
  ['N', 1, 'notes', 'us-gaap:LongTermNotesPayable'],
  ['N', 1, 'loans', 'us-gaap:LongTermLoansPayable'],
  ['N', 1, 'notes_and_loans', 'us-gaap:LongTermNotesAndLoans'],
  ['N', 1, 'credit_line', 'us-gaap:LongTermLineOfCredit'],
  ['N', 1, 'borrowings', 'ifrs-full:NoncurrentPortionOfNoncurrentBorrowings'],

  ['C', 1, 'long_term', 'us-gaap:LongTermDebtCurrent'],
  [
    'C',
    1,
    'long_term',
    'us-gaap:LongTermDebtAndCapitalLeaseObligationsCurrent',
    'us-gaap:FinanceLeaseLiabilityCurrent',
  ],
  ['C', 1, 'short_term', 'us-gaap:ShortTermBorrowings'],
  ['C', 1, 'notes', 'us-gaap:NotesPayableCurrent'],
  ['C', 1, 'loans', 'us-gaap:LoansPayableCurrent'],
  ['C', 1, 'credit_line', 'us-gaap:LinesOfCreditCurrent'],
  ['C', 1, 'notes_and_loans', 'us-gaap:NotesAndLoansPayableCurrent'],
  ['C', 1, 'borrowings', 'ifrs-full:CurrentBorrowingsAndCurrentPortionOfNoncurrentBorrowings'],

  ['T', 2, 'senior', 'us-gaap:SeniorNotes'],
  ['T', 2, 'notes', 'us-gaap:OtherNotesPayable'],
  ['T', 2, 'notes', 'us-gaap:MediumtermNotes'],
  ['T', 2, 'convertible', 'us-gaap:ConvertibleSubordinatedDebt'],

  ['N', 2, 'convertible', 'us-gaap:ConvertibleDebtNoncurrent'],
  ['N', 2, 'convertible', 'us-gaap:ConvertibleLongTermNotesPayable'],
  ['N', 2, 'senior', 'us-gaap:SeniorLongTermNotes'],
  ['N', 2, 'secured', 'us-gaap:SecuredLongTermDebt'],
  ['N', 2, 'unsecured', 'us-gaap:UnsecuredLongTermDebt'],
  ['N', 2, 'other', 'us-gaap:OtherLongTermDebtNoncurrent'],
  ['N', 2, 'related_party', 'us-gaap:NotesPayableRelatedPartiesNoncurrent'],

  ['C', 2, 'convertible', 'us-gaap:ConvertibleDebtCurrent'],
  ['C', 2, 'convertible', 'us-gaap:ConvertibleNotesPayableCurrent'],
  ['C', 2, 'secured', 'us-gaap:SecuredDebtCurrent'],
  ['C', 2, 'unsecured', 'us-gaap:UnsecuredDebtCurrent'],
  ['C', 2, 'other', 'us-gaap:OtherLongTermDebtCurrent'],
  ['C', 2, 'short_term', 'us-gaap:ShortTermBankLoansAndNotesPayable'],
  ['C', 2, 'short_term', 'us-gaap:BankOverdrafts'],
  ['C', 2, 'short_term', 'us-gaap:CommercialPaper'],
  ['C', 2, 'related_party', 'us-gaap:NotesPayableRelatedPartiesClassifiedCurrent'],
  ['C', 2, 'short_term', 'us-gaap:BridgeLoan'],

  ['T', 3, 'disclosure', 'us-gaap:DebtInstrumentCarryingAmount'],
];

/** Standard-taxonomy debt concepts, in the order of the table of M1.20. */
export const debtDictionary: readonly DebtConcept[] = rows.map(
  ([bucket, level, family, concept, leasePart]) => ({
    concept,
    bucket,
    family,
    level,
    ...(leasePart === undefined ? {} : { leasePart }),
  }),
);
