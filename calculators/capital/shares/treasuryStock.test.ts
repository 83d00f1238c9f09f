import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { figure, instrument, instruments } from '../../../fixtures/builders/capitalParts.ts';
import { figureText, statedLines } from '../../../fixtures/builders/filedFacts.ts';
import type { Instrument, Instruments } from '../parts.ts';
import { resolveShares } from './resolveShares.ts';
import { treasuryStock } from './treasuryStock.ts';

const P = '2025-09-30';

describe('the treasury-stock method (M18.47)', () => {
  const warrant = (name: string, count: string, price: string) =>
    `ClassOfWarrantOrRightOutstanding, ${P}, ${count}, shares, warrant=lits:${name}Member
    ClassOfWarrantOrRightExercisePriceOfWarrantsOrRights1, ${P}, ${price}, USD/shares, warrant=lits:${name}Member`;
  const lits = `CommonStockSharesOutstanding, ${P}, 35655000
    ${warrant('Pre-FundedWarrantsIssuedInPIPE', '1130290', '0.0001')}
    ${warrant('Pre-FundedWarrantsIssuedForServices', '546348', '0.0001')}
    ${warrant('GSROneWarrats', '584795', '3.42')}
    ${warrant('OtherWarrants', '102513', '6.8')}`;
  const at = (facts: string, close: string, held: Instruments = instruments([])) =>
    treasuryStock(resolveShares({ filing: { period: P }, facts: statedLines(facts), instruments: held }), {
      close: ExactDecimal.parse(close),
      instruments: held,
    });

  it('adds prefunded shares less their price, and no warrant above the close (LITS 0001193125-25-283111 at 2.42)', () => {
    const { prefunded, warrants } = at(lits, '2.42');
    // 1,676,638 × (1 − 0.0001/2.42)
    expect(figureText(prefunded)).toBe('1676568.7174 stated');
    expect(figureText(warrants)).toBe('0 stated');
    expect(figureText(at(lits, '3.42').warrants)).toBe('0 stated');
    // 584,795 × (1 − 3.42/6.84)
    expect(figureText(at(lits, '6.84').warrants)).toBe(
      `${584795 / 2 + Number((102513 * (1 - 6.8 / 6.84)).toFixed(4))} stated`,
    );
  });

  const note = (over: Partial<Instrument> = {}) => {
    const terms = { conversionPrice: figure('20', 'stated'), conversionShares: figure('400', 'stated') };
    return { ...instrument({ id: 'notes', principal: '8000', kind: 'convertible_note' }), ...terms, ...over };
  };
  const missing = figure(null);
  const withNotes = (...found: readonly Instrument[]) => instruments(found);
  const base = `CommonStockSharesOutstanding, ${P}, 1000
    ShareBasedCompensationArrangementByShareBasedPaymentAwardOptionsOutstandingNumber, ${P}, 100
    ShareBasedCompensationArrangementByShareBasedPaymentAwardOptionsOutstandingWeightedAverageExercisePrice, ${P}, 10, USD/shares
    ShareBasedCompensationArrangementByShareBasedPaymentAwardEquityInstrumentsOtherThanOptionsNonvestedNumber, ${P}, 30, shares, award=RestrictedStockUnitsRSUMember`;

  it('adds notes above their price, whose principal then is no debt', () => {
    const found = at(base, '40', withNotes(note()));
    // 1,000 + 100 × (1 − 10/40) + 30 + 400
    expect([found.shares, found.convertedPrincipal].map(figureText)).toEqual(['1505 partial', '8000 stated']);
    const below = at(base, '20', withNotes(note()));
    expect([below.shares, below.convertedPrincipal].map(figureText)).toEqual(['1080 partial', '0 stated']);
  });

  it('reads the price a note implies: its principal over the shares it becomes (MSTR 2025 notes: 397.99)', () => {
    const old = note({
      principal: figure('650000000', 'stated'),
      conversionPrice: missing,
      conversionShares: figure('1633190', 'stated'),
    });
    expect(figureText(at(base, '397.99', withNotes(old)).converts)).toBe('0 stated');
    expect(figureText(at(base, '398', withNotes(old)).converts)).toBe('1633190 stated');
    // RIOT files the quarter's incremental shares of its one note
    const incremental = `${base}\nIncrementalCommonSharesAttributableToConversionOfDebtSecurities, 2025-07-01/${P}, 500`;
    const one = withNotes(note({ conversionPrice: missing, conversionShares: missing }));
    expect(figureText(at(incremental, '16', one).converts)).toBe('0 stated');
    expect(figureText(at(incremental, '16.01', one).converts)).toBe('500 stated');
  });

  it('is null where a note files no price, or has it for no dollars', () => {
    const unpriced = withNotes(
      note(),
      note({ id: 'others', conversionPrice: missing, conversionShares: missing }),
    );
    expect(figureText(at(base, '40', unpriced).shares)).toBe('null missing:converts');
    const foreign = base.replace('10, USD/shares', '10, CAD/shares');
    expect(figureText(at(foreign, '40').options)).toBe('null missing:price in dollars');
  });
});
