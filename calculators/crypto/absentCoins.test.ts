import { describe, expect, it } from 'vitest';
import { computeIssuer } from '../../fixtures/builders/computeIssuer.ts';
import { faceStatement } from '../../fixtures/builders/faceStatement.ts';
import { issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters as parameters } from '../../fixtures/builders/registryParameters.ts';
import { priceBook } from '../prices/priceBook.ts';

const prices = priceBook([], parameters);
const asOf = '2025-11-20T07:00:00Z';

/** The row of a face whose assets are the lines given and, of 9,000, more that no line has. */
function row(lines: string, issuerClass = 'crypto_treasury') {
  const face = `
Cash 1000
${lines}
PropertyPlantAndEquipmentNet 2000
Assets 9000
AccountsPayableCurrent 100
Liabilities 100
StockholdersEquity 8900
LiabilitiesAndStockholdersEquity 9000`;
  const inputs = issuerInputs({ issuer: { issuerClass }, xbrl: faceStatement(face) });
  const context = { sourceDate: '2025-11-19', asOf, prices, parameters, backfilled: false };
  const { stress } = computeIssuer(inputs, context);
  const notes = stress.data_quality_notes?.filter((note) => note.startsWith('crypto_unproven'));
  return [stress.total_crypto_fair_value.toString(), stress.figures_basis, ...(notes ?? [])];
}

describe('coin lines of a face that does not add up (M3.3b)', () => {
  it.each([
    ['a line below 1 % of the assets', 'x:DigitalAssetsNetNonCurrent 18', '18'],
    ['two lines', 'x:BitcoinCurrent 18\nx:BitcoinNoncurrent 5', '23'],
    ['two lines and their total', 'x:BitcoinCurrent 18\nx:BitcoinNoncurrent 5\nx:Bitcoin 23', '23'],
    ['pledged coins inside a line', 'x:BitcoinPledged 7\nx:Bitcoin 18', '18'],
    ['pledged coins alone', 'x:BitcoinPledged 7', '7'],
    ['one amount under two names', 'x:Bitcoin 18\nx:DigitalAssets 18', '18'],
  ])('are the proven part: %s', (_, lines, proven) => {
    expect(row(lines)).toEqual([proven, 'crypto_unproven', `crypto_unproven:${proven}`]);
    // whatever the class of the issuer: a line with a coin's name is no proven absence
    expect(row(lines, 'technology')).toEqual([proven, 'crypto_unproven', `crypto_unproven:${proven}`]);
  });

  it.each([
    'x:BitcoinMiningEquipment',
    'x:CryptoHostingPrepayments',
    'x:BitcoinMachines',
    'x:DigitalAssetDeposits',
    'x:BitcoinETF',
    'x:BitcoinTrustShares',
    'x:TokenizedMortgages',
    'x:GainOnDigitalAssets',
    'x:BitcoinCost',
  ])('are no coins with a name of other things: %s', (concept) => {
    expect(row(`${concept} 500`)[0]).toBe('0');
  });

  it('stay below a larger amount of the notes, which the note names', () => {
    const noted = `x:Bitcoin 18\nPropertyPlantAndEquipmentNet 2000\nAssets 9000\nx:BitcoinHeldByLender 900`;
    expect(row(noted)).toEqual(['18', 'crypto_unproven', 'crypto_unproven:900']);
  });

  it('are the coins as ever where the face adds up', () => {
    expect(row('x:Bitcoin 6000')).toEqual(['6000', 'resolved']);
  });
});
