import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { instrument, instruments } from '../../../fixtures/builders/capitalParts.ts';
import { loanFact } from '../../../fixtures/builders/facilityTables.ts';
import { registryParameters } from '../../../fixtures/builders/registryParameters.ts';
import { statedFacts } from '../../crypto/statedFacts.ts';
import type { InstanceFact } from '../../filing/xbrlFiling.ts';
import type { Instruments, Maturities } from '../parts.ts';
import { resolveMaturities } from './resolveMaturities.ts';

const principal = 'us-gaap:LongTermDebtMaturitiesRepaymentsOfPrincipal';
const none = instruments([], { status: 'debt_not_itemised' });

function thousands(
  end: string,
  rows: Readonly<Record<string, number | string>>,
  members: readonly string[] = [],
): InstanceFact[] {
  return Object.entries(rows).map(([name, value]) =>
    loanFact({
      concept: name.includes(':') ? name : `${principal}${name}`,
      value: `${value}000`,
      decimals: -3,
      end,
      members,
    }),
  );
}

function of(
  facts: readonly InstanceFact[],
  {
    period,
    fiscalYearEnd = '1231',
    debt = null,
    found = none,
  }: { period: string; fiscalYearEnd?: string | null; debt?: string | null; found?: Instruments },
): Maturities {
  return resolveMaturities({
    period,
    fiscalYearEnd,
    facts: statedFacts(facts, registryParameters.concepts),
    nil: facts.filter(({ value }) => value === null),
    instruments: found,
    debt: debt === null ? null : ExactDecimal.parse(debt),
  });
}

const intervals = ({ buckets }: Maturities) =>
  buckets
    .filter(({ instrumentId }) => instrumentId === null)
    .map(({ id, start, end, amount }) => `${id} ${start}/${end ?? ''} ${amount}`);

/** RIOT 0001104659-25-104466: the ladder of one acquired note. */
const riot = thousands('2025-09-30', {
  RemainderOfFiscalYear: 314,
  InNextTwelveMonths: 343,
  InYearTwo: 373,
  InYearThree: 405,
  InYearFour: 443,
  'riot:LongTermDebtMaturityAfterYearFour': 3445,
  'us-gaap:LongTermDebt': 5323,
});

/** MSTR 0000950170-24-051230: rolling years of a 10-Q, with a total of the filer's own. */
const mstr = thousands('2024-03-31', {
  InNextTwelveMonths: 547,
  InYearTwo: 1_150_577,
  InYearThree: 1_050_608,
  InYearFour: 8_477,
  InYearFive: 1_403_750,
  AfterYearFive: 0,
  'mstr:LongTermDebtMaturitiesRepaymentsDue': 3_613_959,
});

/** TSLA 0001628280-25-003063, in millions. */
const tsla = thousands('2024-12-31', {
  InNextTwelveMonths: '2353000',
  InYearTwo: '4116000',
  InYearThree: '699000',
  InYearFour: '243000',
  InYearFive: '95000',
  AfterYearFive: '401000',
  'us-gaap:DebtInstrumentCarryingAmount': '7907000',
});

/** CLSK 0000000000-25-018662: one principal over a year axis. */
const clskOn = (axis: string, total = '835143000') => [
  ...Object.entries({
    Fy2025: 174_964,
    Fy2026: 1_945,
    Fy2027: 1_496,
    Fy2028: 1_393,
    Fy2029: 3_681,
    Thereafter: 651_664,
  }).map(([year, value]) =>
    loanFact({
      concept: 'clsk:PrincipalAmountOfLoanPayments',
      value: `${value}000`,
      decimals: -3,
      start: '2024-10-01',
      end: '2025-06-30',
      members: [`clsk:${axis}=clsk:${year}Member`],
    }),
  ),
  loanFact({
    concept: 'clsk:PrincipalAmountOfLoanPayments',
    value: total,
    decimals: -3,
    start: '2024-10-01',
    end: '2025-06-30',
  }),
  ...thousands('2025-06-30', { 'clsk:GrossLoanOutstanding': 14_806 }),
];
const clsk = clskOn('LoanMaturitiesAxis');

