import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { debtOf, instrumentsOf } from '../../../fixtures/builders/debtTables.ts';
import { loanFact } from '../../../fixtures/builders/facilityTables.ts';
import type { InstanceFact, TermFact } from '../../filing/xbrlFiling.ts';
import type { Instrument, Instruments } from '../parts.ts';

const period = '2025-09-30';

type Amount = Omit<Parameters<typeof loanFact>[0], 'end' | 'members'> & {
  readonly end?: string;
  readonly on?: string;
};

/** A fact on a member of the debt axis; members apart by `+`, undimensioned without one. */
function fact({ concept, on, end = period, ...more }: Amount): InstanceFact {
  const members = on === undefined ? [] : on.split('+').map(memberOf);
  return loanFact({ concept: qname(concept), end, members, ...more });
}

function memberOf(member: string): string {
  if (member.includes('=')) return member;
  const name = member.includes(':') ? member : `own:${member}`;
  return `us-gaap:DebtInstrumentAxis=${name}Member`;
}

function qname(concept: string): string {
  return concept.includes(':') ? concept : `us-gaap:${concept}`;
}

function term(
  concept: string,
  value: string,
  { on, start = null, end = period }: { on: string; start?: string | null; end?: string },
): TermFact {
  const { dimensions, contextId } = fact({ concept, value: '0', on });
  return { concept: qname(concept), contextId, value, start, end, dimensions };
}

function instruments(
  facts: readonly InstanceFact[],
  { debt = '', lines = '', terms = [] }: { debt?: string; lines?: string; terms?: readonly TermFact[] } = {},
): Instruments {
  const balance = fact({ concept: 'Assets', value: '1000000' });
  return instrumentsOf(
    {
      ...{ stem: '', ticker: 'OWN', cik: '0000000001', accession: '' },
      ...{ period, filed: '2025-11-01', fiscalYearStart: '2025-01-01', asset: 'BTC' },
      debt: debtOf({ total: debt, lines }),
    },
    { facts: [balance, ...facts], terms },
  );
}

const brief = ({ found }: Instruments) =>
  found.map(({ name, state, principal }) =>
    [
      name,
      state,
      principal.value ?? (principal.value === null ? principal.reason : ''),
      principal.value === null ? '' : principal.status,
    ]
      .join(' ')
      .trim(),
  );

function only({ found }: Instruments): Instrument {
  const [one] = found;
  if (one === undefined || found.length !== 1) throw new Error(`${found.length} instruments`);
  return one;
}

