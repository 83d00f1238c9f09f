import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { registryParameters as parameters } from '../../../fixtures/builders/registryParameters.ts';
import { priceBook } from '../../prices/priceBook.ts';
import { absentFigure, type Figure } from '../figure.ts';
import type { CoinStock, Instrument, Instruments, MaturityBucket, Runway } from '../parts.ts';
import type { FiledRunway } from './filedRunway.ts';
import { runwayAt } from './runwayAt.ts';

const period = '2025-09-30';
const prices = priceBook(
  [
    { date: period, asset: 'BTC', close: 100_000, source: 'yahoo' },
    { date: '2025-12-30', asset: 'BTC', close: 80_000, source: 'yahoo' },
  ],
  parameters,
);
const nothing = absentFigure('not_filed');

function figure(value: string): Figure {
  return { value: ExactDecimal.parse(value), status: 'stated', basis: 'test', facts: [] };
}

function filed(parts: Partial<FiledRunway> = {}): FiledRunway {
  return {
    period,
    currency: 'USD',
    cash: figure('12000000'),
    restrictedCash: nothing,
    operatingCash: figure('-9000000'),
    months: 9,
    coinDealings: nothing,
    coinSaleProceeds: nothing,
    interestPaid: nothing,
    financedInterest: nothing,
    dividendsDeclared: nothing,
    currentDebt: figure('0'),
    isAllDebtCurrent: true,
    notes: [],
    ...parts,
  };
}

const noInstruments: Pick<Instruments, 'found' | 'stack'> = {
  found: [],
  stack: { status: 'unproven', difference: null, principal: null },
};
type At = Parameters<typeof runwayAt>[0];
const noMaturities: At['maturities'] = { status: null, buckets: [], wall: [] };
const noPreferred: At['preferred'] = { classes: [], annualDividends: ExactDecimal.zero };

function runway(parts: Partial<At> = {}): Runway {
  return runwayAt({
    filed: filed(),
    instruments: noInstruments,
    maturities: noMaturities,
    preferred: noPreferred,
    stocks: [],
    sourceDate: period,
    prices,
    ...parts,
  });
}

function text(found: Figure<ExactDecimal | number | string>): string {
  return found.value === null ? (found.part ?? found.reason) : `${found.value}`;
}

function bucket(id: string, start: string, end: string | null, amount: string): MaturityBucket {
  return { id, start, end, amount: ExactDecimal.parse(amount), instrumentId: null, facts: [] };
}

const ladder: At['maturities'] = {
  status: 'proven',
  wall: [],
  buckets: [
    bucket('year_1', '2025-10-01', '2026-09-30', '2000000'),
    bucket('year_2', '2026-10-01', '2027-09-30', '3000000'),
    bucket('after', '2027-10-01', null, '90000000'),
  ],
};

function note(
  id: string,
  { maturity, principal, coupon }: { maturity: string; principal: string; coupon?: string },
): Instrument {
  const date: Figure<string> = { value: maturity, status: 'stated', basis: 'filed_date', facts: [] };
  return {
    id,
    name: id,
    members: [],
    kind: 'note',
    state: 'outstanding',
    asOf: period,
    rank: 'unsecured',
    rankBasis: 'assumed',
    securedBy: null,
    currency: 'USD',
    principal: figure(principal),
    carryingAmount: nothing,
    unamortizedCost: nothing,
    faceAmount: nothing,
    spread: nothing,
    couponRate: coupon === undefined ? nothing : figure(coupon),
    couponKind: null,
    effectiveRate: nothing,
    maturityDate: date,
    issueDate: nothing,
    springingMaturityDate: nothing,
    putDate: nothing,
    callDate: nothing,
    conversionPrice: nothing,
    conversionShares: nothing,
    fairValue: nothing,
    pledgedUnits: nothing,
    pledgedValue: nothing,
    facilityId: null,
    termsAccession: null,
    joins: [],
    notes: [],
  };
}

