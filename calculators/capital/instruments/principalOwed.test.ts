import { describe, expect, it } from 'vitest';
import { debtOf, instrumentsOf } from '../../../fixtures/builders/debtTables.ts';
import { loanFact } from '../../../fixtures/builders/facilityTables.ts';
import type { InstanceFact } from '../../filing/xbrlFiling.ts';
import type { Instruments } from '../parts.ts';

const period = '2025-09-30';

type Amount = Omit<Parameters<typeof loanFact>[0], 'end' | 'members'> & { readonly on?: string };

/** A fact on a member of the debt axis; members apart by `+`, undimensioned without one. */
function fact({ concept, on, ...more }: Amount): InstanceFact {
  const axis = (member: string) =>
    member.includes('=') ? member : `us-gaap:DebtInstrumentAxis=own:${member}Member`;
  const name = concept.includes(':') ? concept : `us-gaap:${concept}`;
  return loanFact({ concept: name, end: period, members: on?.split('+').map(axis) ?? [], ...more });
}

function instruments(
  facts: readonly InstanceFact[],
  { debt = '', lines = '' }: { debt?: string; lines?: string } = {},
): Instruments {
  const balance = fact({ concept: 'Assets', value: '1000000' });
  return instrumentsOf(
    {
      ...{ stem: '', ticker: 'OWN', cik: '0000000001', accession: '' },
      ...{ period, filed: '2025-11-01', fiscalYearStart: '2025-01-01', asset: 'BTC' },
      debt: debtOf({ total: debt, lines }),
    },
    { facts: [balance, ...facts], terms: [] },
  );
}

const brief = ({ found }: Instruments) =>
  found.map(({ name, principal }) =>
    principal.value === null
      ? `${name} ${principal.reason}`
      : `${name} ${principal.value} ${principal.status}`,
  );

