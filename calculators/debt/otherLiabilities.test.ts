import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { factSheet } from '../filing/factSheet.ts';
import { amountOf } from './debtSides.ts';
import { directPrecedence } from './directDebt.ts';
import { closingLines } from './otherLiabilities.ts';

const parameters = registryParameters;
const { concepts } = parameters;
type Balance = Readonly<Record<string, number>>;
const sheetOf = (balance: Balance) => factSheet(issuerInputs({ balance }), '2026-02-07');

/** USD million. */
const cola = {
  LiabilitiesCurrent: 21_944,
  AccountsPayableAndAccruedLiabilitiesCurrent: 17_030,
  AccruedIncomeTaxesCurrent: 444,
  NotesAndLoansPayable: 4_379,
  CommercialPaper: 4_040,
  LongTermDebtAndCapitalLeaseObligationsCurrent: 91,
  LongTermDebtAndCapitalLeaseObligations: 44_976,
};
const united = {
  Liabilities: 195_687,
  LiabilitiesCurrent: 103_769,
  AccountsPayableAndAccruedLiabilitiesCurrent: 34_337,
  LiabilityForClaimsAndClaimsAdjustmentExpense: 34_224,
  DeferredRevenueCurrent: 3_317,
  OtherLiabilitiesCurrent: 27_346,
  DeferredIncomeTaxLiabilitiesNet: 3_620,
  OtherLiabilitiesNoncurrent: 15_939,
  DebtCurrent: 4_545,
  LongTermDebtNoncurrent: 72_359,
  DebtLongtermAndShorttermCombinedAmount: 76_180,
};

function total(balance: Balance): number | null {
  const found = directPrecedence(sheetOf(balance), parameters);
  return found === null ? null : amountOf(found.roots).toNumber();
}

