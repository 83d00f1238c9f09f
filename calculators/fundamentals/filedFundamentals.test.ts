import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filedFact, type InputsOf, issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { addDays } from '../exact/civilDate.ts';
import { factSheet } from '../filing/factSheet.ts';
import { filedFundamentals } from './filedFundamentals.ts';

const parameters = registryParameters;
const k = 1000;

function read(inputsOf: InputsOf) {
  const inputs = issuerInputs(inputsOf);
  const found = filedFundamentals({
    sheet: factSheet(inputs, '2026-02-07'),
    filing: inputs.filing,
    parameters,
  });
  return JSON.parse(
    JSON.stringify(found, (_, value) => (value?.units === undefined ? value : value.toString())),
  );
}

describe('flows of reports of other lengths (M10.12)', () => {
  const basis = (form: string, spans: readonly (readonly [string, number])[]) => {
    const inputs = { filing: { form, period: '2026-06-30' } };
    const { filing } = issuerInputs(inputs);
    const facts = spans.map(([start, value]) =>
      filedFact(filing, { concept: 'Revenues', value, start, end: '2026-06-30' }),
    );
    const { revenue } = read({ ...inputs, facts }).facts;
    return revenue === undefined
      ? null
      : [revenue.value, revenue.duration_kind, revenue.months, revenue.ytd?.months];
  };

  it('are of the half-year in a half-yearly report, and in a 6-K that states no quarter', () => {
    expect(basis('10-S', [['2026-01-01', 7]])).toEqual(['7', 'half_year', 6, 6]);
    expect(basis('6-K', [['2026-01-01', 7]])).toEqual(['7', 'half_year', 6, 6]);
    // as cash flows of a quarterly report are filed
    expect(basis('10-Q', [['2026-01-01', 7]])).toEqual(['7', 'year_to_date', 6, 6]);
    expect(
      basis('6-K', [
        ['2026-01-01', 7],
        ['2026-04-01', 4],
      ]),
    ).toEqual(['4', 'quarter', 3, 6]);
    expect(basis('10-S', [['2025-10-01', 9]])).toEqual(['9', 'year_to_date', 9, 9]);
  });

  it('are of the quarter beside a stub of two days, and of a short first period where nothing longer is filed', () => {
    const stub = ['2026-06-29', 1] as const;
    expect(basis('10-Q', [stub, ['2026-04-01', 4], ['2026-01-01', 7]])).toEqual(['4', 'quarter', 3, 6]);
    expect(basis('10-Q', [['2026-05-20', 2]])).toEqual(['2', 'quarter', 1, 1]);
  });

  it('are of the whole transition period in a 10-KT, and of twelve months alone in a 10-K', () => {
    expect(
      basis('10-KT', [
        ['2026-01-01', 7],
        ['2026-04-01', 4],
      ]),
    ).toEqual(['7', 'year_to_date', 6, 6]);
    expect(
      basis('10-KT', [
        ['2025-07-01', 12],
        ['2026-04-01', 4],
      ]),
    ).toEqual(['12', 'annual', 12, undefined]);
    expect(basis('10-K', [['2026-01-01', 7]])).toBeNull();
  });
});

describe('fundamentals of MSTR 10-Q 2025-09-30 (M10.14, T22: 0001193125-25-262568)', () => {
  const { filing } = issuerInputs({});
  const flow = (concept: string, value: number, start: string, end = filing.period) =>
    filedFact(filing, { concept, value: value * k, start, end });
  const found = read({
    balance: {
      Assets: 73_619_038 * k,
      AssetsCurrent: 213_951 * k,
      CashAndCashEquivalentsAtCarryingValue: 54_285 * k,
      CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents: 55_000 * k,
      Liabilities: 15_501_990 * k,
      LiabilitiesAndStockholdersEquity: 73_619_038 * k,
      StockholdersEquity: 52_330_718 * k,
      TemporaryEquityCarryingAmountAttributableToParent: 5_786_330 * k,
    },
    facts: [
      flow('Revenues', 354_245, '2025-01-01'),
      flow('Revenues', 128_691, '2025-07-01'),
      flow('Revenues', 116_071, '2024-07-01', '2024-09-30'),
      flow('OperatingIncomeLoss', 12_001_420, '2025-01-01'),
      flow('OperatingIncomeLoss', 3_890_842, '2025-07-01'),
      flow('NetIncomeLoss', 8_588_500, '2025-01-01'),
      flow('NetIncomeLoss', 10_020_846, '2025-04-01', '2025-06-30'),
      flow('NetIncomeLoss', 2_785_024, '2025-07-01'),
      flow('NetCashProvidedByUsedInOperatingActivities', -45_612, '2025-01-01'),
    ],
  });

  it('states the quarter, and year to date only where nothing shorter is filed', () => {
    expect(found.fundamentals).toEqual({
      revenue: '128691000',
      operating_income: '3890842000',
      net_income: '2785024000',
      cash_flow_from_operations: '-45612000',
      total_assets: '73619038000',
      current_assets: '213951000',
      cash_and_equivalents: '54285000',
      total_liabilities: '15501990000',
      total_equity: '52330718000',
    });
    expect(found.notes).toEqual([]);
  });

  it('says where each figure stands and what span it covers (M10.13)', () => {
    expect(found.facts.revenue).toEqual({
      concept: 'us-gaap:Revenues',
      unit: 'USD',
      accession_number: '0001193125-25-262568',
      value: '128691000',
      start: '2025-07-01',
      end: '2025-09-30',
      filed: '2025-11-03',
      months: 3,
      duration_kind: 'quarter',
      ytd: { value: '354245000', start: '2025-01-01', end: '2025-09-30', months: 9 },
    });
    expect(found.facts.cash_flow_from_operations).toMatchObject({
      months: 9,
      duration_kind: 'year_to_date',
      ytd: { value: '-45612000', months: 9 },
    });
    expect(found.facts.total_equity).toMatchObject({
      start: null,
      months: null,
      duration_kind: 'instant',
      ytd: null,
    });
    expect(found.context).toEqual({
      currency: 'USD',
      instant_date: '2025-09-30',
      flow_start: '2025-07-01',
      flow_end: '2025-09-30',
      flow_duration_days: 92,
      flow_basis: 'quarter',
      other_flows: [
        {
          member: 'cash_flow_from_operations',
          flow_start: '2025-01-01',
          flow_end: '2025-09-30',
          flow_duration_days: 273,
          flow_basis: 'year_to_date',
        },
      ],
    });
  });
});

