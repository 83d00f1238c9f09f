import { describe, expect, it } from 'vitest';
import { figureText, filedFacts, statedLines } from '../../../fixtures/builders/filedFacts.ts';
import { resolvePreferred } from './resolvePreferred.ts';

const P = '2025-09-30';

function preferredOf(text: string, { period = P, currency = 'USD' } = {}) {
  const nil = filedFacts(text).filter(({ value }) => value === null);
  return resolvePreferred({ period, facts: statedLines(text), nil, currency });
}

function claims(text: string, options: { period?: string; currency?: string } = {}): readonly string[] {
  return preferredOf(text, options).classes.map(
    ({ id, kind, claim }) =>
      `${id} ${kind} ${figureText(claim)}${claim.value === null ? '' : ` ${claim.basis}`}`,
  );
}

describe('preferred stock outstanding (M18.40)', () => {
  it('has the liquidation preference of its shares as its claim (CLSK 2025-06-30, 1,750,000 at 0.02)', () => {
    const text = `PreferredStockSharesOutstanding, 2025-06-30, 1750000, shares, class=SeriesAPreferredStockMember
      PreferredStockLiquidationPreference, 2025-06-30, 0.02, USD/shares, class=SeriesAPreferredStockMember
      PreferredStockSharesOutstanding, 2025-06-30, 0, shares, class=clsk:SeriesXPreferredMember
      PreferredStockValue, 2025-06-30, 2000~-3, USD
      PreferredStockParOrStatedValuePerShare, 2025-06-30, 0.001, USD/shares
      DividendsPreferredStock, 2025-04-01/2025-06-30, 5603000~-3, USD
      DividendsPreferredStock, 2024-10-01/2025-06-30, 10744000~-3, USD
      DividendsPreferredStock, 2024-10-01/2025-06-30, 10744000~-3, USD, equity=RetainedEarningsMember`;
    expect(claims(text, { period: '2025-06-30' })).toEqual([
      'SeriesAPreferredStock preferred 35000 stated liquidation_preference',
    ]);
    const [series] = preferredOf(text, { period: '2025-06-30' }).classes;
    expect(series?.carryingAmount && figureText(series.carryingAmount)).toBe('2000 stated');
    expect(
      series?.dividendsDeclared && [figureText(series.dividendsDeclared), series.dividendsDeclared.months],
    ).toEqual(['10744000 stated', 9]);
    expect(series && [series.dividendRate, series.annualDividend].map(figureText)).toEqual([
      'null not_filed',
      'null not_filed',
    ]);
  });

  it('without a preference carries par and only votes: 2,000 is 1,750 in thousands (CLSK 2024-06-30)', () => {
    expect(
      claims(`PreferredStockSharesOutstanding, ${P}, 1750000, shares, class=SeriesAPreferredStockMember
        PreferredStockValue, ${P}, 2000~-3, USD
        PreferredStockParOrStatedValuePerShare, ${P}, 0.001, USD/shares`),
    ).toEqual(['SeriesAPreferredStock preferred null par_only']);
  });

  it.each([
    [
      'only votes where par rounds to the dash that is carried (DFDV 2025-06-30)',
      '0.00001',
      'nil',
      'par_only',
    ],
    ['is not known where a dash stands for more than par', '0.9', 'nil', 'not_filed'],
    ['is not known where nothing says what is carried', '0.00001', '', 'not_filed'],
  ])('%s', (_, par, carried, reason) => {
    const text = `PreferredStockSharesOutstanding, ${P}, 10000, shares, class=SeriesAPreferredStockMember
      PreferredStockParOrStatedValuePerShare, ${P}, ${par}, USD/shares, class=SeriesAPreferredStockMember`;
    const dash = `PreferredStockValue, ${P}, nil, USD, class=SeriesAPreferredStockMember`;
    expect(claims(carried === '' ? text : `${text}\n${dash}`)).toEqual([
      `SeriesAPreferredStock preferred null ${reason}`,
    ]);
  });

  it.each([
    ['DFDV 0001193125-25-286660', '10000', '0~-3', '0.00001'],
    ['KULR 0001104659-25-113662', '1000000', '100', '0.0001'],
  ])('only votes where par is all that is carried: %s', (_, shares, carried, par) => {
    const text = `PreferredStockSharesOutstanding, ${P}, ${shares}, shares, class=SeriesAPreferredStockMember
      PreferredStockValue, ${P}, ${carried}, USD, class=SeriesAPreferredStockMember
      PreferredStockParOrStatedValuePerShare, ${P}, ${par}, USD/shares
      PreferredStockSharesOutstanding, ${P}, 0, shares, class=SeriesBPreferredStockMember`;
    expect(claims(text)).toEqual(['SeriesAPreferredStock preferred null par_only']);
    // nothing stands before common stock for it
    expect(preferredOf(text).claim?.toString()).toBe('0');
  });

  it('has its carrying amount as claim where nothing else is filed (BTCS 0001493152-25-022359)', () => {
    const text = `PreferredStockSharesOutstanding, ${P}, 15671405, shares, class=BTCS:SeriesVPreferredStockMember
      PreferredStockValue, ${P}, 1975701~0, USD, class=BTCS:SeriesVPreferredStockMember
      PreferredStockParOrStatedValuePerShare, ${P}, 0.001, USD/shares
      PreferredStockDividendRatePercentage, 2025-01-01/${P}, 0.05, pure, class=BTCS:SeriesVPreferredStockMember`;
    expect(claims(text)).toEqual(['SeriesVPreferredStock preferred 1975701 stated carrying_amount']);
    // a rate on a carrying amount is no dividend
    expect(preferredOf(text).classes.map(({ annualDividend }) => figureText(annualDividend))).toEqual([
      'null missing:liquidation preference',
    ]);
  });

  it('takes what is filed of the whole entity for the only class, the rate under its holder too (BTBT 0001213900-25-110383)', () => {
    const text = `PreferredStockSharesOutstanding, ${P}, 1000000~0
      PreferredStockSharesOutstanding, ${P}, 1000000, shares, equity=PreferredStockMember
      PreferredStockLiquidationPreference, ${P}, 10~2, USD/shares, equity=PreferredStockMember
      PreferredStockValue, ${P}, 9050000~0, USD
      PreferredStockParOrStatedValuePerShare, ${P}, 0.01, USD/shares
      PreferredStockDividendRatePercentage, 2025-01-01/${P}, 0.08~2, pure, individual=srt:BoardOfDirectorsChairmanMember`;
    expect(claims(text)).toEqual(['preferred preferred 10000000 stated liquidation_preference']);
    const { annualDividends, classes } = preferredOf(text);
    expect(String(annualDividends)).toBe('800000');
    expect(classes.map(({ carryingAmount }) => figureText(carryingAmount))).toEqual(['9050000 stated']);
  });

  it.each([
    [
      'issued 100,000, outstanding 0 (LITS)',
      `PreferredStockSharesIssued, ${P}, 100000\nPreferredStockSharesOutstanding, ${P}, 0~-3\nPreferredStockValue, ${P}, 0~-3, USD`,
    ],
    [
      '0 outstanding beside an allocation of losses (BMNR)',
      `PreferredStockSharesOutstanding, ${P}, 0\nBMNR:AllocationToParticipatingPreferredStock, 2025-07-01/${P}, 5204095000~-3, USD`,
    ],
    [
      'authorized alone',
      `PreferredStockSharesAuthorized, ${P}, 500, shares, class=SeriesAPreferredStockMember`,
    ],
    ['nil', `PreferredStockValue, ${P}, nil, USD`],
    [
      'of a later event (PURR)',
      `PreferredStockSharesOutstanding, ${P}, 166172.794, shares, class=SeriesAPreferredStockMember, subsequent=SubsequentEventMember`,
    ],
    [
      'redeemable interests of others (TSLA)',
      `RedeemableNoncontrollingInterestEquityCarryingAmount, ${P}, 61000000~-6, USD\nTemporaryEquityCarryingAmountIncludingPortionAttributableToNoncontrollingInterests, ${P}, 61000000~-6, USD`,
    ],
  ])('is none: %s', (_, text) => {
    expect(preferredOf(text).classes).toEqual([]);
    expect(String(preferredOf(text).claim)).toBe('0');
  });

  it('keeps a class whose shares are not filed but whose amount is', () => {
    expect(claims(`PreferredStockValue, ${P}, 5150000, USD`)).toEqual([
      'preferred preferred 5150000 stated carrying_amount',
    ]);
  });

  it.each([
    [
      'a filed total',
      `PreferredStockLiquidationPreferenceValue, ${P}, 900, USD`,
      '900 stated liquidation_value',
    ],
    [
      'a preference a share',
      `PreferredStockLiquidationPreference, ${P}, 8, USD/shares`,
      '800 stated liquidation_preference',
    ],
    [
      'a stated value of at least 1',
      `PreferredStockParOrStatedValuePerShare, ${P}, 5, USD/shares`,
      '500 stated stated_value',
    ],
  ])('claims %s before what is carried', (_, line, expected) => {
    const text = `PreferredStockSharesOutstanding, ${P}, 100\nPreferredStockValue, ${P}, 77, USD\n${line}`;
    expect(claims(text)).toEqual([`preferred preferred ${expected}`]);
  });

  it('adds up classes, and has no sum where one claim is not filed', () => {
    const text = `PreferredStockSharesOutstanding, ${P}, 100, shares, class=SeriesAPreferredStockMember
      PreferredStockLiquidationPreference, ${P}, 10, USD/shares, class=SeriesAPreferredStockMember
      PreferredStockSharesOutstanding, ${P}, 50, shares, class=SeriesBPreferredStockMember`;
    expect(preferredOf(text).claim).toBeNull();
    const more = `\nPreferredStockLiquidationPreference, ${P}, 2, USD/shares, class=SeriesBPreferredStockMember`;
    expect(String(preferredOf(text + more).claim)).toBe('1100');
  });

  it('reads the reporting currency and no convenience translation beside it (DDC)', () => {
    const text = `PreferredStockSharesOutstanding, ${P}, 100\nPreferredStockValue, ${P}, 730, CNY\nPreferredStockValue, ${P}, 100, USD`;
    expect(claims(text, { currency: 'CNY' })).toEqual(['preferred preferred 730 stated carrying_amount']);
  });
});

