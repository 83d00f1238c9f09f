import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { instrument } from '../../../fixtures/builders/capitalParts.ts';
import { figureText, statedLines } from '../../../fixtures/builders/filedFacts.ts';
import type { StockAnswer } from '../../prices/stockBook.ts';
import type { Figure } from '../figure.ts';
import type { Instruments } from '../parts.ts';
import { resolvePreferred } from '../preferred/resolvePreferred.ts';
import { resolveShares } from '../shares/resolveShares.ts';
import { type NavInput, netAssetValue } from './netAssetValue.ts';

const P = '2025-09-30';
const d = ExactDecimal.parse;

const noInstruments: Instruments = {
  currency: 'USD',
  found: [],
  refused: [],
  stack: { status: 'unproven', difference: null, principal: null },
  notes: [],
};

function figure(value: string, status: 'proven' | 'stated' = 'stated'): Figure {
  return { value: d(value), status, basis: 'filed', facts: [] };
}

function closed(close: string, date = P): StockAnswer {
  return {
    kind: 'close',
    close: { date, close: d(close), source: 'dat-tracker', licence: null, basis: 'as_filed' },
  };
}

function navOf({
  facts,
  period = P,
  instruments = noInstruments,
  title,
  ...rest
}: { facts: string; period?: string; instruments?: Instruments; title?: string } & Partial<
  Omit<NavInput, 'capital'>
>) {
  const stated = statedLines(facts);
  const preferred = resolvePreferred({ period, facts: stated });
  const at = { concept: 'dei:Security12bTitle', contextId: 'c', start: null, end: period, dimensions: [] };
  const terms = title === undefined ? [] : [{ ...at, value: title }];
  const shares = resolveShares({ filing: { period }, facts: stated, terms, instruments, preferred });
  return netAssetValue({
    capital: { shares, preferred, instruments },
    basis: 'filed',
    coins: null,
    units: [],
    debt: null,
    cash: null,
    assets: null,
    pledgedReceivable: null,
    close: { kind: 'none', reason: 'price_missing' },
    splits: [],
    filed: addMonth(period),
    ...rest,
  });
}

function addMonth(period: string): string {
  return `${period.slice(0, 8)}${period.endsWith('30') ? '30' : '31'}`;
}

const coins = (amount: string, isLowerBound = false, unitsAtClose: string | null = null) => ({
  amount: d(amount),
  isLowerBound,
  unitsAtClose: unitsAtClose === null ? null : d(unitsAtClose),
});
const outstanding = (count: string) => `CommonStockSharesOutstanding, ${P}, ${count}`;

describe('coins a share (M18.49)', () => {
  it.each([
    ['KULR 0001104659-25-113662', 'BTC', '1056.69', '42614936', '0.0000248'],
    ['BMNR 0001493152-26-002084', 'ETH', '3737140', '408578823', '0.00914668'],
    ['MSTR 0000950170-24-051230', 'BTC', '214278', '17647000', '0.01214246'],
  ])('are the units of the period over its count: %s', (_, asset, units, count, expected) => {
    const nav = navOf({ facts: outstanding(count), units: [{ asset, units: figure(units) }] });
    expect(nav.coinsPerShare.map(({ asset: coin, perShare }) => `${coin} ${figureText(perShare)}`)).toEqual([
      `${asset} ${expected} stated`,
    ]);
    expect(nav.countDate).toBe(P);
  });

  it('are over the cover where the balance sheet has a placeholder, and null without any count', () => {
    const units = [{ asset: 'HYPE', units: figure('12700000') }];
    const facts = `${outstanding('100')}\ndei:EntityCommonStockSharesOutstanding, 2025-12-05, 127025563`;
    const nav = navOf({ facts, units });
    expect(nav.coinsPerShare.map(({ perShare }) => figureText(perShare))).toEqual(['0.09997988 stated']);
    expect(nav.countDate).toBe('2025-12-05');
    const none = navOf({ facts: `PreferredStockValue, ${P}, 0, USD`, units });
    expect(none.coinsPerShare.map(({ perShare }) => figureText(perShare))).toEqual(['null missing:shares']);
  });

  it('with prefunded warrants and all exercised stand beside', () => {
    const facts = `${outstanding('1000')}
      ClassOfWarrantOrRightOutstanding, ${P}, 250, shares, warrant=own:PrefundedWarrantsMember
      ShareBasedCompensationArrangementByShareBasedPaymentAwardOptionsOutstandingNumber, ${P}, 750`;
    const [coin] = navOf({ facts, units: [{ asset: 'BTC', units: figure('10') }] }).coinsPerShare;
    expect(coin && [coin.perShare, coin.perSharePrefunded, coin.perShareDiluted].map(figureText)).toEqual([
      '0.01 stated',
      '0.008 stated',
      '0.005 partial',
    ]);
  });
});