it('takes the twelve months of a 10-K and never a quarter of it (M10.12)', () => {
  const annual = {
    accession: '0000950170-25-021814',
    form: '10-K',
    filed: '2025-02-18',
    period: '2024-12-31',
  };
  const { filing } = issuerInputs({ filing: annual });
  const found = read({
    filing: annual,
    facts: [
      filedFact(filing, { concept: 'Revenues', value: 463_456 * k, start: '2024-01-01' }),
      filedFact(filing, { concept: 'Revenues', value: 120_697 * k, start: '2024-10-01' }),
      filedFact(filing, { concept: 'NetIncomeLoss', value: -670_811 * k, start: '2024-10-01' }),
    ],
  });
  expect(found.facts.revenue).toMatchObject({
    value: '463456000',
    months: 12,
    duration_kind: 'annual',
    ytd: null,
  });
  expect(found.fundamentals.net_income).toBeNull();
});

it('names no other span where all flows cover the same days, and the only one where no income is filed (I2.9)', () => {
  const { filing } = issuerInputs({});
  const flow = (concept: string) => filedFact(filing, { concept, value: 1, start: '2025-07-01' });
  const cash = flow('NetCashProvidedByUsedInOperatingActivities');
  expect(read({ facts: [flow('Revenues'), cash] }).context).not.toHaveProperty('other_flows');
  expect(read({ facts: [cash] }).context).toMatchObject({
    flow_start: null,
    flow_basis: 'unknown',
    other_flows: [{ member: 'cash_flow_from_operations', flow_start: '2025-07-01', flow_basis: 'quarter' }],
  });
});

it('never derives equity from assets and liabilities (M10.10, T20)', () => {
  expect(read({ balance: { Assets: 244_737, Liabilities: 13_716 } }).fundamentals.total_equity).toBeNull();
  const withMinority = { StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest: 7 };
  expect(read({ balance: withMinority }).fundamentals.total_equity).toBe('7');
});

it('notes restricted cash when no other cash is filed (M10.11)', () => {
  const cash = { CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents: 9 };
  expect(read({ balance: cash })).toMatchObject({
    fundamentals: { cash_and_equivalents: '9' },
    notes: ['includes_restricted_cash'],
  });
});

it('reads cash of GAME 2025-09-30 without its restricted part, from 0001493152-25-023589 (M10.11)', () => {
  const cash = {
    Cash: 6_012_219,
    RestrictedCashCurrent: 1_475_593,
    CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents: 7_487_812,
  };
  expect(read({ balance: cash })).toMatchObject({
    fundamentals: { cash_and_equivalents: '6012219' },
    notes: [],
  });
});

it('publishes filed digits, also those no double can hold (M10.8, M15.4, T23)', () => {
  expect(
    read({ balance: { Assets: '9007199254740993', Liabilities: '67240999.95' } }).fundamentals,
  ).toMatchObject({
    total_assets: '9007199254740993',
    total_liabilities: '67240999.95',
  });
});

it('leaves out a span that is stated twice with different values (M1.8)', () => {
  const { filing } = issuerInputs({});
  const twice = [5, 6].map((value) => filedFact(filing, { concept: 'Revenues', value, start: '2025-07-01' }));
  expect(read({ facts: twice }).fundamentals.revenue).toBeNull();
});

it('gives every flow its span: start before end, months, annual in a 10-K, year to date no shorter (M15.57)', () => {
  const spans = fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(spans, fc.constantFrom('10-K', '10-Q', '6-K', '20-F'), (days, form) => {
      const { filing } = issuerInputs({ filing: { form } });
      const facts = days.map((span) =>
        filedFact(filing, { concept: 'Revenues', value: span, start: addDays(filing.period, -span) }),
      );
      const flow = read({ filing: { form }, facts }).facts.revenue;
      if (flow === undefined) return;
      expect(flow.start < flow.end).toBe(true);
      expect(flow.months).toBe(Math.round((Number(flow.value) + 1) / 30.4375));
      if (form === '10-K' || form === '20-F') expect(flow.duration_kind).toBe('annual');
      else {
        const quarters = days.filter((span) => Math.round((span + 1) / 30.4375) === 3);
        expect(Number(flow.value)).toBe(Math.min(...(quarters.length > 0 ? quarters : days)));
      }
      if (flow.ytd !== null) expect(flow.ytd.months).toBeGreaterThanOrEqual(flow.months);
    }),
  );
});
