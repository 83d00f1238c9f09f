import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { statementOf } from '../../fixtures/rigs/reportBlocks.ts';
import { addDays } from '../exact/civilDate.ts';
import { checkAmount } from './checkAmount.ts';
import { currentUnits, scopeOf } from './currentUnits.ts';
import { debtSince } from './debtSince.ts';
import type { Statement } from './statement.ts';

const exact = (text: string) => ExactDecimal.parse(text);
const stock = (asOf: string, units: string, more: Parameters<typeof statementOf>[0] = {}) =>
  statementOf({ asOf, units, filed: asOf, ...more });
const week = (from: string, to: string, units: string, more: Parameters<typeof statementOf>[0] = {}) =>
  statementOf({
    kind: 'purchase',
    periodFrom: from,
    asOf: to,
    units,
    filed: to,
    dateBasis: 'period',
    ...more,
  });
const filed = { periodEnd: '2025-09-30', units: exact('640031') };
const units = (
  statements: Statement[],
  day = '2025-11-03',
  sheet: { periodEnd: string; units: ExactDecimal | null } = filed,
) => {
  const current = currentUnits({ statements, asset: 'BTC', day, filed: sheet });
  return [current.units?.toString(), current.basis, current.asOf, ...current.notes];
};

describe('current units', () => {
  const quarterEnd = stock('2025-09-30', '640031');
  const november = stock('2025-11-02', '641205');

  it('are the newest stock after the balance sheet in force, also on the day the sheet comes into force', () => {
    expect(units([quarterEnd, november])).toEqual([
      '641205',
      'stated',
      '2025-11-02',
      'units_stated:2025-11-02',
      'coins_gap:1174',
    ]);
  });

  it('are filed units without a stock after the period end', () => {
    expect(units([quarterEnd])).toEqual(['640031', 'periodic', '2025-09-30']);
    expect(units([stock('2025-08-03', '628791')])).toEqual(['640031', 'periodic', '2025-09-30']);
  });

  it('move nothing where the stated scope is not that of the sheet, unless a stock of its day says what it is', () => {
    expect(units([november])).toEqual(['640031', 'periodic', '2025-09-30', 'units_scope_unknown']);
    const pledgedToo = [stock('2025-09-30', '650000'), stock('2025-10-31', '660000')];
    const current = currentUnits({ statements: pledgedToo, asset: 'BTC', day: '2025-11-03', filed });
    expect([current.units?.toString(), current.scopeUnits?.toString()]).toEqual(['660000', '650000']);
  });

  it('add later table flows only on three proven links', () => {
    const chain = [
      quarterEnd,
      week('2025-10-01', '2025-10-05', '0'),
      stock('2025-10-05', '640031'),
      week('2025-10-06', '2025-10-12', '220'),
      stock('2025-10-12', '640251'),
      week('2025-10-13', '2025-10-19', '168'),
      stock('2025-10-19', '640419'),
    ];
    const later = week('2025-10-20', '2025-10-26', '390');
    expect(units([...chain, later]).slice(0, 3)).toEqual(['640809', 'stated_rolled', '2025-10-26']);
    expect(units([...chain, { ...later, fromTable: false }]).slice(0, 3)).toEqual([
      '640419',
      'stated',
      '2025-10-19',
    ]);
    expect(units([...chain.slice(0, 5), later]).slice(0, 3)).toEqual(['640251', 'stated', '2025-10-12']);
  });

  it('hold back a contradicted or quarantined stock, and say how old one is', () => {
    const bought = week('2025-10-01', '2025-11-02', '50');
    expect(units([quarterEnd, bought, stock('2025-11-02', '639000')]).slice(0, 2)).toEqual([
      '640031',
      'periodic',
    ]);
    expect(units([quarterEnd, stock('2025-11-02', '6400310')])).toEqual([
      ...['640031', 'periodic', '2025-09-30', 'units_quarantined'],
    ]);
    expect(units([quarterEnd, november], '2026-01-05')).toContain('units_stale:64');
  });
});