it('takes the principals that tie to D for the total of a ladder that states none (M18.32)', () => {
  const facts = thousands('2025-06-30', { InNextTwelveMonths: 0, InYearTwo: 100, InYearThree: 0 });
  const note = instrument({ id: 'n', principal: '100000', carrying: '97000', unamortized: '3000' });
  const ask = (principal: string) =>
    of(facts, {
      ...{ period: '2025-06-30', debt: '97000' },
      found: instruments([note], { principal: ExactDecimal.parse(principal) }),
    });
  expect([ask('100000').status, ask('100000').notes]).toEqual(['proven', []]);
  expect(ask('104000').notes).toEqual(['ladder_total_not_agreed']);
});

describe('intervals of a ladder (M18.31)', () => {
  it('are fiscal years beside a remainder, and "next twelve months" is the first whole one (RIOT 2025-09-30)', () => {
    expect(intervals(of(riot, { period: '2025-09-30', debt: '839744000' }))).toEqual([
      'remainder 2025-10-01/2025-12-31 314000',
      'year_1 2026-01-01/2026-12-31 343000',
      'year_2 2027-01-01/2027-12-31 373000',
      'year_3 2028-01-01/2028-12-31 405000',
      'year_4 2029-01-01/2029-12-31 443000',
      'after 2030-01-01/ 3445000',
    ]);
  });

  it('are read from a year axis that names no debt only where its years add up to the amount without it', () => {
    const ladder = (axis: string, total?: string) =>
      intervals(of(clskOn(axis, total), { period: '2025-06-30' }));
    expect(ladder('MaturityPeriodAxis')).toEqual(intervals(of(clsk, { period: '2025-06-30' })));
    expect(ladder('MaturityPeriodAxis')).toHaveLength(6);
    expect(ladder('MaturityPeriodAxis', '835153000')).toEqual([]);
    expect(ladder('LoanMaturitiesAxis', '835153000')).toHaveLength(6);
  });

  it('begin with year two where the remainder stands for year one', () => {
    const facts = thousands('2025-09-30', { RemainderOfFiscalYear: 1, InYearTwo: 2, AfterYearTwo: 3 });
    expect(intervals(of(facts, { period: '2025-09-30' }))).toEqual([
      'remainder 2025-10-01/2025-12-31 1000',
      'year_2 2026-01-01/2026-12-31 2000',
      'after 2027-01-01/ 3000',
    ]);
  });

  it('run from the period end without a remainder (MSTR 2024-03-31), and are fiscal at a year end (TSLA 2024)', () => {
    const rolling = of(mstr, { period: '2024-03-31', debt: '3559293000' });
    expect(rolling.basis).toBe('rolling_years');
    expect(intervals(rolling)[1]).toBe('year_2 2025-04-01/2026-03-31 1150577000');
    const fiscal = of(tsla, { period: '2024-12-31', debt: '7878000000' });
    expect(fiscal.basis).toBe('fiscal_years');
    expect(intervals(fiscal)[0]).toBe('year_1 2025-01-01/2025-12-31 2353000000');
  });

  it('read a nil remainder as fiscal years', () => {
    const nil = {
      ...loanFact({ concept: `${principal}RemainderOfFiscalYear`, value: '0', end: '2025-09-30' }),
    };
    const facts = [
      { ...nil, value: null },
      ...thousands('2025-09-30', { InNextTwelveMonths: 1, InYearTwo: 2 }),
    ];
    expect(intervals(of(facts, { period: '2025-09-30' }))[0]).toBe('year_1 2026-01-01/2026-12-31 1000');
  });

  it('are the fiscal years a year axis names, the running one to its end (CLSK 2025-06-30)', () => {
    const ladder = of(clsk, { period: '2025-06-30', fiscalYearEnd: '0930', debt: '820337000' });
    expect(intervals(ladder)).toEqual([
      'fy_2025 2025-07-01/2025-09-30 174964000',
      'fy_2026 2025-10-01/2026-09-30 1945000',
      'fy_2027 2026-10-01/2027-09-30 1496000',
      'fy_2028 2027-10-01/2028-09-30 1393000',
      'fy_2029 2028-10-01/2029-09-30 3681000',
      'after 2029-10-01/ 651664000',
    ]);
  });

  it('know rolling names, and a year of 52 weeks that ends some days before the day named', () => {
    const facts = thousands('2025-09-28', {
      InNextRollingTwelveMonths: 1,
      InRollingYearTwo: 2,
      InRollingAfterYearFive: 3,
    });
    const ladder = of(facts, { period: '2025-09-28', fiscalYearEnd: '0930' });
    expect(intervals(ladder)).toEqual([
      'year_1 2025-09-29/2026-09-28 1000',
      'year_2 2026-09-29/2027-09-28 2000',
      'after 2030-09-29/ 3000',
    ]);
  });

  it('are not known beside a remainder without a fiscal year end', () => {
    const ladder = of(riot, { period: '2025-09-30', fiscalYearEnd: null, debt: '839744000' });
    expect([ladder.status, ladder.notes]).toEqual(['unproven', ['fiscal_year_end_not_filed']]);
  });
});

