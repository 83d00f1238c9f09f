import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { debtOfFacts } from '../../fixtures/builders/debtOfFacts.ts';
import { readFaces } from '../../fixtures/builders/faceTables.ts';
import { readBalance } from '../../fixtures/builders/readBalance.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { rowOfFace } from '../../fixtures/builders/rowOfFace.ts';
import type { XbrlFiling } from '../filing/xbrlFiling.ts';
import { provenDebt } from './provenDebt.ts';

const parameters = registryParameters;
const faces = new Map((await readFaces()).map((face) => [`${face.ticker} ${face.period}`, face]));

function faceOf(name: string) {
  const quoted = faces.get(name);
  if (quoted === undefined) throw new Error(`faces.csv lacks ${name}`);
  return quoted;
}

function debtOf(filing: XbrlFiling, { period, coins }: { period: string; coins: string }) {
  const { debt } = readBalance(filing, { period, parameters });
  return provenDebt(debt, { coins: ExactDecimal.parse(coins), areCoinsProven: true, parameters });
}

const withFacts = (filing: XbrlFiling, facts: XbrlFiling['facts']): XbrlFiling => ({ ...filing, facts });
const renamed = (filing: XbrlFiling, from: string, to: string) =>
  withFacts(
    filing,
    filing.facts.map((fact) => (fact.concept === from ? { ...fact, concept: to } : fact)),
  );

// Riot 10-Q 0001104659-25-104466: 253,243 K and 586,501 K of debt, 2,200,053 K of coins; both together HIGH (0.763385)
const riot = { period: '2025-09-30', coins: '2200053000' };
const [current, noncurrent] = ['us-gaap:LongTermDebtCurrent', 'us-gaap:LongTermDebtNoncurrent'];

describe('liabilities whose names do not say what they are (M1.36c)', () => {
  it('leave Riot 2025-09-30 as it is filed: 9 M of doubtful names decide nothing', () => {
    const debt = debtOf(faceOf('RIOT 2025-09-30').filing, riot);
    expect(debt).toMatchObject({ coverage: 'resolved_nonzero', method: 'face_order' });
    expect(debt.total.toString()).toBe('839744000');
    // future power credits 6,185 + 3,029 K, whose name speaks of credit, and other liabilities 25 K
    expect(debt.unidentified.toString()).toBe('9239000');
  });

  it.each([
    ['a facility under a name of its own', noncurrent, 'riot:CoinbaseFacility', 'LOW/HIGH', 253_243_000],
    ['an amount due to a lender', noncurrent, 'riot:AmountsDueToLender', 'LOW/HIGH', 253_243_000],
    ['other liabilities', noncurrent, 'us-gaap:OtherLiabilities', 'LOW/HIGH', 253_243_000],
    ['a current facility', current, 'riot:CoinbaseFacility', 'MODERATE/HIGH', 586_501_000],
  ])('refuse a tier where the debt is filed as %s', (_, from, to, bands, proven) => {
    const debt = debtOf(renamed(faceOf('RIOT 2025-09-30').filing, from, to), riot);
    expect(debt).toMatchObject({ coverage: 'low_confidence_missing_debt', method: null });
    expect(debt.notes).toContain(`tier_depends_on_candidate:${bands}`);
    expect(debt.total.toNumber()).toBe(proven);
  });

  it('refuse a zero where both debts are filed so: the lines that add up do not say that there is none', () => {
    const { filing } = faceOf('RIOT 2025-09-30');
    const both = renamed(renamed(filing, current, 'riot:FacilityCurrent'), noncurrent, 'riot:Facility');
    const debt = debtOf(both, riot);
    expect(debt.coverage).toBe('low_confidence_missing_debt');
    expect(debt.notes).toContain('tier_depends_on_candidate:LOW/HIGH');
  });

  it('are those of a walk: beside single facts a rest below the debt is no loan (M1.36e)', () => {
    const { filing } = faceOf('RIOT 2025-09-30');
    const dimensions = [{ axis: 'us-gaap:CreditFacilityAxis', member: 'riot:TermMember', typed: false }];
    const facts = filing.facts.map((fact) => (fact.concept === current ? { ...fact, dimensions } : fact));
    const debt = debtOf(withFacts(filing, facts), riot);
    expect(debt).toMatchObject({ coverage: 'resolved_nonzero', method: 'direct_precedence' });
    expect(debt.total.toString()).toBe('586501000');
  });

  it('change nothing where the tier is the same with them: 40 times the coins', () => {
    const debt = debtOf(renamed(faceOf('RIOT 2025-09-30').filing, noncurrent, 'riot:CoinbaseFacility'), {
      ...riot,
      coins: '88002120000',
    });
    expect(debt.coverage).toBe('resolved_nonzero');
  });

  it('say nothing over coins that are themselves not proven', () => {
    const { debt } = readBalance(
      renamed(faceOf('RIOT 2025-09-30').filing, noncurrent, 'riot:CoinbaseFacility'),
      {
        period: riot.period,
        parameters,
      },
    );
    const coins = ExactDecimal.parse(riot.coins);
    expect(provenDebt(debt, { coins, areCoinsProven: false, parameters })).toBe(debt);
  });
});

