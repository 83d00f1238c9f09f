import { describe, expect, it } from 'vitest';
import { anyCapital, anyInstrument, dateFigure, figureOf } from '../../fixtures/builders/anyCapital.ts';
import type { Capital } from '../capital/capital.ts';
import { absentFigure } from '../capital/figure.ts';
import { wholeCapitalRow } from '../capital/surface/capitalRow.ts';
import { capitalMoves, capitalStanding } from './capitalMoves.ts';

const subject = {
  issuer: { cik: '0000000001', ticker: 'XY', entityName: 'XY INC' },
  debtCoverage: 'resolved_nonzero' as const,
  computedAt: '2026-02-07T09:30:00Z',
};
const holder = (capital: Capital | null) => ({
  ticker: 'XY',
  cik: '0000000001',
  capital: capital === null ? null : capitalStanding(wholeCapitalRow(capital, subject)),
});
const linesOf = (now: Capital, before: Capital | null) =>
  capitalMoves(holder(now), holder(before)).map(({ kind, text }) => [kind, text]);
const later = { accession: '0000000001-26-000009' };
const before = anyCapital();
const [note = anyInstrument({ id: '' }), loan = anyInstrument({ id: '' })] = before.instruments.found;
const withFound = (...found: Capital['instruments']['found']) => ({ ...before.instruments, found });

describe('what moved of a capital structure (M18.85)', () => {
  it('is nothing on the same filing, and nothing where the slice before holds none', () => {
    expect(linesOf(anyCapital({ instruments: withFound(note) }), before)).toEqual([]);
    expect(capitalMoves(holder(anyCapital(later)), holder(null))).toEqual([]);
    expect(capitalMoves(holder(anyCapital(later)), null)).toEqual([]);
    expect(linesOf(anyCapital(later), before)).toEqual([]);
  });

  it('is an instrument that is new, one that is gone and a principal that changed, each with its proof', () => {
    const bond = anyInstrument({
      id: 'BondMember',
      name: 'Bond',
      principal: figureOf('5000000', { status: 'stated' }),
    });
    const less = { ...note, principal: figureOf('30000000') };
    expect(linesOf(anyCapital({ ...later, instruments: withFound(less, bond) }), before)).toEqual([
      ['instrument_new', 'new: Bond, principal 5,000,000 USD, stated by one tag'],
      [
        'instrument_gone',
        'repaid, converted or no longer filed: Term Loan, principal before 20,000,000 USD, stated by one tag',
      ],
      [
        'principal_changed',
        'Convertible Notes Due 2030: principal 30,000,000 USD, proven, before 40,000,000',
      ],
    ]);
  });

  it('is no principal that is not filed any more: null is not zero', () => {
    const unknown = { ...note, principal: absentFigure('conflict') };
    expect(linesOf(anyCapital({ ...later, instruments: withFound(unknown, loan) }), before)).toEqual([]);
  });

  it('is a date that enters the next twelve months, on the day it does, whatever the filing', () => {
    const on = (sourceDate: string) => anyCapital({ sourceDate });
    expect(linesOf(on('2027-03-15'), on('2027-03-14'))).toEqual([
      [
        'maturity_near',
        'within twelve months: Convertible Notes Due 2030 holders may ask for repayment on 2028-03-15, principal 40,000,000 USD, proven',
      ],
    ]);
    expect(linesOf(on('2027-03-16'), on('2027-03-15'))).toEqual([]);
    const moved = { ...loan, maturityDate: dateFigure('2029-01-01') };
    expect(
      linesOf(
        anyCapital({ sourceDate: '2028-01-02', instruments: withFound(moved) }),
        anyCapital({ sourceDate: '2027-12-31', instruments: withFound(moved) }),
      ),
    ).toEqual([
      [
        'maturity_near',
        'within twelve months: Term Loan due on 2029-01-01, principal 20,000,000 USD, stated by one tag',
      ],
    ]);
  });

  it('is a preferred claim that changed, appeared or went', () => {
    const { classes } = before.preferred;
    const [series] = classes;
    if (series === undefined) throw new Error('the made-up issuer has a class');
    const raised = { ...before.preferred, classes: [{ ...series, claim: figureOf('12000000') }] };
    const none = { ...before.preferred, classes: [] };
    expect(linesOf(anyCapital({ ...later, preferred: raised }), before)).toEqual([
      ['preferred_changed', 'Series A Preferred Stock: claim 12,000,000, proven, before 10,000,000'],
    ]);
    expect(linesOf(anyCapital({ ...later, preferred: none }), before)).toEqual([
      ['preferred_changed', 'Series A Preferred Stock: claim not filed as a fact, before 10,000,000'],
    ]);
  });

  it('is a share count from one percent on, on one split basis', () => {
    const { shares } = before;
    const counted = (outstanding: string, splits: typeof shares.splits = []) =>
      anyCapital({
        ...later,
        shares: {
          ...shares,
          asOf: '2025-12-31',
          outstanding: figureOf(outstanding, { status: 'stated' }),
          splits,
        },
      });
    expect(linesOf(counted('10099999'), before)).toEqual([]);
    expect(linesOf(counted('10100000'), before)).toEqual([
      ['shares_moved', 'shares outstanding 10,100,000, stated by one tag, +1.0 % against 2025-09-30'],
    ]);
    // one for ten, then a fifth more
    const reverse = [{ date: '2025-11-15', ratio: 0.1, source: 'fact' as const }];
    expect(linesOf(counted('1200000', reverse), before)).toEqual([
      [
        'shares_moved',
        'shares outstanding 1,200,000, stated by one tag, +20.0 % on one split basis against 2025-09-30',
      ],
    ]);
  });

  it('is the month the cash falls short: another, the first, or none any more', () => {
    const { runway } = before;
    const short = (value: string) =>
      anyCapital({
        runway: {
          ...runway,
          firstShortfallMonth: { value, status: 'stated', basis: 'dated_debt', facts: [] },
        },
      });
    expect(linesOf(short('2026-05'), before)).toEqual([
      ['shortfall_moved', 'cash falls short in 2026-05, stated by one tag, before 2026-06'],
    ]);
    expect(linesOf(before, short('none_in_60'))).toEqual([
      ['shortfall_moved', 'cash falls short in 2026-06, stated by one tag'],
    ]);
    expect(linesOf(short('none_in_60'), before)).toEqual([
      ['shortfall_moved', 'cash falls short in no month of the next 60, before 2026-06'],
    ]);
  });
});