describe('names that are no part of a ladder (M18.30)', () => {
  it.each([
    'amzn:LongTermDebtMaturitiesRepaymentsOfPrincipalAndInterestInYearTwo',
    'us-gaap:LesseeOperatingLeaseLiabilityPaymentsDueYearTwo',
    'us-gaap:FederalHomeLoanBankAdvancesMaturitiesSummaryDueInNextTwelveMonths',
    'us-gaap:PurchaseObligationDueInSecondYear',
  ])('%s', (concept) => {
    const facts = [loanFact({ concept, value: '5', end: '2024-12-31' })];
    expect(of(facts, { period: '2024-12-31' }).buckets).toEqual([]);
  });

  it('are a class of debt and another currency', () => {
    const recourse = ['us-gaap:LongtermDebtTypeAxis=us-gaap:RecourseMember'];
    const facts = [
      ...tsla,
      ...thousands('2024-12-31', { InYearTwo: 7 }, recourse),
      loanFact({ concept: `${principal}InYearTwo`, value: '5', unit: 'CNY', end: '2024-12-31' }),
    ];
    const ladder = of(facts, { period: '2024-12-31', debt: '7878000000' });
    expect(ladder.buckets.every(({ instrumentId }) => instrumentId === null)).toBe(true);
    expect(intervals(ladder)[1]).toBe('year_2 2026-01-01/2026-12-31 4116000000');
  });
});

describe('status of a ladder (M18.33)', () => {
  const row = ({ status, total, gap, coverageOfDebt }: Maturities) =>
    `${status} ${total} ${gap} ${coverageOfDebt}`;

  it('is proven where the gap to D is the unamortized cost of its notes (MSTR 2024: 54,498 of 54,666)', () => {
    const costs = { n25: '5302000', n27: '11684000', n30: '17752000', n31: '11382000', s28: '8378000' };
    const found = Object.entries(costs).map(([id, unamortized]) => instrument({ id, unamortized }));
    const ladder = of(mstr, { period: '2024-03-31', debt: '3559293000', found: instruments(found) });
    expect(row(ladder)).toBe('proven 3613959000 54666000 1');
  });

  it('is proven where one fact of the whole entity is the gap (CLSK GrossLoanOutstanding 14,806)', () => {
    const ladder = of(clsk, { period: '2025-06-30', fiscalYearEnd: '0930', debt: '820337000' });
    expect(row(ladder)).toBe('proven 835143000 14806000 1');
  });

  it('is not proven by a number of three digits: 29 M of issuance costs paid (TSLA 2024)', () => {
    const equal = thousands('2024-12-31', { 'us-gaap:SomethingElse': '29000' });
    const ladder = of([...tsla, ...equal], { period: '2024-12-31', debt: '7878000000' });
    expect(row(ladder)).toBe('supported 7907000000 29000000 1');
  });

  it('is partial below nine tenths of D (RIOT 2025-09-30)', () => {
    expect(row(of(riot, { period: '2025-09-30', debt: '839744000' }))).toBe(
      'partial 5323000 -834421000 0.006339',
    );
  });

  it('is unproven without a proven D, where its total is another number, and of one bucket for all years', () => {
    expect(of(riot, { period: '2025-09-30' }).status).toBe('unproven');
    const other = thousands('2024-03-31', { 'mstr:LongTermDebtMaturitiesRepaymentsDue': 1 });
    const wrong = of([...mstr.slice(0, -1), ...other], { period: '2024-03-31', debt: '3559293000' });
    expect([wrong.status, wrong.notes]).toEqual(['unproven', ['ladder_total_not_agreed']]);
    const open = thousands('2025-09-30', {
      'dfdv:LongTermDebtMaturitiesRepaymentsOfPrincipalInYearOneAndAfterYearOne': 140_347,
    });
    const dfdv = of(open, { period: '2025-09-30', debt: '202042000' });
    expect([dfdv.status, String(dfdv.total), dfdv.buckets, dfdv.wall]).toEqual([
      'unproven',
      '140347000',
      [],
      [],
    ]);
  });

  it('is null where no ladder is filed', () => {
    const ladder = of([], { period: '2025-09-30', debt: '5' });
    expect([ladder.status, ladder.reason, ladder.wall]).toEqual([null, 'not_filed', []]);
  });
});