describe('months of cash (M18.64)', () => {
  it('are cash by burn: RIOT 6.37, BTCS 6.69, KULR 5.97, BMNR 11.66, LITS 6.73 at the period end', () => {
    const of = (cash: string, flow: string, months: number) =>
      runway({ filed: filed({ cash: figure(cash), operatingCash: figure(flow), months }) }).monthsOfCash
        .value;
    expect(of('330745000', '-467400000', 9)).toBe(6.37);
    expect(of('4486051', '-6031947', 9)).toBe(6.69);
    expect(of('20588596', '-31039539', 9)).toBe(5.97);
    expect(of('887678000', '-228356000', 3)).toBe(11.66);
    expect(of('10113000', '-4508000', 3)).toBe(6.73);
  });

  it('are none where the flow brings cash (MSTR 2024-03-31), or moves none', () => {
    const rich = runway({ filed: filed({ operatingCash: figure('28587000'), months: 3 }) });
    expect(text(rich.monthsOfCash)).toBe('cash_flow_positive');
    expect(text(runway({ filed: filed({ operatingCash: figure('0') }) }).monthsOfCash)).toBe(
      'not_applicable',
    );
    expect(text(runway({ filed: filed({ cash: nothing }) }).monthsOfCash)).toBe('not_filed');
    const unknown = runway({ filed: filed({ operatingCash: nothing, months: null }) });
    expect(text(unknown.monthsOfCash)).toBe('operating_cash');
  });

  it('are fewer with preferred dividends, and not known where a class has no rate', () => {
    const preferred = { classes: [], annualDividends: ExactDecimal.parse('6000000') };
    expect(runway({ preferred }).monthsAfterDividends.value).toBe(8);
    const unknown = runway({
      preferred: { classes: [{}], annualDividends: null } as unknown as At['preferred'],
    });
    expect(text(unknown.monthsAfterDividends)).toBe('annual_preferred_dividends');
    expect(unknown.notes).toContain('preferred_dividends_not_counted');
  });

  it('count interest that stands in financing (IFRS), and no other', () => {
    const ifrs = runway({ filed: filed({ financedInterest: figure('3000000') }) });
    expect([ifrs.monthsOfCash.value, text(ifrs.monthlyOperatingCash)]).toEqual([9, '-1333333.33']);
    const gaap = runway({ filed: filed({ interestPaid: figure('3000000') }) });
    expect([gaap.monthsOfCash.value, text(gaap.monthlyOperatingCash)]).toEqual([12, '-1000000']);
  });

  it('stand beside a burn without coin dealings (BTBT 7.0 of 22.8 M)', () => {
    const flows = { operatingCash: figure('-204864851'), coinDealings: figure('-141867759') };
    const found = runway({ filed: filed(flows) });
    expect(text(found.monthlyOperatingCash)).toBe('-22762761.22');
    expect(text(found.monthlyOperatingCashWithoutCoins)).toBe('-6999676.89');
  });
});

describe('the day asked (M18.66)', () => {
  it('takes the burn since the period end off first: 91.3125 days are three months', () => {
    const later = runway({ sourceDate: '2025-12-30' });
    expect([later.asOf, later.periodEnd]).toEqual(['2025-12-30', period]);
    // 12,000,000 less 91 / 30.4375 months of 1,000,000
    expect(text(later.cashOnDay)).toBe('9010266.94');
    expect(later.monthsOfCash.value).toBe(9.01);
    expect(text(later.cash)).toBe('12000000');
  });

  it('takes what was due by then off, and counts a running bucket from the day', () => {
    const past = runway({ maturities: ladder, sourceDate: '2026-09-30' });
    expect(text(past.due12m)).toBe('3000000');
    expect(text(past.cashOnDay)).toBe('-1991786.45');
    expect(past.monthsOfCash.value).toBe(0);
    const running = runway({ maturities: ladder, sourceDate: '2026-03-31' });
    expect(text(running.due12m)).toBe('5000000');
    expect(running.notes).toContain('due_12m_holds_later_months');
    expect(runway({ maturities: ladder }).notes).not.toContain('due_12m_holds_later_months');
    expect(text(running.cashOnDay)).toBe('6020533.88');
  });

  it('is the period end where an earlier day is asked', () => {
    expect(runway({ sourceDate: '2025-06-30' }).asOf).toBe(period);
  });
});