describe('lines that add up to a filed total (M1.29c)', () => {
  it('an undivided line counts as current with which current liabilities close (KO 2025-06-27)', () => {
    expect(total(cola)).toBe(49_446);
  });

  it('without the total, or with one that does not close, the instruments count (KO 2025-06-27 changed)', () => {
    const { LiabilitiesCurrent, ...rest } = cola;
    expect(total(rest)).toBe(49_107);
    expect(total({ ...cola, LiabilitiesCurrent: LiabilitiesCurrent + 1 })).toBe(49_107);
  });

  it('a total that holds the noncurrent line or the maturities is no current line, close as it may', () => {
    const holder = { LongTermDebtNoncurrent: 50, LongTermDebtCurrent: 5, LongTermDebt: 40 };
    expect(total({ ...holder, LiabilitiesCurrent: 40 })).toBe(55);
    expect(total({ ...holder, LiabilitiesCurrent: 45 })).toBe(55);
    const notes = { LongTermNotesAndLoans: 50, LongTermDebtCurrent: 5, NotesAndLoansPayable: 40 };
    expect(total({ ...notes, LiabilitiesCurrent: 45 })).toBe(55);
  });

  it('two sides that close precede a combined total of the notes (UNH 2024-12-31)', () => {
    expect(total(united)).toBe(76_904);
    expect(total({ ...united, Liabilities: 195_688 })).toBe(76_180);
  });

  it('a part of accrued liabilities does not stand beside them (SNOW 2022-10-31, USD thousand)', () => {
    const sheet = sheetOf({
      Liabilities: 1_732_417,
      LiabilitiesCurrent: 1_479_042,
      AccountsPayableCurrent: 24_757,
      AccruedLiabilitiesCurrent: 225_321,
      EmployeeRelatedLiabilitiesCurrent: 109_406,
      TaxesPayableCurrent: 12_543,
      OtherAccruedLiabilitiesCurrent: 27_960,
      OperatingLeaseLiabilityCurrent: 29_263,
      ContractWithCustomerLiabilityCurrent: 1_199_701,
      OperatingLeaseLiabilityNoncurrent: 225_013,
      ContractWithCustomerLiabilityNoncurrent: 7_333,
      OtherLiabilitiesNoncurrent: 21_029,
    });
    expect(closingLines(sheet, { side: 'C', debt: ExactDecimal.zero, concepts })?.unnamed.toNumber()).toBe(0);
    expect(closingLines(sheet, { side: 'N', debt: ExactDecimal.zero, concepts })?.unnamed.toNumber()).toBe(
      21_029,
    );
  });

  it('more than twelve lines prove nothing', () => {
    const names = [
      'AccountsPayableAndAccruedLiabilitiesCurrent AccountsPayableCurrent AccountsPayableTradeCurrent',
      'AccruedLiabilitiesCurrent EmployeeRelatedLiabilitiesCurrent ContractWithCustomerLiabilityCurrent',
      'DeferredRevenueCurrent CustomerDepositsCurrent OperatingLeaseLiabilityCurrent TaxesPayableCurrent',
      'AccruedIncomeTaxesCurrent DividendsPayableCurrent DerivativeLiabilitiesCurrent',
    ].flatMap((row) => row.split(' '));
    const balance = (count: number) => ({
      LiabilitiesCurrent: count,
      ...Object.fromEntries(names.slice(0, count).map((name) => [name, 1])),
    });
    expect(
      closingLines(sheetOf(balance(12)), { side: 'C', debt: ExactDecimal.zero, concepts }),
    ).not.toBeNull();
    expect(closingLines(sheetOf(balance(13)), { side: 'C', debt: ExactDecimal.zero, concepts })).toBeNull();
  });

  it('whatever lines stand on the face are found, and a total one unit off never closes', () => {
    const names = ['AccountsPayableCurrent', 'AccruedLiabilitiesCurrent', 'DeferredRevenueCurrent'];
    const amounts = fc.array(fc.integer({ min: 1_000, max: 9_000_000 }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(amounts, fc.nat(7), fc.nat(500), (values, mask, debt) => {
        const lines = names.map((name, i): [string, number] => [name, values[i] ?? 1]);
        const onFace = lines.filter((_, i) => (mask & (1 << i)) !== 0).map(([, value]) => value);
        const sum = onFace.reduce((a, b) => a + b, debt);
        const closes = (LiabilitiesCurrent: number) =>
          closingLines(sheetOf({ ...Object.fromEntries(lines), LiabilitiesCurrent }), {
            side: 'C',
            debt: ExactDecimal.parse(String(debt)),
            concepts,
          }) !== null;
        fc.pre(sum > 0);
        const sums = Array.from({ length: 8 }, (_, set) =>
          values.filter((_, i) => (set & (1 << i)) !== 0).reduce((a, b) => a + b, debt),
        );
        expect(closes(sum)).toBe(true);
        expect(closes(sum + 1)).toBe(sums.includes(sum + 1));
      }),
    );
  });
});

describe('lines beside others that may hold them (M1.29d)', () => {
  const [AccountsPayableCurrent, LongTermNotesPayable] = [10, 60];
  it.each([
    [
      'of the current liabilities',
      { NotesPayableCurrent: 60, ConvertibleNotesPayableCurrent: 40 },
      'LiabilitiesCurrent',
    ],
    [
      'of related parties',
      { NotesPayableCurrent: 60, NotesPayableRelatedPartiesClassifiedCurrent: 40 },
      'Liabilities',
    ],
    ['undivided', { NotesPayable: 60, ConvertibleNotesPayable: 40 }, 'Liabilities'],
    ['that may be principal', { LoansPayable: 60, ConvertibleNotesPayable: 40 }, 'Liabilities'],
    ['undivided beside a long-term line', { LineOfCredit: 30, LongTermDebtNoncurrent: 70 }, 'Liabilities'],
  ] as const)('%s count where the filed total closes with them alone', (_, debt, of) => {
    const face = { AccountsPayableCurrent, ...debt };
    const [largest = 0] = Object.values(debt).toSorted((a, b) => b - a);
    expect(total({ ...face, [of]: 110 })).toBe(100);
    expect(total({ ...face, [of]: 111 })).not.toBe(100);
    expect(total({ ...face, [of]: 10 + largest })).not.toBe(100);
  });

  it('of both sides count together', () => {
    const debt = {
      NotesPayableCurrent: 6,
      ConvertibleNotesPayableCurrent: 4,
      ConvertibleLongTermNotesPayable: 40,
    };
    const face = {
      AccountsPayableCurrent,
      ...debt,
      LongTermNotesPayable,
      Liabilities: 120,
      LiabilitiesCurrent: 20,
    };
    expect(total(face)).toBe(110);
  });

  it('do not count where two choices close, hold a counted line, or equal one', () => {
    const two = { NotesPayableCurrent: 60, SeniorNotesCurrent: 40, ConvertibleNotesPayableCurrent: 30 };
    expect(total({ ...two, AccountsPayableCurrent, LiabilitiesCurrent: 110 })).toBe(100);
    expect(
      total({ ...two, AccountsPayableCurrent, AccruedLiabilitiesCurrent: 10, LiabilitiesCurrent: 110 }),
    ).toBe(60);
    expect(
      total({ AccountsPayableCurrent, LoansPayableCurrent: 60, LoansPayable: 70, Liabilities: 140 }),
    ).toBe(60);
    expect(
      total({ AccountsPayableCurrent, NotesPayableCurrent: 60, SeniorNotesCurrent: 60, Liabilities: 130 }),
    ).toBe(60);
  });
});

describe('short-term lines beside other figures', () => {
  it('commercial paper counts beside LongTermDebt alone (M1.29b: AAPL 2014-09-27, USD million)', () => {
    expect(total({ LongTermDebt: 28_987, CommercialPaper: 6_308 })).toBe(35_295);
    expect(total({ LongTermDebt: 28_987, CommercialPaper: 6_308, ShortTermBorrowings: 6_400 })).toBe(35_387);
  });

  it('finance leases come off both parts of a total that includes them (M1.20b: WM 2025-12-31, USD million)', () => {
    const waste = {
      DebtCurrent: 711,
      LongTermDebtAndCapitalLeaseObligations: 22_196,
      FinanceLeaseLiabilityCurrent: 86,
      FinanceLeaseLiabilityNoncurrent: 477,
    };
    expect(total({ ...waste, DebtAndCapitalLeaseObligations: 22_907 })).toBe(22_344);
    expect(total(waste)).toBe(22_430);
    expect(total({ ...waste, DebtAndCapitalLeaseObligations: 22_900 })).toBe(22_430);
  });
});