describe('a principal', () => {
  const face = fact({ concept: 'DebtInstrumentFaceAmount', value: '500', on: 'AlphaNotes' });
  const carrying = fact({ concept: 'LongTermDebt', value: '480', on: 'AlphaNotes' });

  it('is proven where the carrying amount and its cost make it up', () => {
    const cost = fact({ concept: 'UnamortizedDebtIssuanceExpense', value: '20', on: 'AlphaNotes' });
    expect(brief(instruments([face, carrying, cost]))).toEqual(['Alpha Notes outstanding 500 proven']);
  });

  it('is stated where the cost does not close', () => {
    const cost = fact({ concept: 'UnamortizedDebtIssuanceExpense', value: '5', on: 'AlphaNotes' });
    expect(brief(instruments([face, carrying, cost]))).toEqual(['Alpha Notes outstanding 500 stated']);
  });

  it('is proven by no figures so rounded that all agree', () => {
    const rough = [
      fact({ concept: 'DebtInstrumentFaceAmount', value: '500', decimals: -2, on: 'AlphaNotes' }),
      fact({ concept: 'LongTermDebt', value: '400', decimals: -2, on: 'AlphaNotes' }),
      fact({ concept: 'UnamortizedDebtIssuanceExpense', value: '0', decimals: -2, on: 'AlphaNotes' }),
    ];
    expect(brief(instruments(rough))).toEqual(['Alpha Notes outstanding 500 stated']);
  });

  it('is none where two sources disagree and neither is proven', () => {
    const named = fact({ concept: 'own:OutstandingPrincipal', value: '600', on: 'AlphaNotes' });
    expect(brief(instruments([face, named, carrying]))).toEqual(['Alpha Notes outstanding conflict']);
    expect(only(instruments([face, named, carrying])).notes).toEqual(['principal_conflict:600/500']);
  });

  it('is not the face of a note that is paid (C29: nothing is carried, no line holds it)', () => {
    expect(brief(instruments([face], { debt: '300', lines: 'us-gaap:LoansPayable=300' }))).toEqual([
      'Loans Payable outstanding 300 stated',
      'Alpha Notes unconfirmed 500 stated',
    ]);
  });

  it('is not proven by two sentences of one issue where far less is carried', () => {
    const sentences = [
      face,
      fact({ concept: 'own:AggregatePrincipalAmount', value: '500', on: 'AlphaNotes' }),
    ];
    const rest = fact({ concept: 'LongTermDebt', value: '200', on: 'AlphaNotes' });
    expect(brief(instruments(sentences))).toEqual(['Alpha Notes outstanding 500 proven']);
    const { principal, notes } = only(instruments([...sentences, rest]));
    expect([principal.value === null ? '' : principal.status, notes]).toEqual([
      'stated',
      ['carrying_far_below'],
    ]);
  });

  it('is not owed where two sentences say it and the lines of D are others', () => {
    const sentences = [
      face,
      fact({ concept: 'own:AggregatePrincipalAmount', value: '500', on: 'AlphaNotes' }),
    ];
    const { found } = instruments(sentences, { debt: '300', lines: 'us-gaap:LoansPayable=300' });
    expect(found.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'Loans Payable outstanding',
      'Alpha Notes unconfirmed',
    ]);
  });

  it('is none of a loan that the filer made', () => {
    const lent = fact({ concept: 'NotesReceivableNet', value: '40', on: 'BetaLoan' });
    const { found, refused } = instruments([
      lent,
      fact({ concept: 'LineOfCredit', value: '40', on: 'BetaLoan' }),
    ]);
    expect([found, refused]).toEqual([
      [],
      [{ members: ['own:BetaLoanMember'], reason: 'a loan that is receivable' }],
    ]);
  });

  it('is not a face beside a maximum', () => {
    const most = fact({
      concept: 'DebtInstrumentFaceAmount',
      value: '900',
      on: 'AlphaNotes+srt:RangeAxis=srt:MaximumMember',
    });
    expect(brief(instruments([carrying, most]))).toEqual(['Alpha Notes outstanding 480 stated']);
  });

  it('is refused below a thousandth of what is carried', () => {
    const tiny = fact({ concept: 'DebtInstrumentFaceAmount', value: '0.3', on: 'AlphaNotes' });
    const { principal, notes } = only(instruments([tiny, carrying]));
    expect([principal.value?.toString(), notes]).toEqual(['480', ['principal_refused:0.3']]);
  });
});

describe('a table that adds up (C41)', () => {
  const rows = [
    fact({ concept: 'DebtCurrent', value: '125', on: 'AlphaCD' }),
    fact({ concept: 'DebtCurrent', value: '640', on: 'BetaCD' }),
    fact({ concept: 'DebtCurrent', value: '765' }),
  ];
  const nil = { ...fact({ concept: 'DebtCurrent', value: '0', on: 'GammaCD' }), value: null };

  it('rules over a sentence about a note that it shows as nil', () => {
    const sentence = fact({ concept: 'ConvertibleDebt', value: '570', decimals: -1, on: 'GammaCD' });
    expect(brief(instruments([...rows, nil, sentence]))).toEqual([
      'Beta CD outstanding 640 stated',
      'Alpha CD outstanding 125 stated',
      'Gamma CD unconfirmed 570 stated',
    ]);
  });

  it('rules over a coarser sentence about its own row', () => {
    const sentence = fact({
      concept: 'DebtInstrumentCarryingAmount',
      value: '650',
      decimals: -1,
      on: 'BetaCD',
    });
    expect(brief(instruments([...rows, sentence]))[0]).toBe('Beta CD outstanding 640 stated');
  });

  it('is none where it does not add up', () => {
    const total = fact({ concept: 'DebtCurrent', value: '900' });
    const sentence = fact({ concept: 'ConvertibleDebt', value: '570', on: 'GammaCD' });
    expect(brief(instruments([...rows.slice(0, 2), total, sentence]))).toContain(
      'Gamma CD outstanding 570 stated',
    );
  });

  it('makes instruments of members whose names say nothing (C42)', () => {
    const on = (member: string) => `us-gaap:BusinessAcquisitionAxis=own:${member}Member`;
    const facts = [
      fact({ concept: 'DebtInstrumentCarryingAmount', value: '30', on: on('SmithPartners') }),
      fact({ concept: 'DebtInstrumentCarryingAmount', value: '70', on: on('CornerBuilding') }),
      fact({ concept: 'DebtInstrumentCarryingAmount', value: '100' }),
    ];
    expect(brief(instruments(facts))).toEqual([
      'Corner Building outstanding 70 stated',
      'Smith Partners outstanding 30 stated',
    ]);
    expect(brief(instruments(facts.slice(0, 2)))).toEqual([]);
  });
});

