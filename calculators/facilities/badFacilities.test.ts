import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { loanFact } from '../../fixtures/builders/facilityTables.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import type { InstanceFact } from '../filing/xbrlFiling.ts';
import { priceBook } from '../prices/priceBook.ts';
import { resolveFacilities } from './resolveFacilities.ts';

const parameters = registryParameters;
const period = '2025-06-30';
const prices = priceBook([{ date: period, asset: 'BTC', close: 100_000, source: 'yahoo' }], parameters);
const loan = 'us-gaap:DebtInstrumentAxis=own:CoinbaseLoanMember';

type Stated = Partial<Parameters<typeof loanFact>[0]> & { readonly concept: string; readonly value: string };

const at = (facts: readonly Stated[]): readonly InstanceFact[] =>
  facts.map((fact) => loanFact({ end: period, members: [loan], ...fact }));

function resolve(
  facts: readonly Stated[],
  {
    debt = null,
    coins = null,
    asset = 'BTC',
  }: { debt?: string | null; coins?: string | null; asset?: string } = {},
) {
  return resolveFacilities({
    filing: { period, filed: '2025-08-07' },
    xbrl: { facts: at(facts) },
    debt: debt === null ? null : ExactDecimal.parse(debt),
    holdings: {
      amount: coins === null ? ExactDecimal.zero : ExactDecimal.parse(coins),
      measurement: coins === null ? null : 'fair_value',
    },
    mix: [{ asset, amount: ExactDecimal.parse('1') }],
    fiscalYearStart: '2025-01-01',
    prices,
    parameters,
  });
}

const owed: Stated = { concept: 'us-gaap:LineOfCredit', value: '50000000' };
const pledged: Stated = { concept: 'own:BitcoinPledgedAsCollateral', value: '1000', unit: 'Bitcoin' };
const margin: Stated = { concept: 'own:MarginCallLevel', value: '1.25', unit: 'pure' };