describe('what is due (M18.63)', () => {
  it('is the buckets of a proven ladder: MSTR 547 K and 1,151,124 K', () => {
    const buckets = [
      bucket('year_1', '2024-04-01', '2025-03-31', '547000'),
      bucket('year_2', '2025-04-01', '2026-03-31', '1150577000'),
      bucket('year_3', '2026-04-01', '2027-03-31', '1050608000'),
    ];
    const found = runway({
      filed: filed({ period: '2024-03-31', currentDebt: figure('492000') }),
      maturities: { status: 'proven', wall: [], buckets },
      sourceDate: '2024-03-31',
    });
    expect([text(found.due12m), text(found.due24m)]).toEqual(['547000', '1151124000']);
    expect(found.due12m).toMatchObject({ status: 'proven', basis: 'buckets' });
  });

  it('is the dated instruments where they are all the debt, else the current debt of the balance sheet', () => {
    const found = [
      note('a', { maturity: '2026-05-15', principal: '4000000' }),
      note('b', { maturity: '2027-05-15', principal: '5000000' }),
    ];
    const wall = found.map(({ id, maturityDate, principal }) => ({
      kind: 'maturity' as const,
      date: maturityDate.value ?? '',
      end: null,
      amount: principal.value ?? ExactDecimal.zero,
      instrumentId: id,
    }));
    const ties = { status: 'ties' as const, difference: ExactDecimal.zero, principal: null };
    const current = filed({ currentDebt: figure('1000000'), isAllDebtCurrent: false });
    const maturities = { status: null, buckets: [], wall };
    const dated = runway({ filed: current, maturities, instruments: { found, stack: ties } });
    expect([text(dated.due12m), text(dated.due24m)]).toEqual(['4000000', '9000000']);
    const open = { found, stack: { ...ties, status: 'debt_not_itemised' as const } };
    const other = runway({ filed: current, maturities, instruments: open });
    expect([text(other.due12m), text(other.due24m)]).toEqual(['1000000', 'maturities']);
    expect(other.notes).toContain('due_by:current_debt');
  });

  it('is known for two years where all debt is current, and not at all without a proven debt', () => {
    const current = runway({ filed: filed({ currentDebt: figure('56500000') }) });
    expect([text(current.due12m), text(current.due24m)]).toEqual(['56500000', '56500000']);
    const unproven = filed({
      currentDebt: absentFigure('unconfirmed', { part: 'debt' }),
      isAllDebtCurrent: false,
    });
    expect(text(runway({ filed: unproven }).due12m)).toBe('maturities');
    expect(text(runway({ filed: unproven }).shortfall12m)).toBe('due_12m');
    expect(runway({ filed: unproven }).firstShortfallMonth).toMatchObject({ status: 'partial' });
  });

  it('is more within two years where holders put, unless the note falls due by then anyway', () => {
    const marks = (date: string, id: string) => ({
      kind: 'put' as const,
      date,
      end: null,
      amount: ExactDecimal.parse('7000000'),
      instrumentId: id,
    });
    const found = [
      note('late', { maturity: '2030-06-15', principal: '7000000' }),
      note('soon', { maturity: '2027-06-15', principal: '7000000' }),
    ];
    const instruments = { ...noInstruments, found };
    const of = (date: string, id: string) =>
      text(runway({ instruments, maturities: { ...ladder, wall: [marks(date, id)] } }).due24mIfPut);
    expect(of('2027-06-15', 'late')).toBe('12000000');
    expect(of('2028-06-15', 'late')).toBe('5000000');
    expect(of('2027-06-15', 'soon')).toBe('5000000');
    expect(text(runway({ maturities: ladder }).due24mIfPut)).toBe('not_filed');
  });
});

