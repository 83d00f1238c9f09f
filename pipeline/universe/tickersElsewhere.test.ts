import { describe, expect, it } from 'vitest';
import { tickersElsewhere } from './universe.ts';

const fold = { cik: '0001889123', ticker: 'FLD' };
const none = () => false;

describe('tickers that SEC lists under another CIK', () => {
  it('names the universe row of FLD with one digit of its CIK changed, which has no filing', () => {
    const issuers = [{ ...fold, cik: '0001889128' }];
    expect(tickersElsewhere({ issuers, listed: new Map([['FLD', fold.cik]]), hasRow: none })).toEqual([
      "the universe names CIKs without a filing: FLD is CIK 0001889128 in the universe and 0001889123 in SEC's ticker list",
    ]);
  });

  it('says nothing of an issuer with a row, of an unlisted ticker and of one without a ticker', () => {
    const listed = new Map([['FLD', '0000000001']]);
    expect(tickersElsewhere({ issuers: [fold], listed, hasRow: (cik) => cik === fold.cik })).toEqual([]);
    expect(tickersElsewhere({ issuers: [fold], listed: new Map(), hasRow: none })).toEqual([]);
    expect(tickersElsewhere({ issuers: [{ ...fold, ticker: null }], listed, hasRow: none })).toEqual([]);
  });

  it('says nothing of BRR, which an older list gives to the shell that merged into ProCap', () => {
    const issuers = [
      { cik: '0002076163', ticker: 'BRR' },
      { cik: '0002056263', ticker: null },
    ];
    expect(tickersElsewhere({ issuers, listed: new Map([['BRR', '0002056263']]), hasRow: none })).toEqual([]);
  });
});