describe('redeemable common stock (M18.40)', () => {
  it('is a class of its own, outside of the shares outstanding (FLD 2024-09-30, a blank-check company then)', () => {
    const text = `TemporaryEquitySharesOutstanding, ${P}, 4757884, shares, class=CommonClassAMember
      TemporaryEquityRedemptionPricePerShare, ${P}, 10.96~2, USD/shares, class=CommonClassAMember
      TemporaryEquityCarryingAmountAttributableToParent, ${P}, 51996271~0, USD, class=CommonClassAMember
      PreferredStockSharesOutstanding, ${P}, nil`;
    expect(claims(text)).toEqual(['CommonClassA redeemable_common 51996271 stated carrying_amount']);
  });

  it('is what is carried where an amount below it was redeemed already (FLD 2023-12-31)', () => {
    const text = `TemporaryEquitySharesOutstanding, ${P}, 15630150, shares, class=CommonClassAMember
      TemporaryEquityCarryingAmountAttributableToParent, ${P}, 165721882, USD, class=CommonClassAMember
      TemporaryEquityAggregateAmountOfRedemptionRequirement, ${P}, 115489643, USD, class=CommonClassAMember`;
    expect(claims(text)).toEqual(['CommonClassA redeemable_common 165721882 stated carrying_amount']);
  });

  it('and preferred stock that can be redeemed are two kinds', () => {
    expect(
      claims(`TemporaryEquitySharesOutstanding, ${P}, 100, shares, class=RedeemableConvertiblePreferredStockMember
        TemporaryEquityCarryingAmount, ${P}, 900, USD, class=RedeemableConvertiblePreferredStockMember
        TemporaryEquityAggregateAmountOfRedemptionRequirement, ${P}, 1000, USD, class=RedeemableConvertiblePreferredStockMember`),
    ).toEqual(['RedeemableConvertiblePreferredStock preferred 1000 stated redemption_value']);
  });
});

describe('dividends (M18.41)', () => {
  const base = `PreferredStockSharesOutstanding, ${P}, 1000
    PreferredStockLiquidationPreference, ${P}, 100, USD/shares`;
  const rate = `PreferredStockDividendRatePercentage, 2024-01-01/2024-12-31, 0.1, pure
    PreferredStockDividendRatePercentage, 2025-01-01/${P}, 8, pure`;

  it('are the newest rate on the claim, a rate above one in percent', () => {
    expect(String(preferredOf(`${base}\n${rate}`).annualDividends)).toBe('8000');
  });

  it.each([
    ['6000', []],
    ['6600', []],
    ['6601', ['dividend_rate_differs']],
    ['5399', ['dividend_rate_differs']],
  ])('of nine months at %s against 8,000 a year', (declared, notes) => {
    const text = `${base}\n${rate}\nDividendsPreferredStock, 2025-01-01/${P}, ${declared}, USD`;
    expect(preferredOf(text).classes.map((one) => one.notes)).toEqual([notes]);
  });
});
