import { describe, expect, it } from 'vitest';
import { computeIssuer } from '../../fixtures/builders/computeIssuer.ts';
import { faceStatement } from '../../fixtures/builders/faceStatement.ts';
import { issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters as parameters } from '../../fixtures/builders/registryParameters.ts';
import { fact } from '../../fixtures/builders/statementFiling.ts';
import type { InstanceFact, XbrlFiling } from '../filing/xbrlFiling.ts';
import { priceBook } from '../prices/priceBook.ts';

const prices = priceBook([], parameters);
const asOf = '2025-11-20T07:00:00Z';
const face = `
Cash 14
Goodwill 305
IndefiniteLivedIntangibleAssetsExcludingGoodwill 385
Assets 704
AccountsPayableCurrent 300
Liabilities 300
StockholdersEquity 404
LiabilitiesAndStockholdersEquity 704`;

/** The row of a treasury issuer whose face has an intangible line of 385, with more facts of the instance. */
function row(xbrl: XbrlFiling | null, balance = {}) {
  const inputs = issuerInputs({ xbrl, balance });
  const context = { sourceDate: '2025-11-19', asOf, prices, parameters, backfilled: false };
  const { stress } = computeIssuer(inputs, context);
  return [stress.total_crypto_fair_value.toString(), stress.figures_basis];
}

const withFact = (added: InstanceFact): XbrlFiling => {
  const filing = faceStatement(face);
  return { ...filing, facts: [...filing.facts, { ...added, position: 99 }] };
};

describe('indefinite-lived intangibles of a treasury issuer (M2.6)', () => {
  it('are no coins where the instance names none: they are brands', () => {
    expect(row(faceStatement(face))).toEqual(['0', 'crypto_unproven']);
    const ofMachines = fact({ concept: 'x:BitcoinMinerEquipment', value: 3, end: '2024-12-31' });
    expect(row(withFact(ofMachines))).toEqual(['0', 'crypto_unproven']);
  });

  it.each([
    ['a concept of another day', fact({ concept: 'x:DigitalAssetImpairment', value: 3, end: '2024-12-31' })],
    ['a unit', fact({ concept: 'x:NumberHeld', value: 3, unit: 'Bitcoin', end: '2024-12-31' })],
    [
      'a member',
      fact({
        concept: 'OtherAssets',
        value: 3,
        end: '2024-12-31',
        dimensions: [{ axis: 'x:AssetAxis', member: 'x:BitcoinMember', typed: false }],
      }),
    ],
  ])('are coins where %s names one', (_, added) => {
    expect(row(withFact(added))).toEqual(['385', 'resolved']);
  });

  it('are coins as before where companyfacts alone is at hand, which has no names of the filer', () => {
    const balance = { IndefiniteLivedIntangibleAssetsExcludingGoodwill: 385, Assets: 704 };
    expect(row(null, balance)).toEqual(['385', 'debt_unproven']);
  });
});