describe('the scope of stated units', () => {
  it('agrees within half a percent of the filed units, flows to the day included', () => {
    const sheet = { periodEnd: '2025-11-30', units: exact('3737140') };
    expect(scopeOf([stock('2025-11-30', '3726499')], 'BTC', sheet)).toEqual({ verdict: 'agrees' });
    expect(
      scopeOf([stock('2025-11-23', '3629701'), week('2025-11-24', '2025-11-30', '96798')], 'BTC', sheet),
    ).toEqual({ verdict: 'agrees' });
    expect(scopeOf([stock('2025-11-23', '3629701')], 'BTC', sheet)).toEqual({
      verdict: 'differs',
      percent: -2.87,
    });
    expect(scopeOf([], 'BTC', sheet)).toBeNull();
  });
});

describe('debt since the balance sheet', () => {
  const closing = (asOf: string, usd: string, filedOn = asOf) =>
    statementOf({ kind: 'notes_issued', asset: 'USD', asOf, usd, filed: filedOn });

  it('counts closings and repayments after the period end once, by the day of the event', () => {
    const statements = [
      closing('2024-09-19', '1010000000'),
      closing('2024-09-19', '1010000000', '2024-09-23'),
      closing('2024-06-18', '800000000'),
      statementOf({ kind: 'debt_repaid', asset: 'USD', asOf: '2024-09-26', usd: '500000000' }),
      statementOf({ kind: 'redemption_notice', asset: 'USD', asOf: '2024-09-26', usd: '500000000' }),
    ];
    const since = debtSince({
      statements,
      filedDebt: exact('3900000000'),
      periodEnd: '2024-06-30',
      day: '2024-09-30',
    });
    expect([since.debt, since.low, since.high].map(String)).toEqual([
      '4410000000',
      '3400000000',
      '4910000000',
    ]);
    expect(
      debtSince({
        statements,
        filedDebt: exact('3900000000'),
        periodEnd: '2024-06-30',
        day: '2024-09-20',
      }).debt.toString(),
    ).toBe('4910000000');
  });

  it('never falls below filed debt plus notes that buy coins (law)', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 12n }),
        fc.bigInt({ min: 1n, max: 10n ** 12n }),
        (debt, notes) => {
          const since = debtSince({
            ...{
              statements: [closing('2025-10-10', notes.toString())],
              filedDebt: new ExactDecimal(debt, 0),
            },
            ...{ periodEnd: '2025-09-30', day: addDays('2025-10-10', 1) },
          });
          expect(since.debt.equals(new ExactDecimal(debt + notes, 0))).toBe(true);
        },
      ),
    );
  });
});

describe('the amount of a purchase', () => {
  const closes = { low: exact('85000'), high: exact('90000') };
  const bought = (given: Parameters<typeof statementOf>[0]) =>
    checkAmount(statementOf({ kind: 'purchase', ...given }), closes).notes;

  it('must fit the closes of its days within 15 %, and mean times units must be the amount', () => {
    expect(bought({ units: '855', usd: '75300000', avgPrice: '87974' })).toEqual([]);
    expect(bought({ units: '3', usd: '300000', avgPrice: '88210' })).toEqual([]);
    expect(bought({ units: '855', usd: '75.3', avgPrice: '87974' })).toEqual(['price_mismatch']);
    expect(bought({ units: '855', usd: '79300000', avgPrice: '87974' })).toEqual(['price_mismatch']);
    expect(bought({ units: '855', usd: '121000000' })).toEqual(['price_mismatch']);
  });

  it('is taken off a statement that it does not fit, and its coins stay', () => {
    const kept = checkAmount(statementOf({ kind: 'sale', units: '855', usd: '1' }), closes);
    expect([kept.units?.toString(), kept.usd]).toEqual(['855', null]);
  });
});
