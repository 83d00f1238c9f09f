import { describe, expect, it } from 'vitest';
import { debtOfFacts as resolve } from '../../fixtures/builders/debtOfFacts.ts';
import { filedFact, issuerInputs } from '../../fixtures/builders/issuerInputs.ts';

function amounts(input: Parameters<typeof resolve>[0]) {
  const { current, noncurrent, coverage, notes } = resolve(input);
  return { current: current.toNumber(), noncurrent: noncurrent.toNumber(), coverage, notes };
}

const k = 1000;

describe('debt by direct facts', () => {
  it('adds current and noncurrent although LongTermDebt repeats the noncurrent part (T01, M1.32: MSTR 2022-12-31)', () => {
    const found = resolve({
      LongTermDebt: 2_378_560 * k,
      LongTermDebtNoncurrent: 2_378_560 * k,
      LongTermDebtCurrent: 454 * k,
      Liabilities: 2_793_392 * k,
    });
    expect(found.total.toString()).toBe('2379014000');
    expect(found).toMatchObject({ disagreement: false, identitiesConsistent: true, notes: [] });
  });

  it('gives both vintages of LongTermDebt the same total (T02: MSTR 2023-12-31)', () => {
    const parts = { LongTermDebtNoncurrent: 2_182_108 * k, LongTermDebtCurrent: 483 * k };
    for (const vintage of [2_182_108, 2_182_591]) {
      expect(resolve({ ...parts, LongTermDebt: vintage * k }).total.toString()).toBe('2182591000');
    }
  });

  it('takes the true total apart when the parts add up to it (M1.31: MSTR 2024-06-30)', () => {
    const parts = { LongTermDebtNoncurrent: 3_703_381 * k, LongTermDebtCurrent: 145_119 * k };
    expect(amounts({ ...parts, LongTermDebt: 3_848_500 * k })).toMatchObject({
      current: 145_119 * k,
      noncurrent: 3_703_381 * k,
    });
  });

  it('prefers carrying lines to principal (T05: CLSK 2025-06-30)', () => {
    expect(
      amounts({
        LongTermDebt: 643_913 * k,
        LongTermLoansPayable: 643_913 * k,
        LoansPayableCurrent: 176_424 * k,
        LoansPayable: 835_143 * k,
        DebtInstrumentCarryingAmount: 820_337 * k,
        Liabilities: 954_929 * k,
      }),
    ).toEqual({
      current: 176_424 * k,
      noncurrent: 643_913 * k,
      coverage: 'resolved_nonzero',
      notes: [],
    });
  });

  it('counts equal amounts under two concepts once (M1.34: DFDV 2025-09-30)', () => {
    const lines = {
      LongTermDebtNoncurrent: 131_444 * k,
      ConvertibleDebtNoncurrent: 131_444 * k,
      LoansPayableCurrent: 267 * k,
      ShortTermBorrowings: 267 * k,
    };
    const expected = { current: 267 * k, noncurrent: 131_444 * k };
    expect(amounts(lines)).toMatchObject(expected);
    expect(amounts({ ...lines, DebtLongtermAndShorttermCombinedAmount: 131_711 * k })).toMatchObject(
      expected,
    );
  });

  it('counts one amount once although rounding parts the two concepts (M1.34: IBM 2025-06-30)', () => {
    const { total } = resolve({
      LongTermDebtNoncurrent: '55219000000',
      LongTermDebtAndCapitalLeaseObligationsCurrent: '8944000000',
      ShortTermBorrowings: '8945000000',
    });
    expect(total.toString()).toBe('64163000000');
  });

  it.each([
    ['a current note alone (NAKA)', { NotesPayableCurrent: 203_017_500 }, 203_017_500, 0],
    [
      'a drawn credit line (KULR)',
      { LinesOfCreditCurrent: 3_800_000, LineOfCredit: 3_800_000 },
      3_800_000,
      0,
    ],
    ['one noncurrent instrument (BTBT)', { OtherLongTermDebtNoncurrent: 196_345 }, 0, 196_345],
    ['a bank loan with current maturities (DDC)', { LongTermDebtCurrent: 5, ShortTermBorrowings: 7 }, 12, 0],
    [
      'a total with short-term borrowings (M1.29 (3))',
      { LongTermDebt: 100, ShortTermBorrowings: 20 },
      20,
      100,
    ],
    ['totals without a split (M1.29 (4))', { ConvertibleDebt: 40, NotesPayable: 2 }, 0, 42],
    ['a total and its part as the total (M1.29a)', { ConvertibleNotesPayable: 2, NotesPayable: 40 }, 0, 40],
    ['siblings (M1.29b)', { LongTermLoansPayable: 9, LongTermNotesPayable: 4 }, 0, 13],
    [
      'commercial paper beside maturities when short-term borrowings are not filed (M1.29b: KO, AAPL, HD)',
      { LongTermDebtNoncurrent: 50, LongTermDebtCurrent: 10, CommercialPaper: 4 },
      14,
      50,
    ],
    ['principal when nothing else is filed (M1.20 ‡)', { LoansPayable: 9 }, 0, 9],
    ['the carrying amount as a last resort (M1.29 (5))', { DebtInstrumentCarryingAmount: 9 }, 0, 9],
    ['a combined total, residual current (M1.29 (1))', { DebtLongtermAndShorttermCombinedAmount: 50 }, 50, 0],
    [
      'an IFRS balance sheet',
      {
        'ifrs-full:LongtermBorrowings': 70,
        'ifrs-full:CurrentBorrowingsAndCurrentPortionOfNoncurrentBorrowings': 30,
        'ifrs-full:Borrowings': 100,
      },
      30,
      70,
    ],
    [
      'IFRS current borrowings filed in their two lines',
      {
        'ifrs-full:LongtermBorrowings': 70,
        'ifrs-full:ShorttermBorrowings': 20,
        'ifrs-full:CurrentPortionOfLongtermBorrowings': 10,
        'ifrs-full:Borrowings': 100,
      },
      30,
      70,
    ],
    [
      'IFRS current borrowings as one figure, not with its parts again',
      {
        'ifrs-full:CurrentBorrowingsAndCurrentPortionOfNoncurrentBorrowings': 30,
        'ifrs-full:ShorttermBorrowings': 20,
        'ifrs-full:CurrentPortionOfLongtermBorrowings': 10,
      },
      30,
      0,
    ],
    ['umbrella before instruments', { DebtCurrent: 30, NotesPayableCurrent: 10, CommercialPaper: 5 }, 30, 0],
    ['the top of a family, not its parts', { ShortTermBorrowings: 30, CommercialPaper: 12 }, 30, 0],
    ['the top although the part is larger', { ShortTermBorrowings: 3, CommercialPaper: 12 }, 3, 0],
  ])('resolves %s', (_, balance, current, noncurrent) => {
    expect(amounts(balance)).toMatchObject({ current, noncurrent, coverage: 'resolved_nonzero' });
  });

  it('reads LongTermDebt as noncurrent when only so the note adds up (M1.33: ADBE 2024-11-29)', () => {
    expect(
      amounts({ LongTermDebt: '4129', DebtCurrent: '1499', DebtInstrumentCarryingAmount: '5650' }),
    ).toMatchObject({ current: 1499, noncurrent: 4129, notes: [] });
  });

  it('subtracts finance leases from a lease-inclusive figure, or says that it could not (M1.20b)', () => {
    const inclusive = { LongTermDebtAndCapitalLeaseObligations: 48_485, DebtCurrent: 100 };
    expect(amounts({ ...inclusive, FinanceLeaseLiabilityNoncurrent: 2_749 })).toMatchObject({
      noncurrent: 45_736,
      notes: [],
    });
    expect(amounts(inclusive)).toMatchObject({ noncurrent: 48_485, notes: ['includes_finance_lease'] });
  });

  it('lists roots whose weighted values add up to the total (M1.28)', () => {
    const { details, method } = resolve({
      LongTermDebtAndCapitalLeaseObligations: 50,
      FinanceLeaseLiabilityNoncurrent: 8,
      DebtCurrent: 7,
    });
    expect(method).toBe('direct_precedence');
    expect(details).toEqual([
      'C us-gaap:DebtCurrent = 7 via direct_precedence w=+1 rule=2',
      'N us-gaap:FinanceLeaseLiabilityNoncurrent = 8 via direct_precedence w=-1 rule=2',
      'N us-gaap:LongTermDebtAndCapitalLeaseObligations = 50 via direct_precedence w=+1 rule=2',
    ]);
  });
});