describe('what the liabilities leave over beside single facts (M1.36e)', () => {
  const provenOf = (balance: Record<string, number>) =>
    provenDebt(debtOfFacts({ Assets: 400, AccountsPayableCurrent: 10, ...balance }), {
      ...{ coins: ExactDecimal.parse('300'), areCoinsProven: true, parameters },
    });

  it.each([
    ['a loan of 5 of 215', { NotesPayableCurrent: 5, Liabilities: 215 }],
    ['a zero of 215', { LongTermDebtNoncurrent: 0, Liabilities: 215 }],
    [
      'a loan of 5 where the total with equity says 215',
      { NotesPayableCurrent: 5, LiabilitiesAndStockholdersEquity: 400, StockholdersEquity: 185 },
    ],
  ])('%s does not prove that nothing else is owed', (_, balance) => {
    const debt = provenOf(balance);
    expect(debt.coverage).toBe('low_confidence_missing_debt');
    expect(debt.notes.filter((note) => note.startsWith('tier_'))).toEqual([
      'tier_depends_on_candidate:LOW/CRITICAL',
    ]);
  });

  it.each([
    ['names', { NotesPayableCurrent: 5, DeferredRevenueNoncurrent: 200, Liabilities: 215 }, 'nonzero'],
    ['could not move the tier', { NotesPayableCurrent: 5, Liabilities: 84 }, 'nonzero'],
    ['could not move the tier', { LongTermDebtNoncurrent: 0, Liabilities: 80 }, 'zero'],
    [
      'is redeemable equity',
      {
        ...{ NotesPayableCurrent: 5, LiabilitiesAndStockholdersEquity: 400, StockholdersEquity: 185 },
        TemporaryEquityCarryingAmountAttributableToParent: 200,
      },
      'nonzero',
    ],
  ])('proves the debt where all else %s', (_, balance, coverage) => {
    expect(provenOf(balance).coverage).toBe(`resolved_${coverage}`);
  });
});

describe('payables, accruals and interest owed (M1.36c)', () => {
  /** 149.5 M of debt over 300 M of coins is HIGH, 0.5 M more is CRITICAL. */
  const faceWith = (line: string, amount = 1_600_000, debt = 149_500_000) => `
CashAndCashEquivalentsAtCarryingValue 20000000
PropertyPlantAndEquipmentNet 80000000
CryptoAssetFairValueNoncurrent 300000000
Assets 400000000
AccountsPayableCurrent 10000000
${line} ${amount}
LongTermDebtNoncurrent ${debt}
Liabilities ${10_000_000 + amount + debt}
StockholdersEquity ${390_000_000 - amount - debt}
LiabilitiesAndStockholdersEquity 400000000`;

  it.each([
    'InterestPayableCurrent',
    'InterestPayableCurrentAndNoncurrent',
    'x:AccruedInterestPayable',
    'x:AccruedExpensesAndInterest',
    'AccruedLiabilitiesCurrent',
    'EmployeeRelatedLiabilitiesCurrent',
    'AccountsPayableAndOtherAccruedLiabilitiesCurrent',
    // KULR 2024-03-31 and 2025-03-31
    'x:AccruedExpenseAndOtherCurrentLiabilities',
    'ifrs-full:TradeAndOtherCurrentPayables',
    'ifrs-full:NoncurrentLeaseLiabilities',
    'ifrs-full:NoncurrentProvisions',
    'ifrs-full:CurrentContractLiabilities',
    'InterestPayableRelatedParties',
    'InterestAndDividendsPayableCurrent',
    'x:AccruedInterestOnConvertibleNotes',
    'x:AccruedInterestPayableOnLoans',
    'SalesAndExciseTaxPayableCurrent',
    'EstimatedLitigationLiabilityCurrent',
    'RestructuringReserveCurrent',
    'LiabilityForUncertainTaxPositionsNoncurrent',
    'x:ElectricityPayable',
    'x:StockRepurchasesPayable',
  ])('are no unnamed lines: %s', (line) => {
    const row = rowOfFace(faceWith(line));
    expect(row).toMatchObject({ debt: '149500000', tier: 'HIGH', stress50: 0.996667 });
  });

  it.each([
    'AccountsPayableRelatedPartiesCurrent',
    'x:AccruedInterestOnLoansAndNotesPayable',
    'AccountsPayableInterestBearingCurrent',
    'OtherAccruedLiabilitiesCurrent',
    'x:AccruedInterestAndNotes',
    'x:AccruedInterestAndOther',
    'x:AccruedLiabilitiesAndNotes',
    'x:AccruedLiabilitiesAndOtherLiabilities',
    'x:AccruedFinancing',
  ])('stay unnamed where the name says that there is more: %s', (line) => {
    const row = rowOfFace(faceWith(line));
    expect(row).toMatchObject({ debt: '149500000', tier: 'UNCLASSIFIED', basis: 'debt_unproven' });
    expect(row.notes).toContain('tier_depends_on_candidate:HIGH/CRITICAL');
  });

  it('count as a sign of more debt where the interest is above 15 % of it', () => {
    const at = (interest: number) => rowOfFace(faceWith('InterestPayableCurrent', interest, 90_000_000)).tier;
    // 90 M is 0.6 of the shocked coins, 103.5 M 0.69
    expect([at(13_500_000), at(13_500_001)]).toEqual(['MODERATE', 'UNCLASSIFIED']);
  });

  it('say that there is debt where none is counted', () => {
    const face = faceWith('InterestPayableCurrent', 80_000_000, 0).replace(/LongTermDebt.*\n/, '');
    expect(rowOfFace(face)).toMatchObject({ debt: '0', tier: 'UNCLASSIFIED' });
  });
});