describe('names of one note', () => {
  const owed = (on: string, value: string, concept = 'DebtInstrumentFaceAmount') =>
    fact({ concept, value, on });

  it('join by their words, with a year in words or digits', () => {
    const facts = [
      owed('ConvertibleSeniorNotesDueTwentyThirty', '500'),
      owed('TwoThousandAndThirtyConvertibleNotes', '490', 'LongTermDebt'),
    ];
    expect(instruments(facts).found.map(({ joins, members }) => [joins, members.length])).toEqual([
      [['b'], 2],
    ]);
  });

  it('stay apart where their coupons differ', () => {
    const rate = (on: string, value: string) =>
      fact({ concept: 'DebtInstrumentInterestRateStatedPercentage', unit: 'pure', value, on });
    const facts = [
      ...[owed('SeniorNotesDueTwentyThirty', '500'), rate('SeniorNotesDueTwentyThirty', '0.05')],
      ...[owed('NotesDueTwentyThirty', '500'), rate('NotesDueTwentyThirty', '0.06')],
    ];
    expect(instruments(facts).found).toHaveLength(2);
  });

  it('stay apart where one concept states both: they are listed side by side', () => {
    const facts = [owed('ConvertibleAlphaNotes', '500'), owed('ConvertibleBetaNotes', '500')];
    expect(instruments(facts).found).toHaveLength(2);
  });

  it('stay apart where the years in them differ, whatever the principal', () => {
    const facts = [
      owed('ConvertibleNotesDueTwentyThirty', '500'),
      owed('ConvertibleNotesDueTwentyThirtyOne', '500', 'LongTermDebt'),
    ];
    expect(instruments(facts).found).toHaveLength(2);
  });

  it('give no date (C04: a year in a name, and no filed date)', () => {
    const { maturityDate } = only(instruments([owed('ConvertibleNotesDueTwentyThirty', '500')]));
    expect(maturityDate).toEqual({ value: null, reason: 'not_filed', facts: [] });
  });

  it('of two notes joined by And are an aggregate, in no sum', () => {
    const facts = [
      owed('AlphaNote', '200', 'DebtInstrumentCarryingAmount'),
      owed('BetaNote', '300', 'DebtInstrumentCarryingAmount'),
      owed('AlphaNoteAndBetaNote', '500', 'LongTermDebt'),
    ];
    const { found, stack } = instruments(facts, { debt: '500', lines: 'us-gaap:LongTermDebt=500' });
    expect(found.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'Beta Note outstanding',
      'Alpha Note outstanding',
      'Alpha Note And Beta Note aggregate',
    ]);
    expect(stack).toEqual({
      status: 'ties',
      difference: ExactDecimal.parse('0'),
      principal: ExactDecimal.parse('500'),
    });
  });

  it('of a condition beside a note are none of its names', () => {
    const facts = [owed('AlphaNotes', '500'), owed('AlphaNotes+EventsOfDefault', '7')];
    expect(only(instruments(facts)).members).toEqual(['own:AlphaNotesMember']);
  });
});