describe('market value over coins (M18.49)', () => {
  it.each([
    ['BTCS 0001493152-25-022359 at 4.83', '47075189', '293180682', '4.83', '0.775539'],
    ['KULR 0001104659-25-113662 at 4.16', '42614936', '120523261', '4.16', '1.470904'],
    ['LITS 0001193125-25-283111 at 2.42', '35655000', '99369000', '2.42', '0.86833'],
  ])('is the close times the count over C: %s', (_, count, amount, close, expected) => {
    const nav = navOf({ facts: outstanding(count), coins: coins(amount), close: closed(close) });
    expect(figureText(nav.mnavGross)).toBe(`${expected} stated`);
    expect([nav.closeDate, nav.countDate]).toEqual([P, P]);
  });

  const full = {
    facts: `${outstanding('1000')}
      PreferredStockSharesOutstanding, ${P}, 10
      PreferredStockLiquidationPreference, ${P}, 20, USD/shares`,
    coins: coins('50000'),
    debt: d('8000'),
    cash: d('3000'),
    assets: d('60000'),
    close: closed('40'),
  };

  it('net of debt, cash and preferred claims', () => {
    const nav = navOf(full);
    expect([nav.gross, nav.netOfDebt, nav.netOfClaims, nav.perShare].map(figureText)).toEqual([
      '50000 stated',
      '45000 stated',
      '44800 stated',
      '44.8 stated',
    ]);
    // (40,000 + 8,000 + 200 − 3,000) / 50,000 and 40,000 / 44,800
    expect([nav.mnavGross, nav.mnavEnterprise, nav.mnavNet].map(figureText)).toEqual([
      '0.8 stated',
      '0.904 stated',
      '0.892857 stated',
    ]);
  });

  it('takes the principal for the debt where the instruments tie', () => {
    const stack = { status: 'ties' as const, difference: d('0'), principal: d('9000') };
    expect(figureText(navOf({ ...full, instruments: { ...noInstruments, stack } }).netOfDebt)).toBe(
      '44000 stated',
    );
  });

  it('is null over less than nothing', () => {
    const nav = navOf({ ...full, debt: d('53000') });
    expect([nav.netOfDebt, nav.mnavNet].map(figureText)).toEqual([
      '0 stated',
      'null not_applicable:not above zero',
    ]);
  });

  it.each([
    ['without a close', { close: { kind: 'none', reason: 'price_missing' } as const }, 'null price_missing'],
    [
      'without a known basis',
      { close: { kind: 'none', reason: 'price_basis_unknown' } as const },
      'null price_basis_unknown',
    ],
    ['without debt', { debt: null }, '0.8 stated'],
    ['at cost less impairment', { coins: coins('50000', true) }, 'null lower_bound:coins'],
    ['at cost less impairment, units at their close', { coins: coins('50000', true, '80000') }, '0.5 stated'],
  ])('of gross coins %s', (_, change, expected) => {
    expect(figureText(navOf({ ...full, ...change }).mnavGross)).toBe(expected);
  });

  it('misses what is not known of the other lenses', () => {
    const nav = navOf({ ...full, debt: null });
    expect([nav.netOfDebt, nav.mnavEnterprise, nav.mnavNet].map(figureText)).toEqual(
      Array(3).fill('null missing:debt'),
    );
    expect(figureText(navOf({ ...full, cash: null }).netOfClaims)).toBe('null missing:cash');
  });

  it('brings the count to the day of the close over a split after the filing', () => {
    const split = { date: '2025-12-01', ratio: 0.1, source: 'registry' as const };
    const after = navOf({
      ...full,
      filed: '2025-11-10',
      close: closed('400', '2025-12-05'),
      splits: [split],
    });
    expect(figureText(after.mnavGross)).toBe('0.8 stated');
    // filed after the split the count is restated, and the close of the period end was of the shares before
    const restated = navOf({ ...full, filed: '2025-12-10', close: closed('4'), splits: [split] });
    expect(figureText(restated.mnavGross)).toBe('0.8 stated');
  });

  it('reads a close of depositary shares as one of the ordinary shares it counts (M18.42b)', () => {
    const listed = (title: string) => navOf({ ...full, close: closed('40'), title });
    const own = navOf({ ...full, close: closed('4') });
    const ten = listed('American Depositary Shares, each representing ten ordinary shares');
    expect(figureText(ten.mnavGross)).toBe(figureText(own.mnavGross));
    expect(ten.coinsPerShare).toEqual(own.coinsPerShare);
    const unknown = listed('American Depositary Shares');
    expect(unknown.mnavGross).toMatchObject({
      value: null,
      reason: 'missing',
      part: 'ordinary shares per ADS',
    });
    expect(figureText(unknown.perShare)).toBe(figureText(own.perShare));
  });

  it('says when the count is older than a hundred days, and what coins are a part of', () => {
    expect(navOf({ ...full, close: closed('40', '2026-01-08') }).notes).toEqual([]);
    expect(navOf({ ...full, close: closed('40', '2026-01-09') }).notes).toEqual(['count_old']);
    expect(navOf({ ...full, assets: d('100001') }).notes).toEqual(['coins are a part of the enterprise']);
  });
});