describe('the shortfall (M18.64, M18.65)', () => {
  it('of a year is cash less dues and burn: BTCS -60,056,545', () => {
    const btcs = filed({
      cash: figure('4486051'),
      operatingCash: figure('-6031947'),
      currentDebt: figure('56500000'),
    });
    expect(text(runway({ filed: btcs }).shortfall12m)).toBe('-60056545');
  });

  it('begins in the month the cash does not cover, a bucket in the first month of its interval', () => {
    expect(text(runway().firstShortfallMonth)).toBe('2026-10');
    expect(text(runway({ maturities: ladder }).firstShortfallMonth)).toBe('2026-08');
    const rich = filed({ operatingCash: figure('9000000') });
    expect(text(runway({ filed: rich }).firstShortfallMonth)).toBe('none_in_60');
    const wall = runway({ filed: rich, maturities: ladder }).firstShortfallMonth;
    expect(text(wall)).toBe('2027-10');
    expect(text(runway({ sourceDate: '2025-11-15' }).firstShortfallMonth)).toBe('2026-10');
  });

  it('is set against the free coins at the close of the day', () => {
    const stock = (free: Figure, freeValue: Figure = nothing) =>
      ({ asset: 'BTC', free, freeValue }) as unknown as CoinStock;
    const poor = filed({ cash: figure('2000000') });
    const now = runway({ filed: poor, stocks: [stock(figure('200'))] });
    expect([text(now.freeCoinValue), now.shareOfFreeCoins.value]).toEqual(['20000000', 0.5]);
    const later = runway({
      filed: poor,
      stocks: [stock(nothing, figure('20000000'))],
      sourceDate: '2025-12-30',
    });
    expect(text(later.freeCoinValue)).toBe('16000000');
    expect(text(runway({ stocks: [stock(figure('200'))] }).shareOfFreeCoins)).toBe('not_applicable');
    const unpriced = { asset: 'WIF', free: figure('5'), freeValue: nothing } as unknown as CoinStock;
    expect(text(runway({ filed: poor, stocks: [unpriced] }).freeCoinValue)).toBe('WIF');
    const foreign = runway({ filed: { ...poor, currency: 'CNY' }, stocks: [stock(figure('200'))] });
    expect(text(foreign.shareOfFreeCoins)).toBe('not_applicable');
  });

  it('knows the interest of notes with a principal and a coupon only', () => {
    const found = [
      note('a', { maturity: '2030-01-01', principal: '650000000', coupon: '0.0075' }),
      note('b', { maturity: '2031-01-01', principal: '9000000' }),
    ];
    const { annualInterest } = runway({ instruments: { ...noInstruments, found } });
    expect([text(annualInterest), annualInterest.value === null ? null : annualInterest.status]).toEqual([
      '4875000',
      'partial',
    ]);
  });
});

describe('laws of the runway', () => {
  it('scales with money and leaves months where they are', () => {
    const scale = (value: string) => figure(`${value}000`);
    const small = runway({ filed: filed({ cash: figure('7654321'), operatingCash: figure('-1234567') }) });
    const large = runway({ filed: filed({ cash: scale('7654321'), operatingCash: scale('-1234567') }) });
    expect(large.monthsOfCash.value).toBe(small.monthsOfCash.value);
    expect(text(large.firstShortfallMonth)).toBe(text(small.firstShortfallMonth));
    expect(large.shortfall12m.value?.toNumber()).toBeCloseTo(
      (small.shortfall12m.value?.toNumber() ?? 0) * 1000,
      -2,
    );
  });

  it('never lasts longer with more debt or a later day', () => {
    const months = (at: Partial<At>) => runway(at).monthsOfCash.value ?? Number.NaN;
    const days = ['2025-09-30', '2025-10-31', '2025-12-30', '2026-03-31', '2026-12-31'];
    const left = days.map((sourceDate) => months({ sourceDate, maturities: ladder }));
    expect(left).toEqual(left.toSorted((a, b) => b - a));
    const first = ['0', '5000000', '90000000'].map((debt) =>
      text(runway({ filed: filed({ currentDebt: figure(debt) }) }).firstShortfallMonth),
    );
    expect(first).toEqual(['2026-10', '2026-05', '2025-10']);
  });
});
