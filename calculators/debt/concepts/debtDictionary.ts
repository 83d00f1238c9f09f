/** C current, N noncurrent, T total of both. */
export type DebtBucket = 'C' | 'N' | 'T';

/** One row of the debt dictionary (M1.20). Which rows are parts of which is for the concept hierarchy to say (M1.29a). */
export type DebtConcept = {
  readonly concept: string;
  readonly bucket: DebtBucket;
  /** 0 umbrella, 1 line, 2 instrument, 3 disclosure only. */
  readonly level: 0 | 1 | 2 | 3;
  /** Finance-lease liability inside a lease-inclusive concept (†), subtracted when filed. */
  readonly leasePart?: string;
};

/** A changed table has a new version, whose hash is recorded (M13.2). */
export const debtDictionaryVersion = 'debt-1.2';

/** May be gross principal, hence last among the totals (‡; CLSK 835,143 K against 820,337 K carrying). */
export const grossTotal = 'us-gaap:LoansPayable';

/** Some filers put other payables there; it counts, and says so where nothing confirms it (§). */
export const doubtfulLine = 'us-gaap:OtherNotesPayableCurrent';

const leaseParts: Readonly<Record<string, string>> = {
  LongTermDebtAndCapitalLeaseObligationsIncludingCurrentMaturities: 'FinanceLeaseLiability',
  DebtAndCapitalLeaseObligations: 'FinanceLeaseLiability',
  LongTermDebtAndCapitalLeaseObligations: 'FinanceLeaseLiabilityNoncurrent',
  LongTermDebtAndCapitalLeaseObligationsCurrent: 'FinanceLeaseLiabilityCurrent',
};

const rows: readonly (readonly [DebtBucket, DebtConcept['level'], string])[] = [
  ['T', 0, 'DebtLongtermAndShorttermCombinedAmount'],
  ['C', 0, 'DebtCurrent'],
  [
    'T',
    1,
    `LongTermDebt LongTermDebtAndCapitalLeaseObligationsIncludingCurrentMaturities DebtAndCapitalLeaseObligations
    NotesAndLoansPayable NotesPayable ConvertibleDebt ConvertibleNotesPayable SecuredDebt LineOfCredit LoansPayable
    ifrs-full:Borrowings`,
  ],
  [
    'N',
    1,
    `LongTermDebtNoncurrent LongTermDebtAndCapitalLeaseObligations LongTermNotesPayable LongTermLoansPayable
    LongTermNotesAndLoans LongTermLineOfCredit ifrs-full:LongtermBorrowings`,
  ],
  [
    'C',
    1,
    `LongTermDebtCurrent LongTermDebtAndCapitalLeaseObligationsCurrent ShortTermBorrowings NotesPayableCurrent
    LoansPayableCurrent LinesOfCreditCurrent NotesAndLoansPayableCurrent
    ifrs-full:CurrentBorrowingsAndCurrentPortionOfNoncurrentBorrowings ifrs-full:ShorttermBorrowings
    ifrs-full:CurrentPortionOfLongtermBorrowings`,
  ],
  [
    'T',
    2,
    `SeniorNotes OtherNotesPayable MediumTermNotes ConvertibleSubordinatedDebt UnsecuredDebt SubordinatedDebt
    JuniorSubordinatedNotes NotesPayableToBank LoansPayableToBank OtherLoansPayable OtherBorrowings OtherLongTermDebt
    ConstructionLoan FederalHomeLoanBankAdvances`,
  ],
  [
    'N',
    2,
    `ConvertibleDebtNoncurrent ConvertibleLongTermNotesPayable SeniorLongTermNotes SecuredLongTermDebt
    UnsecuredLongTermDebt OtherLongTermDebtNoncurrent NotesPayableRelatedPartiesNoncurrent
    NotesPayableToBankNoncurrent LongTermLoansFromBank OtherLoansPayableLongTerm OtherLongTermNotesPayable
    MediumtermNotesNoncurrent SubordinatedLongTermDebt JuniorSubordinatedLongTermNotes
    ConvertibleSubordinatedDebtNoncurrent CommercialPaperNoncurrent ConstructionLoanNoncurrent
    FederalHomeLoanBankAdvancesLongTerm`,
  ],
  [
    'C',
    2,
    `ConvertibleDebtCurrent ConvertibleNotesPayableCurrent SecuredDebtCurrent UnsecuredDebtCurrent
    OtherLongTermDebtCurrent ShortTermBankLoansAndNotesPayable BankOverdrafts CommercialPaper
    NotesPayableRelatedPartiesClassifiedCurrent BridgeLoan SeniorNotesCurrent OtherNotesPayableCurrent
    OtherLoansPayableCurrent NotesPayableToBankCurrent LoansPayableToBankCurrent SubordinatedDebtCurrent
    JuniorSubordinatedNotesCurrent MediumtermNotesCurrent ConvertibleSubordinatedDebtCurrent
    ShortTermNonBankLoansAndNotesPayable OtherShortTermBorrowings LongTermCommercialPaperCurrent
    LongTermConstructionLoanCurrent WarehouseAgreementBorrowings FederalHomeLoanBankAdvancesCurrent
    SecuritiesSoldUnderAgreementsToRepurchase`,
  ],
  ['T', 3, 'DebtInstrumentCarryingAmount'],
];

/** Standard-taxonomy debt concepts, in the order of the table of M1.20. */
export const debtDictionary: readonly DebtConcept[] = rows.flatMap(([bucket, level, names]) =>
  names.split(/\s+/).map((name): DebtConcept => {
    const leasePart = leaseParts[name];
    const concept = name.includes(':') ? name : `us-gaap:${name}`;
    return {
      concept,
      bucket,
      level,
      ...(leasePart === undefined ? {} : { leasePart: `us-gaap:${leasePart}` }),
    };
  }),
);