describe('a principal by names, signs and scales', () => {
  const carrying = fact({ concept: 'LongTermDebt', value: '480', on: 'AlphaNotes' });
  const told = (concept: string, value: string, more: readonly InstanceFact[] = []) =>
    brief(instruments([carrying, fact({ concept, value, on: 'AlphaNotes' }), ...more])).join();
  const cost = (concept: string, value: string) => [fact({ concept, value, on: 'AlphaNotes' })];

  it.each([
    ['own:ConvertibleSeniorNotesAggregatePrincipalAmount', 'Alpha Notes 500 proven'],
    ['own:ConvertedPrincipalAmountOutstanding', 'Alpha Notes 480 stated'],
    ['own:AggregatePrincipalAmountOfOptionToPurchaseNotes', 'Alpha Notes 480 stated'],
    ['own:AdditionalAggregatePrincipalAmountAvailable', 'Alpha Notes 480 stated'],
  ])('named %s is %s', (concept, expected) => {
    expect(told(concept, '500', cost('UnamortizedDebtIssuanceExpense', '20'))).toBe(expected);
  });

  it.each([
    ['DebtInstrumentUnamortizedDiscountPremiumNet', '-20'],
    ['DeferredFinanceCostsNoncurrentNet', '20'],
  ])('is proven by what closes, %s of %s', (concept, value) => {
    expect(told('DebtInstrumentFaceAmount', '500', cost(concept, value))).toBe('Alpha Notes 500 proven');
  });

  it.each(['0.5', '500000'])('is carried as what a face of %s means, and never that face', (value) => {
    expect(told('DebtInstrumentFaceAmount', value)).toBe('Alpha Notes 480 stated');
    expect(told('DebtInstrumentFaceAmount', value, cost('own:OutstandingPrincipal', '500'))).toBe(
      'Alpha Notes 500 proven',
    );
  });

  it('is the ladder of its own years, of net rows a little above them (CLSK 2024: 2,000 K of 1,973 K)', () => {
    const due = (year: string, value: string) =>
      fact({
        ...{ concept: 'own:PrincipalAmountOfLoanPayments', value, start: '2025-01-01' },
        on: `own:LoanMaturitiesAxis=own:${year}Member+AlphaLoan`,
      });
    const row = (on: string | undefined, value: string) =>
      fact({ concept: 'DebtInstrumentCarryingAmount', value, ...(on === undefined ? {} : { on }) });
    const rows = [row('AlphaLoan', '1973'), row('BetaLoan', '900'), row(undefined, '2873')];
    expect(brief(instruments([...rows, due('Fy2026', '1500'), due('Fy2027', '500')]))).toEqual([
      'Alpha Loan 2000 stated',
      'Beta Loan 900 stated',
    ]);
  });

  it('is its first face less what was converted, where that leaves what is carried and its cost', () => {
    const converted = (value: string) =>
      fact({
        ...{ concept: 'DebtConversionOriginalDebtAmount1', value },
        ...{ start: '2025-01-01', on: 'AlphaNotes' },
      });
    const costs = cost('UnamortizedDebtIssuanceExpense', '20');
    expect(told('DebtInstrumentFaceAmount', '900', [...costs, converted('400')])).toBe(
      'Alpha Notes 500 proven',
    );
    expect(told('DebtInstrumentFaceAmount', '500', [...costs, converted('400')])).toBe(
      'Alpha Notes 500 proven',
    );
    expect(told('DebtInstrumentFaceAmount', '900', [converted('420')])).toBe('Alpha Notes 480 stated');
  });

  it('is what a line carries where a face alone is far more: a limit, or what was first lent', () => {
    const line = { debt: '480', lines: 'us-gaap:LongTermDebt=480' };
    const ask = (value: string, more: readonly InstanceFact[] = []) =>
      instruments(
        [carrying, fact({ concept: 'DebtInstrumentFaceAmount', value, on: 'AlphaNotes' }), ...more],
        line,
      );
    expect(brief(ask('2000'))).toEqual(['Alpha Notes 480 stated']);
    expect(ask('2000').stack.principal?.toString()).toBe('480');
    expect(ask('2000').found.map(({ faceAmount, notes }) => [String(faceAmount.value), notes])).toEqual([
      ['2000', ['carrying_far_below']],
    ]);
    expect(brief(ask('600'))).toEqual(['Alpha Notes 600 stated']);
    const whole = fact({ concept: 'UnamortizedDebtIssuanceExpense', value: '1520' });
    expect(brief(ask('2000', [whole]))).toEqual(['Alpha Notes 2000 stated']);
    const fair = fact({ concept: 'DebtInstrumentFairValue', value: '480', on: 'AlphaNotes' });
    expect(brief(ask('2000', [fair]))).toEqual(['Alpha Notes 2000 stated']);
  });

  it('is of a line what it makes with the cost of the entity (DFDV 2025-06-30: 21,210 and 7,692 K)', () => {
    const whole = (concept: string, value: string) => fact({ concept, value });
    const line = { debt: '21210', lines: 'us-gaap:LongTermDebtNoncurrent=21210' };
    const facts = [
      whole('LongTermDebtNoncurrent', '21210'),
      whole('DebtInstrumentUnamortizedDiscountPremiumAndDebtIssuanceCostsNet', '7692'),
    ];
    const gross = whole('ConvertibleLongTermNotesPayable', '28902');
    expect(brief(instruments([...facts, gross], line))).toEqual(['Long Term Debt Noncurrent 28902 proven']);
    expect(brief(instruments(facts, line))).toEqual(['Long Term Debt Noncurrent 21210 stated']);
  });
});

describe('two notes of one principal', () => {
  const pair = (a: string, b: string, carried: readonly [string, string]) => [
    fact({ concept: 'DebtInstrumentFaceAmount', value: '500', on: a }),
    fact({ concept: 'LongTermDebt', value: carried[0], on: a }),
    fact({ concept: 'own:OutstandingPrincipal', value: '500', on: b }),
    fact({ concept: 'LoansPayable', value: carried[1], on: b }),
  ];
  const count = (facts: readonly InstanceFact[], debt = '') =>
    instruments(facts, debt === '' ? {} : { debt, lines: `us-gaap:LongTermDebt=${debt}` }).found.length;

  it('are two where they are carried at different amounts, or add up to a line (M18.14)', () => {
    const [a, b] = ['AlphaSecuredLoan', 'BetaSecuredLoan'];
    expect(count(pair(a, b, ['500', '500']))).toBe(1);
    expect(count(pair(a, b, ['480', '490']))).toBe(2);
    expect(count(pair(a, b, ['500', '500']), '1000')).toBe(2);
  });

  it('are known by years behind the letter that digits need (A2029Notes)', () => {
    expect(count(pair('A2029SecuredNotes', 'A2031SecuredNotes', ['500', '500']))).toBe(2);
    expect(count(pair('A2029SecuredNotes', 'SecuredNotesDueTwentyTwentyNine', ['500', '500']))).toBe(1);
  });
});