describe('market value of diluted shares (M18.47)', () => {
  it('gives mNAV of diluted shares over what is left with the converted notes', () => {
    const nav = navOf({
      facts: `${outstanding('1000')}
        ShareBasedCompensationArrangementByShareBasedPaymentAwardOptionsOutstandingNumber, ${P}, 100
        ShareBasedCompensationArrangementByShareBasedPaymentAwardOptionsOutstandingWeightedAverageExercisePrice, ${P}, 10, USD/shares
        ShareBasedCompensationArrangementByShareBasedPaymentAwardEquityInstrumentsOtherThanOptionsNonvestedNumber, ${P}, 30, shares, award=RestrictedStockUnitsRSUMember`,
      instruments: {
        ...noInstruments,
        found: [
          instrument({
            ...{ id: 'notes', principal: '8000', kind: 'convertible_note' },
            ...{ conversionPrice: figure('20'), conversionShares: figure('400') },
          }),
        ],
      },
      coins: coins('50000'),
      debt: d('8000'),
      cash: d('3000'),
      close: closed('40'),
    });
    // 40 × 1,505 / (45,000 + 8,000)
    expect(figureText(nav.mnavDiluted)).toBe('1.135849 stated');
  });
});

describe('laws of the lenses', () => {
  const amount = fc.integer({ min: 1, max: 1_000_000 });
  const at = (money: readonly [number, number, number, number], scale: number) => {
    const [held, owed, cash, preference] = money.map((each) => String(each * scale));
    return navOf({
      facts: `${outstanding('1000')}
        PreferredStockSharesOutstanding, ${P}, 1
        PreferredStockLiquidationPreference, ${P}, ${preference}, USD/shares
        ShareBasedCompensationArrangementByShareBasedPaymentAwardOptionsOutstandingNumber, ${P}, 100
        ShareBasedCompensationArrangementByShareBasedPaymentAwardOptionsOutstandingWeightedAverageExercisePrice, ${P}, ${10 * scale}, USD/shares`,
      coins: coins(held ?? ''),
      debt: d(owed ?? ''),
      cash: d(cash ?? ''),
      assets: d(held ?? ''),
      close: closed(String(40 * scale)),
    });
  };

  it('keep their ratios when all money is scaled, and scale their amounts', () => {
    fc.assert(
      fc.property(fc.tuple(amount, amount, amount, amount), fc.constantFrom(10, 1000, 7), (money, scale) => {
        const [one, scaled] = [at(money, 1), at(money, scale)];
        const ratios = ({ mnavGross, mnavEnterprise, mnavNet, mnavDiluted, digitalAssetShare }: typeof one) =>
          [mnavGross, mnavEnterprise, mnavNet, mnavDiluted, digitalAssetShare].map(figureText);
        expect(ratios(scaled)).toEqual(ratios(one));
        const net = one.netOfClaims.value?.times(d(String(scale)));
        expect(scaled.netOfClaims.value?.toString()).toBe(net?.toString());
      }),
      { numRuns: 60 },
    );
  });

  it('lose what is owed and what stands before common stock, and no more', () => {
    fc.assert(
      fc.property(fc.tuple(amount, amount, amount, amount), (money) => {
        const [held, owed, cash, preference] = money;
        const { netOfDebt, netOfClaims } = at(money, 1);
        expect(netOfDebt.value?.toNumber()).toBe(held + cash - owed);
        expect(netOfClaims.value?.toNumber()).toBe(held + cash - owed - preference);
      }),
      { numRuns: 60 },
    );
  });
});

describe('the share of coins in assets (M18.49)', () => {
  it.each([
    ['RIOT 0001104659-25-104466', '2200053000', '4478816000', null, '0.491213', false, 'null not_filed'],
    ['CLSK 2025-06-30', '1079754000', '3101817000', '271491000', '0.348104', false, '0.43563 stated'],
    ['FLD 2025-09-30', '179688082', '190966112', null, '0.940942', true, 'null not_filed'],
    ['BTBT 0001213900-25-110383', '423682364', '1133084610', null, '0.373919', false, 'null not_filed'],
    ['BMNR 0001493152-26-002084', '10561789000', '11487275000', null, '0.919434', true, 'null not_filed'],
    ['LITS 0001193125-25-283111', '99369000', '113337000', null, '0.876757', true, 'null not_filed'],
  ])('%s', (_, amount, assets, pledged, share, isAbove, withPledged) => {
    const pledgedReceivable = pledged === null ? null : d(pledged);
    const nav = navOf({
      facts: outstanding('1'),
      coins: coins(amount),
      assets: d(assets),
      pledgedReceivable,
    });
    expect([figureText(nav.digitalAssetShare), nav.isAboveIndexThreshold]).toEqual([
      `${share} stated`,
      isAbove,
    ]);
    expect(figureText(nav.digitalAssetShareWithPledged)).toBe(withPledged);
  });
});
