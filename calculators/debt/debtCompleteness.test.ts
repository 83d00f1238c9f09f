import { describe, expect, it } from 'vitest';
import { debtOfFacts as resolve } from '../../fixtures/builders/debtOfFacts.ts';
import { filedFact, issuerInputs } from '../../fixtures/builders/issuerInputs.ts';

function amounts(input: Parameters<typeof resolve>[0]) {
  const { current, noncurrent, coverage, notes } = resolve(input);
  return { current: current.toNumber(), noncurrent: noncurrent.toNumber(), coverage, notes };
}

const k = 1000;

describe('completeness of a total (M1.37b)', () => {
  const { filing } = issuerInputs({});
  const balance = { Assets: 1_000 * k, Liabilities: 500 * k, NotesPayableCurrent: 100 * k };
  const interest = (value: number, start: string, end?: string) =>
    filedFact(filing, { concept: 'InterestExpense', value, start, ...(end === undefined ? {} : { end }) });

  it.each([
    // 91 and 92 days
    ['a quarter that implies 16 %', [interest(4_033, '2025-07-01')], 'low_confidence_missing_debt'],
    ['a quarter that implies 14 %', [interest(3_528, '2025-07-01')], 'resolved_nonzero'],
    [
      'the longest period, not a quarter in it',
      [interest(4_033, '2025-07-01'), interest(9_000, '2025-01-01')],
      'resolved_nonzero',
    ],
    ['interest of another quarter', [interest(40_000, '2025-04-01', '2025-06-30')], 'resolved_nonzero'],
    ['a period too short to say anything', [interest(40_000, '2025-09-01')], 'resolved_nonzero'],
  ])('%s', (_, facts, coverage) => {
    const found = resolve({ balance, facts });
    expect(found).toMatchObject({ coverage });
    // what was found stays as its proven part
    expect(found.total.toNumber()).toBe(100 * k);
    expect(found.notes.some((note) => note.startsWith('implied_interest:'))).toBe(
      coverage === 'low_confidence_missing_debt',
    );
  });

  it('interest on long-term debt without a long-term line is the same finding', () => {
    const facts = [
      filedFact(filing, { concept: 'InterestExpenseLongTermDebt', value: 9, start: '2025-07-01' }),
    ];
    expect(resolve({ balance, facts }).coverage).toBe('low_confidence_missing_debt');
    expect(resolve({ balance: { ...balance, LongTermDebtNoncurrent: 9 }, facts }).coverage).toBe(
      'resolved_nonzero',
    );
  });
});

describe('rival totals', () => {
  it('grades down when a second admissible total is more than 5 % away (M1.36)', () => {
    const found = resolve({ LongTermDebtNoncurrent: 100, LongTermDebtCurrent: 10, LongTermDebt: 150 });
    expect(found).toMatchObject({
      disagreement: true,
      identitiesConsistent: false,
      notes: ['debt_candidates_disagree:110/150'],
    });
  });

  it('does not take one instrument for a total below its own part (RIOT 2025-09-30)', () => {
    expect(
      resolve({
        LongTermDebt: 5_323 * k,
        LongTermDebtNoncurrent: 586_501 * k,
        LongTermDebtCurrent: 253_243 * k,
      }),
    ).toMatchObject({ disagreement: false, identitiesConsistent: true });
  });

  it('lets confirmed balance-sheet figures stand against principal tagged as carrying (MSFT 2025-09-30)', () => {
    const figures = { LongTermDebtNoncurrent: 35_376, LongTermDebtCurrent: 7_832, LongTermDebt: 43_208 };
    expect(resolve({ ...figures, DebtInstrumentCarryingAmount: 49_208 }).disagreement).toBe(false);
  });

  it('blocks a total above liabilities (M1.35, M15.13)', () => {
    expect(amounts({ NotesPayableCurrent: 1_002, Liabilities: 1_000 })).toEqual({
      current: 0,
      noncurrent: 0,
      coverage: 'low_confidence_missing_debt',
      notes: ['debt_exceeds_liabilities'],
    });
    expect(amounts({ NotesPayableCurrent: 1_001, Liabilities: 1_000 }).current).toBe(1_001);
  });

  it('notes principal well above carrying without counting it (M1.5, M1.6)', () => {
    const convertible = { ConvertibleLongTermNotesPayable: 486_366 * k };
    expect(resolve({ ...convertible, DebtInstrumentFaceAmount: 650_000 * k })).toMatchObject({
      notes: ['carrying_below_principal'],
    });
    // T18: an 800 M note whose face is tagged 800.0
    expect(resolve({ ...convertible, DebtInstrumentFaceAmount: '800.0' }).notes).toEqual([]);
  });
});
