import { describe, expect, it } from 'vitest';
import { faceStatement } from '../../fixtures/builders/faceStatement.ts';
import { rowOfFace } from '../../fixtures/builders/rowOfFace.ts';
import { fact } from '../../fixtures/builders/statementFiling.ts';
import type { XbrlFiling } from '../filing/xbrlFiling.ts';

/** An IFRS filer with 150 M of borrowings; `coins` of 1,000 M of assets, the rest of the current assets is cash. */
const ifrs = (coins: number, change: (face: string) => string = (face) => face) =>
  change(`
ifrs-full:CashAndCashEquivalents ${450_000_000 - coins}
x:DigitalAssetsAtFairValue ${coins}
ifrs-full:CurrentAssets 450000000
ifrs-full:PropertyPlantAndEquipment 550000000
ifrs-full:NoncurrentAssets 550000000
ifrs-full:Assets 1000000000
ifrs-full:TradeAndOtherCurrentPayables 30000000
ifrs-full:CurrentBorrowingsAndCurrentPortionOfNoncurrentBorrowings 60000000
ifrs-full:CurrentLiabilities 90000000
ifrs-full:LongtermBorrowings 90000000
ifrs-full:NoncurrentLiabilities 90000000
ifrs-full:Liabilities 180000000
ifrs-full:IssuedCapital 820000000
ifrs-full:Equity 820000000
ifrs-full:EquityAndLiabilities 1000000000`);

describe('filers under IFRS', () => {
  it('have assets, so that their coins have a share of them, and equity (M3.24, M10.10)', () => {
    const row = rowOfFace(ifrs(400_000_000));
    expect(row).toMatchObject({ debt: '150000000', coins: '400000000', stress50: 0.75, tier: 'HIGH' });
    expect(row).toMatchObject({ share: 0.4, relevance: 'core', equity: '820000000' });
    expect(row.notes).not.toContain('equity_not_reported');
  });

  it('have no tier where their coins are 1 % of the assets (M3.10)', () => {
    const row = rowOfFace(ifrs(10_000_000));
    expect(row).toMatchObject({ share: 0.01, relevance: 'incidental', tier: 'UNCLASSIFIED' });
    expect(row.notes).toContain('coins_incidental:0.01');
  });

  it('have the equity of their owners where no total of equity is filed (M10.10)', () => {
    const row = rowOfFace(
      ifrs(400_000_000, (face) =>
        face.replace('ifrs-full:Equity ', 'ifrs-full:EquityAttributableToOwnersOfParent '),
      ),
    );
    expect(row).toMatchObject({ equity: '820000000', tier: 'HIGH' });
  });
});

describe('coins of unknown weight (M3.25)', () => {
  const face = `
AccountsPayableCurrent 10000000
LongTermDebtNoncurrent 100000000
Liabilities 110000000
StockholdersEquity 290000000
LiabilitiesAndStockholdersEquity 400000000
CryptoAssetFairValue 300000000`;

  it('give no tier and say so, where no total of assets is filed', () => {
    const row = rowOfFace(face);
    expect(row).toMatchObject({ debt: '100000000', stress50: 0.666667, share: null, tier: 'UNCLASSIFIED' });
    expect(row.notes).toContain('relevance_unknown');
  });

  it('are no such coins where one is', () => {
    const row = rowOfFace(`Assets 400000000\n${face}`);
    expect(row).toMatchObject({ share: 0.75, relevance: 'core', tier: 'HIGH' });
    expect(row.notes).not.toContain('relevance_unknown');
  });
});

describe('the currency of the statements (M1.7d)', () => {
  const face = ifrs(400_000_000);
  const inCad = (concepts: RegExp): XbrlFiling => {
    const filing = faceStatement(face);
    const facts = filing.facts.map((fact) => (concepts.test(fact.concept) ? { ...fact, unit: 'CAD' } : fact));
    return { ...filing, facts };
  };

  it('is said where it is not USD, and nothing is proven', () => {
    const row = rowOfFace(inCad(/./));
    expect(row).toMatchObject({ debt: '0', coins: '0', basis: 'both_unproven', tier: 'UNCLASSIFIED' });
    expect(row.notes).toContain('reporting_currency:CAD');
  });

  it('makes what notes state in USD no figure of the issuer', () => {
    const row = rowOfFace(inCad(/^ifrs-full/));
    expect(row).toMatchObject({ debt: '0', coins: '0', basis: 'both_unproven', tier: 'UNCLASSIFIED' });
  });

  it('is USD where the balance sheet is translated, whatever stands beside it', () => {
    const both = inCad(/./);
    const facts = [...faceStatement(face).facts, ...both.facts];
    const row = rowOfFace({ ...both, facts });
    expect(row).toMatchObject({ debt: '150000000', tier: 'HIGH', stress50: 0.75 });
    expect((row.notes ?? []).join()).not.toContain('reporting_currency');
  });

  it('is USD where only a note is in another currency', () => {
    const usd = faceStatement(face);
    const note = fact({ concept: 'ifrs-full:Borrowings', value: 5, unit: 'CAD', position: 99 });
    const row = rowOfFace({ ...usd, facts: [...usd.facts, note] });
    expect(row).toMatchObject({ debt: '150000000', tier: 'HIGH' });
  });
});
