import { describe, expect, it } from 'vitest';
import { computeIssuer } from '../../fixtures/builders/computeIssuer.ts';
import { faceStatement } from '../../fixtures/builders/faceStatement.ts';
import { issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { priceBook } from '../prices/priceBook.ts';
import { faceOrderRole, networkWords } from './faceNetwork.ts';

describe('where a walk found its lines', () => {
  it.each([
    [faceOrderRole, 'the document order'],
    ['http://www.kulrtechnology.com/role/BalanceSheets', 'BalanceSheets'],
    ['http://example.com/role/BS/', 'BS'],
  ])('%s is called %s', (role, words) => {
    expect(networkWords({ role })).toBe(words);
  });

  it('the ladders of debt and coins name the document order in words, not by its role', () => {
    const parameters = registryParameters;
    const xbrl = faceStatement(`
CashAndCashEquivalentsAtCarryingValue 600
OtherAssetsCurrent 400
AssetsCurrent 1000
OtherAssetsNoncurrent 500
Assets 1500
AccountsPayableCurrent 200
LiabilitiesCurrent 200
LongTermDebtNoncurrent 0
OtherLiabilitiesNoncurrent 100
Liabilities 300
StockholdersEquity 1200
LiabilitiesAndStockholdersEquity 1500`);
    const { trail } = computeIssuer(issuerInputs({ xbrl }), {
      sourceDate: '2025-11-14',
      asOf: '2025-11-14T23:00:00Z',
      backfilled: false,
      parameters,
      prices: priceBook([], parameters),
    });
    const rungs = (trail?.ratio.children ?? []).flatMap((total) => total.rungs);
    expect(rungs.filter(({ rung }) => rung.endsWith('face_order'))).toEqual([
      {
        rung: 'face_order',
        taken: false,
        reason: 'no debt above zero under us-gaap:Liabilities in the document order',
      },
      {
        rung: 'assets_face_order',
        taken: false,
        reason: 'no coins under us-gaap:Assets in the document order',
      },
    ]);
  });
});