describe('a loan whose facts are odd', () => {
  it('is High with amount, coins and trigger under one name', () => {
    const [found] = resolve([owed, pledged, margin]).found;
    expect(found).toMatchObject({ id: 'coinbaseloanmember', confidence: 'High', notes: [] });
    expect(found?.trigger?.ltv.toString()).toBe('0.8');
  });

  it('is marked as undrawn at 0', () => {
    const [found] = resolve([{ ...owed, value: '0' }, pledged, margin]).found;
    expect(found).toMatchObject({ notes: ['facility_undrawn'] });
    expect(found?.drawn?.amount.sign).toBe(0);
  });

  it('is left out when its pledge is released', () => {
    const { found, leftOut } = resolve([owed, { ...pledged, value: '0' }]);
    expect(found).toEqual([]);
    expect(leftOut).toMatchObject([
      { reason: 'its pledge is released: the coins pledged at the date are 0' },
    ]);
  });

  it('is left out without an amount', () => {
    expect(resolve([pledged])).toMatchObject({
      found: [],
      leftOut: [{ id: 'coinbaseloanmember', reason: 'no amount owed and no limit is stated' }],
    });
  });

  it('does not count coins that moved', () => {
    const moved = [
      'BitcoinTransferredToCollateralAccount',
      'AdditionalBitcoinPledged',
      'BitcoinCollateralReleased',
    ];
    const { found } = resolve([owed, ...moved.map((name) => ({ ...pledged, concept: `own:${name}` }))]);
    expect(found).toEqual([]);
  });

  it('keeps a pledge in a coin without a close, and says that it has none', () => {
    const [found] = resolve([
      owed,
      { ...pledged, concept: 'own:NumberOfTokensPledged', unit: 'HYPE' },
      margin,
    ]).found;
    expect(found).toMatchObject({ confidence: 'Medium', notes: ['facility_price_missing:HYPE'] });
    expect(found?.collateral).toMatchObject({ asset: 'HYPE', basis: 'units_times_price' });
  });

  it('keeps the value alone where the coins do not make it at the close', () => {
    const value: Stated = { concept: 'own:BitcoinCollateralPledgedFairValue', value: '100000000' };
    const good = resolve([owed, pledged, value]).found[0]?.collateral;
    expect(good).toMatchObject({ basis: 'tagged_value', units: ExactDecimal.parse('1000') });
    const [bad] = resolve([owed, { ...pledged, value: '1000000' }, value]).found;
    expect(bad).toMatchObject({ confidence: 'Low', notes: ['facility_units_rejected'] });
    expect(bad?.collateral).toMatchObject({ basis: 'tagged_value', units: null });
  });

  it('takes restricted coins for pledged ones only in the same number (RIOT 2025-09-30)', () => {
    const restricted: Stated = {
      concept: 'us-gaap:CryptoAssetFairValueRestricted',
      value: '100000000',
      members: [],
    };
    const number = (value: string): Stated => ({
      concept: 'us-gaap:CryptoAssetNumberOfRestrictedUnits',
      unit: 'item',
      members: [],
      value,
    });
    const basisOf = (units: string) =>
      resolve([owed, pledged, restricted, number(units)]).found[0]?.collateral?.basis;
    expect(basisOf('1000')).toBe('tagged_value');
    expect(basisOf('2000')).toBe('units_times_price');
  });

  it('uses coins of an earlier day only while it is drawn in full', () => {
    const earlier: Stated = { ...pledged, end: '2025-05-01' };
    const limit = (value: string): Stated => ({
      concept: 'us-gaap:LineOfCreditFacilityMaximumBorrowingCapacity',
      value,
      end: '2025-05-01',
    });
    expect(resolve([owed, earlier, limit('50000000')]).found[0]).toMatchObject({
      confidence: 'Medium',
      notes: ['facility_collateral_dated:2025-05-01'],
    });
    expect(resolve([owed, earlier, limit('60000000')]).found).toEqual([]);
  });

  it('has no amount above the debt of the issuer', () => {
    const [found] = resolve([owed, pledged], { debt: '40000000' }).found;
    expect(found).toMatchObject({ drawn: null, confidence: 'Low', notes: ['facility_exceeds_debt'] });
  });

  it('is marked where loans together exceed the debt, or pledges the coins held', () => {
    const second = 'us-gaap:DebtInstrumentAxis=own:OtherLoanMember';
    const both = [
      owed,
      pledged,
      { ...owed, members: [second], value: '45000000' },
      { ...pledged, members: [second] },
    ];
    const notesOf = (limits: Parameters<typeof resolve>[1]) =>
      resolve(both, limits).found.map(({ notes }) => notes);
    expect(notesOf({ debt: '100000000', coins: '200000000' })).toEqual([[], []]);
    expect(notesOf({ debt: '60000000' })).toEqual([
      ['facility_sum_exceeds_debt'],
      ['facility_sum_exceeds_debt'],
    ]);
    expect(notesOf({ coins: '150000000' })[0]).toEqual(['facility_collateral_exceeds_coins']);
  });

  it('is named as the loan of one entity where the facts are', () => {
    const entity = 'dei:LegalEntityAxis=own:MiningSubsidiaryLlcMember';
    const [found] = resolve([{ ...owed, members: [loan, entity] }, pledged]).found;
    expect(found).toMatchObject({
      confidence: 'Medium',
      notes: ['facility_of_entity:MiningSubsidiaryLlcMember'],
    });
  });

  it('is none of a sale and leaseback, a mortgage, or a covenant on equity', () => {
    const members = ['us-gaap:DebtInstrumentAxis=own:SaleLeasebackFinancingMember'];
    const mortgage = ['us-gaap:DebtInstrumentAxis=own:MortgageLoanMember'];
    const ratio: Stated = { concept: 'own:MaximumLoanToValueRatio', value: '0.65', unit: 'pure' };
    expect(
      resolve([
        { ...owed, members },
        { ...ratio, members },
      ]).found,
    ).toEqual([]);
    expect(
      resolve([
        { ...owed, members: mortgage },
        { ...ratio, members: mortgage },
      ]).found,
    ).toEqual([]);
    expect(
      resolve([owed, { ...ratio, concept: 'own:MinimumEquityCoverageRatio', value: '2' }]).found,
    ).toEqual([]);
    expect(resolve([owed, ratio])).toMatchObject({
      found: [],
      leftOut: [{ reason: 'its ratio is a covenant without coins' }],
    });
  });

  it('joins no names where three share one principal', () => {
    const named = (name: string): Stated => ({
      concept: 'us-gaap:DebtInstrumentFaceAmount',
      value: '50000000',
      members: [`us-gaap:DebtInstrumentAxis=own:${name}LoanMember`],
    });
    const { found } = resolve([owed, pledged, named('Coinbase'), named('Second')]);
    expect(found[0]?.id).toBe('coinbaseloanmember+secondloanmember');
    const three = resolve([owed, pledged, named('Coinbase'), named('Second'), named('Third')]).found;
    expect(three).toMatchObject([
      { id: 'coinbaseloanmember', notes: ['facility_join_ambiguous'], confidence: 'Low' },
    ]);
  });

  it('gives pledged coins of the whole entity to the one loan they can secure, else to none', () => {
    const whole: Stated = { concept: 'own:BitcoinCollateral', value: '100000000', members: [] };
    expect(resolve([owed, whole]).found).toMatchObject([{ id: 'coinbaseloanmember', confidence: 'Medium' }]);
    const other: Stated = { ...owed, members: ['us-gaap:DebtInstrumentAxis=own:OtherLoanMember'] };
    expect(resolve([owed, other, whole])).toMatchObject({
      found: [],
      leftOut: [{ name: 'own:BitcoinCollateral' }],
    });
    expect(resolve([{ ...owed, value: '9999999' }, whole]).found).toEqual([]);
  });
});

describe('what happened after the period end (M16.8)', () => {
  const later = { end: '2025-07-15' };

  it('is a row of its own and gives the loan of the balance sheet nothing', () => {
    const { found } = resolve([
      owed,
      pledged,
      { ...owed, ...later, value: '90000000' },
      { ...margin, ...later },
    ]);
    expect(
      found.map(({ asOf, isSubsequent, trigger }) => ({ asOf, isSubsequent, kind: trigger?.kind })),
    ).toEqual([
      { asOf: '2025-07-15', isSubsequent: true, kind: 'margin_call' },
      { asOf: period, isSubsequent: false, kind: undefined },
    ]);
  });

  it('is not read where it is dated after the filing', () => {
    const { found } = resolve([
      owed,
      pledged,
      { ...owed, end: '2025-08-08', value: '90000000' },
      { ...pledged, end: '2025-08-08' },
    ]);
    expect(found.map(({ asOf }) => asOf)).toEqual([period]);
  });
});