describe('dates and rates', () => {
  const note = fact({ concept: 'LongTermDebt', value: '480', on: 'AlphaNotes' });
  const due = (concept: string, value: string, more: { start?: string | null; end?: string } = {}) =>
    only(instruments([note], { terms: [term(concept, value, { on: 'AlphaNotes', ...more })] })).maturityDate;

  it.each([
    ['a date', 'DebtInstrumentMaturityDate', '2030-07-01', '2030-07-01'],
    ['a month', 'own:DebtInstrumentMaturityYearMonth', '2027-06', '2027-06'],
    ['a month in words', 'DebtInstrumentMaturityDateDescription', 'Aug-29', '2029-08'],
    ['a range in words', 'DebtInstrumentMaturityDateDescription', 'Jul-26 - Feb-27', null],
    ['a month and its year', 'DebtInstrumentMaturityDateDescription', 'August 2029', '2029-08'],
    ['no year in a day', 'DebtInstrumentMaturityDateDescription', 'June 30', null],
    ['no month', 'DebtInstrumentMaturityDateDescription', 'Not specified', null],
    ['a day that is none', 'DebtInstrumentMaturityDate', '2030-02-31', null],
  ])('read %s', (_, concept, value, expected) => {
    expect(due(concept, value).value).toBe(expected);
  });

  it('count a term from the one day of its context, and from no period', () => {
    expect(due('DebtInstrumentTerm', 'P5Y', { start: '2024-02-29', end: '2024-02-29' }).value).toBe(
      '2029-02-28',
    );
    expect(due('DebtInstrumentTerm', 'P5Y', { start: '2024-01-01', end: '2024-02-29' }).value).toBeNull();
  });

  it('conflict where two are filed', () => {
    const terms = ['2030-07-01', '2031-07-01'].map((value) =>
      term('DebtInstrumentMaturityDate', value, { on: 'AlphaNotes' }),
    );
    const { maturityDate, notes } = only(instruments([note], { terms }));
    expect([maturityDate.value, notes]).toEqual([null, ['maturity_conflict']]);
  });

  it('are none of a column of an earlier period (TSLA 2024: 2026-12 and 4.8 % of 2023)', () => {
    const year = { start: '2024-01-01', end: '2024-12-31' };
    expect(due('own:DebtMaturityMonthAndYear', '2026-12', year).value).toBeNull();
    const rate = (value: string, more: Partial<Amount> = {}) =>
      fact({
        ...{ concept: 'DebtInstrumentInterestRateStatedPercentage', unit: 'pure', value, on: 'AlphaNotes' },
        ...more,
      });
    const most = rate('0.0625', { on: 'AlphaNotes+srt:RangeAxis=srt:MaximumMember' });
    const { couponRate, notes } = only(instruments([note, rate('0.048', { end: '2024-12-31' }), most]));
    expect([couponRate.value, notes]).toEqual([null, ['coupon_range:0.0625/0.0625']]);
  });

  it('take 5.5 for 5.5 % and 0 for a coupon', () => {
    const rate = (value: string) =>
      only(
        instruments([
          note,
          fact({
            concept: 'DebtInstrumentInterestRateStatedPercentage',
            unit: 'pure',
            value,
            on: 'AlphaNotes',
          }),
        ]),
      ).couponRate.value?.toString();
    expect([rate('5.5'), rate('0')]).toEqual(['0.055', '0']);
  });

  it('keep a stock-price day from being a call', () => {
    const on = 'AlphaNotes+us-gaap:DebtInstrumentRedemptionPeriodAxis=own:StockPriceTriggerMember';
    const price = fact({ concept: 'DebtInstrumentRedemptionPricePercentage', unit: 'pure', value: '1', on });
    const early = term('DebtInstrumentConvertibleEarliestDate1', '2029-09-15', { on });
    expect(only(instruments([note, price], { terms: [early] })).callDate.value).toBeNull();
  });

  it('hold no shares at a price in another currency', () => {
    const price = fact({
      concept: 'DebtInstrumentConvertibleConversionPrice1',
      unit: 'CAD/shares',
      value: '4',
      on: 'AlphaNotes',
    });
    const { conversionShares, notes } = only(instruments([note, price]));
    expect([conversionShares.value, notes]).toEqual([null, ['conversion_price_in_other_currency']]);
  });
});

describe('a hostile filing', () => {
  it('20,000 facts on debt axes are read in bounded steps', () => {
    const facts = Array.from({ length: 20_000 }, (_, index) =>
      fact({
        concept: index % 2 === 0 ? 'DebtInstrumentFaceAmount' : 'LongTermDebt',
        value: String(1000 + (index % 97)),
        on: `Note${Math.floor(index / 4)}Alpha`,
      }),
    );
    expect(
      instruments(facts, { debt: '900000', lines: 'us-gaap:LongTermDebt=900000' }).found.length,
    ).toBeGreaterThan(0);
  });
});