describe('interest inside a ladder (M18.34)', () => {
  /** MSTR 0001564590-21-021949. */
  const facts = [
    ...thousands('2021-03-31', {
      InNextTwelveMonths: 4_740,
      InYearTwo: 4_875,
      InYearThree: 4_875,
      InYearFour: 4_875,
      InYearFive: 655_078,
      AfterYearFive: 1_050_000,
      'us-gaap:LongTermDebt': 1_724_443,
    }),
  ];
  const notes = (maturity: string | null) =>
    instruments(
      [
        instrument({ id: 'n25', principal: '650000000', coupon: '0.0075', maturity }),
        instrument({ id: 'n27', principal: '1050000000', coupon: '0', maturity: '2027-02-15' }),
      ],
      { status: 'ties', principal: ExactDecimal.parse('1700000000') },
    );

  it('is what the total is above the principals where coupons to maturity make it up (MSTR 2021-03-31: 24,443)', () => {
    const ladder = of(facts, { period: '2021-03-31', debt: '1661914000', found: notes('2025-12-15') });
    expect([ladder.status, String(ladder.interestInLadder)]).toEqual(['includes_interest', '24443000']);
    expect(ladder.wall.map(({ kind, date }) => `${kind} ${date}`)).toEqual([
      'maturity 2025-12-15',
      'maturity 2027-02-15',
    ]);
  });

  it('is known without a maturity where buckets of the note are a coupon to the digit', () => {
    const own = thousands(
      '2021-03-31',
      {
        InNextTwelveMonths: 4_740,
        InYearTwo: 4_875,
        InYearThree: 4_875,
        InYearFour: 4_875,
        InYearFive: 655_078,
      },
      ['us-gaap:LongtermDebtTypeAxis=test:n25Member'],
    );
    const ladder = of([...facts, ...own], { period: '2021-03-31', debt: '1661914000', found: notes(null) });
    expect(ladder.status).toBe('includes_interest');
  });

  it('is none where principals do not tie to D', () => {
    const loose = { ...notes('2025-12-15'), stack: none.stack };
    expect(of(facts, { period: '2021-03-31', debt: '1661914000', found: loose }).status).toBe('unproven');
  });
});

describe('the wall (M18.35)', () => {
  const dated = instrument({
    id: 'n28',
    principal: '500000000',
    maturity: '2028-06-15',
    springingMaturityDate: { value: '2025-09-15', status: 'stated', basis: 'filed_date', facts: [] },
  });

  it('has buckets or dates, never both, and springing dates beside them', () => {
    const bars = (debt: string | null) =>
      of(tsla, { period: '2024-12-31', debt, found: instruments([dated]) }).wall.map(
        ({ kind, date }) => `${kind} ${date}`,
      );
    expect(bars('7878000000')).toContain('springing 2025-09-15');
    expect(bars('7878000000')).not.toContain('maturity 2028-06-15');
    expect(bars(null)).toEqual(['springing 2025-09-15', 'maturity 2028-06-15']);
  });

  it('says of a bucket before the filed maturity that it speaks of an earlier date (M18.36)', () => {
    const own = thousands('2024-12-31', { InYearTwo: 500_000 }, [
      'us-gaap:DebtInstrumentAxis=test:n28Member',
    ]);
    const ladder = of([...tsla, ...own], { period: '2024-12-31', found: instruments([dated]) });
    expect(ladder.notes).toEqual(['bucket_unallocated:3616000000', 'bucket_before_maturity:n28']);
  });
});