describe('no debt above zero', () => {
  const lite = { Assets: 113_337 * k, Liabilities: 1_068 * k };

  it('is a measured zero when a debt concept is filed as zero (M1.37)', () => {
    expect(resolve({ ...lite, ConvertibleNotesPayableCurrent: 0 })).toMatchObject({
      coverage: 'resolved_zero',
      method: 'explicit_zero',
      details: ['C us-gaap:ConvertibleNotesPayableCurrent = 0 via explicit_zero'],
    });
  });

  it('is a legitimate zero when liabilities are small or explained (M1.37: LITS 2025-09-30)', () => {
    expect(resolve(lite)).toMatchObject({ coverage: 'legitimate_zero_debt', method: 'corroborated_zero' });
    expect(
      resolve({ Assets: 100, Liabilities: 50, AccountsPayableCurrent: 30, DeferredRevenueCurrent: 15 })
        .coverage,
    ).toBe('legitimate_zero_debt');
  });

  it.each([
    ['liabilities are not filed', { Assets: 100 }],
    ['liabilities are not explained', { Assets: 100, Liabilities: 50, AccountsPayableCurrent: 44 }],
    [
      'the explaining lines overlap',
      { Assets: 100, Liabilities: 50, AccountsPayableCurrent: 30, TaxesPayableCurrent: 30 },
    ],
    ['an amount of debt is disclosed', { ...lite, DebtInstrumentFaceAmount: 1 }],
    ['another balance reads as debt', { ...lite, RelatedPartyBorrowings: 2_062_195 }],
    ['nothing is filed at all', {}],
  ])('is never a zero when %s (M1.38)', (_, balance) => {
    expect(resolve(balance)).toMatchObject({ coverage: 'low_confidence_missing_debt', method: null });
  });

  it('takes no rate, ratio, price, limit or later amount for debt (M1.37b, M15.68)', () => {
    const { filing } = issuerInputs({});
    const later = filedFact(filing, { concept: 'NotesPayable', value: 7, end: '2025-10-31' });
    const terms = {
      DebtInstrumentInterestRateStatedPercentage: 1,
      DebtInstrumentConvertibleConversionPrice1: 4,
      LineOfCreditFacilityMaximumBorrowingCapacity: 9_000 * k,
    };
    expect(resolve({ balance: { ...lite, ...terms }, facts: [later] })).toMatchObject({
      coverage: 'legitimate_zero_debt',
      notes: ['subsequent_debt:7'],
    });
  });

  it.each([
    ['ProceedsFromConvertibleNotesPayable', '2024-10-01', '2024-12-31', 'low_confidence_missing_debt'],
    ['RepaymentsOfDebt', '2025-01-01', '2025-09-30', 'low_confidence_missing_debt'],
    ['RepaymentsOfDebt', '2024-01-01', '2024-09-29', 'legitimate_zero_debt'],
    ['ProceedsFromSaleOfAvailableForSaleSecuritiesDebt', '2025-01-01', '2025-09-30', 'legitimate_zero_debt'],
    ['InterestExpense', '2025-07-01', '2025-09-30', 'low_confidence_missing_debt'],
  ])('weighs %s of %s to %s: %s (M1.37)', (concept, start, end, coverage) => {
    const { filing } = issuerInputs({});
    const facts = [filedFact(filing, { concept, value: 500_000, start, end })];
    expect(resolve({ balance: lite, facts }).coverage).toBe(coverage);
  });
});
