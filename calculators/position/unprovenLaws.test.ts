import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { fairValueTotal } from '../crypto/fairValues.ts';
import { coinCandidates } from '../crypto/taggedCoins.ts';
import { factSheet } from '../filing/factSheet.ts';
import { priceBook } from '../prices/priceBook.ts';
import { positionIssuer } from './positionIssuer.ts';

const parameters = registryParameters;
const prices = priceBook([], parameters);
const context = {
  sourceDate: '2026-02-07',
  asOf: '2026-02-07T23:00:00Z',
  backfilled: false,
  parameters,
  prices,
} as const;

type Balance = Record<string, number>;
const coinTags = parameters.concepts.coins.map((concept) => concept.replace('us-gaap:', ''));
const debtTags = parameters.concepts.debt.map(({ concept }) => concept.replace('us-gaap:', ''));

/** A balance sheet of a coin treasury from any few tags of debt and coins. */
const balances = fc
  .tuple(
    fc.dictionary(fc.constantFrom(...coinTags), fc.integer({ min: 1, max: 900 }), { maxKeys: 4 }),
    fc.dictionary(fc.constantFrom(...debtTags), fc.integer({ min: 1, max: 900 }), { maxKeys: 5 }),
  )
  .map(([coins, debt]): Balance => ({ ...coins, ...debt, Assets: 5_000, Liabilities: 4_000 }));

const position = (balance: Balance, issuerClass = 'crypto_treasury') =>
  positionIssuer(issuerInputs({ issuer: { issuerClass, primaryAsset: null }, balance }), context);

describe('laws of unproven rows', () => {
  it('unproven debt is at most every rival total that was considered (M15.65)', () => {
    let unproven = 0;
    fc.assert(
      fc.property(balances, (balance) => {
        const { debt } = position(balance);
        if (debt.coverage !== 'low_confidence_missing_debt') return;
        unproven += debt.rivals.length > 0 ? 1 : 0;
        for (const rival of debt.rivals) expect(debt.total.compare(rival)).toBeLessThanOrEqual(0);
        const filed = debt.roots.reduce((sum, root) => sum + root.value.toNumber() * root.weight, 0);
        expect(debt.total.toNumber()).toBe(filed);
      }),
      { numRuns: 400 },
    );
    expect(unproven).toBeGreaterThan(0);
  });

  it('unproven coins are at most every total that was considered (M15.65)', () => {
    let unproven = 0;
    fc.assert(
      fc.property(balances, (balance) => {
        const inputs = issuerInputs({ issuer: { primaryAsset: null }, balance });
        const sheet = factSheet(inputs, context.sourceDate);
        const fair = fairValueTotal(sheet, parameters);
        const { holdings } = position(balance);
        if (holdings.isProven || fair === null) return;
        unproven += 1;
        const { smallest } = coinCandidates({ ...inputs, sheet, fair, facts: null, prices, parameters });
        for (const total of [...fair.totals, smallest]) {
          expect(holdings.amount.compare(total)).toBeLessThanOrEqual(0);
        }
      }),
      { numRuns: 400 },
    );
    expect(unproven).toBeGreaterThan(0);
  });

  it('a coin-named amount above 1 % of assets takes the note no_crypto away (M15.69)', () => {
    const named = fc.constantFrom('x:BitcoinHeld', 'x:DigitalAssets', 'x:EtherStaked', 'CryptoAssetCost');
    const debts = fc.dictionary(fc.constantFrom(...debtTags), fc.integer({ min: 1, max: 900 }), {
      maxKeys: 3,
    });
    fc.assert(
      fc.property(named, fc.integer({ min: 51, max: 4_000 }), debts, (name, amount, debt) => {
        const bare = { ...debt, Assets: 5_000, Liabilities: 4_000 };
        const isNoted = (balance: Balance) =>
          position(balance, 'technology').notes.some((note) => note.startsWith('no_crypto'));
        expect(isNoted(bare)).toBe(true);
        expect(isNoted({ ...bare, [name]: amount })).toBe(false);
      }),
    );
  });
});
