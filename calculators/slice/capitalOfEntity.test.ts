import { expect, it } from 'vitest';
import { filedFact, type InputsOf, issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { readPrices } from '../../fixtures/builders/readTables.ts';
import { registryParameters as parameters } from '../../fixtures/builders/registryParameters.ts';
import { positionIssuer } from '../position/positionIssuer.ts';
import { priceBook } from '../prices/priceBook.ts';
import { capitalOn } from './capitalOn.ts';

// capital of a filing whose instance is not known: companyfacts has the facts of the whole entity

const sourceDate = '2025-11-19';
const prices = priceBook(
  (await readPrices()).map((row) => ({ ...row, close: Number(row.close) })),
  parameters,
);
const k = 1000;
const { filing } = issuerInputs({});
const flow = (concept: string, value: number) => filedFact(filing, { concept, value, start: '2025-01-01' });

/** MSTR 0001193125-25-262568 as companyfacts states it, in dollars. */
const strategy: InputsOf = {
  balance: {
    IndefiniteLivedIntangibleAssetsExcludingGoodwill: 73_205_725 * k,
    Assets: 73_619_038 * k,
    LongTermDebtCurrent: 316 * k,
    LongTermDebtNoncurrent: 8_173_587 * k,
    Liabilities: 15_501_990 * k,
    PreferredStockValue: 0,
    TemporaryEquityCarryingAmountAttributableToParent: 5_786_330 * k,
    CashAndCashEquivalentsAtCarryingValue: 54_285 * k,
  },
  facts: [
    filedFact(filing, { concept: 'PreferredStockSharesOutstanding', value: 0, unit: 'shares' }),
    flow('Revenues', 354_245 * k),
    flow('NetCashProvidedByUsedInOperatingActivities', -45_612 * k),
    flow('DividendsPreferredStock', 198_040 * k),
  ],
};

function capitalOf(inputs: InputsOf) {
  const position = positionIssuer(issuerInputs(inputs), { sourceDate, prices, parameters });
  return capitalOn(position, { sourceDate, prices, liveCoins: null });
}

it('pays the debt of companyfacts and its preferred stock before common, and knows no dividend rate (M18.2, M18.40)', () => {
  const { absent, notes, claims, preferred, runway } = capitalOf(strategy);
  expect([absent, notes]).toEqual([null, ['entity_facts_only']]);
  const half = claims.find(({ lens, shock }) => lens === 'coins_only' && shock === 0.5);
  // 73,205,725 / 2 = 36,602,862.5 less 8,173,903 and 5,786,330
  expect(half?.lines.map((line) => [line.class, `${line.claim}`])).toEqual([
    ['unsecured', '8173903000'],
    ['preferred', '5786330000'],
    ['common', '22642629500'],
  ]);
  expect(
    preferred.classes.map(({ kind, claim }) => [kind, claim.value === null ? null : claim.basis]),
  ).toEqual([['preferred', 'carrying_amount']]);
  expect(runway.annualPreferredDividends).toMatchObject({ value: null, reason: 'not_filed' });
  expect(runway.monthsAfterDividends).toMatchObject({ value: null, reason: 'missing' });
});

it('takes shares redeemed at a price, without dividends, for redeemable common stock', () => {
  const facts = strategy.facts?.filter(({ concept }) => concept !== 'DividendsPreferredStock') ?? [];
  const price = filedFact(filing, {
    ...{ concept: 'TemporaryEquityRedemptionPricePerShare', value: '10.25', unit: 'USD/shares' },
  });
  const kinds = (more: InputsOf['facts'] = []) =>
    capitalOf({ ...strategy, facts: [...facts, ...more] }).preferred.classes.map(({ kind }) => kind);
  expect(kinds([price])).toEqual(['redeemable_common']);
  expect(kinds()).toEqual(['preferred']);
});

it('knows of no claim where no fact is known', () => {
  const { absent, claims, claimsAbsent } = capitalOf({});
  expect([absent, claims, claimsAbsent.coins_only]).toEqual(['no_instance', [], 'status_unproven']);
});
