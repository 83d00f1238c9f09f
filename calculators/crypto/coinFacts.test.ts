import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { factSheet } from '../filing/factSheet.ts';
import { unknownCoinConcepts } from './coinFacts.ts';

const unknown = (balance: Readonly<Record<string, number>>) =>
  unknownCoinConcepts(factSheet(issuerInputs({ balance }), '2026-02-07'), registryParameters.concepts);
const list = resolve('../shared/data/crypto-elements-2025.txt');

describe('elements of coins that are not known (M1.51)', () => {
  it('are those of a newer taxonomy, of whichever standard, and no names of filers', () => {
    expect(
      unknown({
        CryptoAssetFairValueStaked: 5,
        'ifrs-full:HoldingsOfCryptoAssets': 6,
        'srt:CryptoAssetLent': 7,
        CryptoAssetFairValue: 8,
        CryptoAssetPurchase: 9,
        Assets: 10,
        'abcd:CryptoAssetsOfOurs': 11,
      }),
    ).toEqual([
      'ifrs-full:HoldingsOfCryptoAssets',
      'srt:CryptoAssetLent',
      'us-gaap:CryptoAssetFairValueStaked',
    ]);
  });

  it('are none of the 48 of us-gaap-2025', (ctx) => {
    if (!existsSync(list)) ctx.skip('../shared/data is not beside the project');
    const names = readFileSync(list, 'utf8').trim().split('\n');
    expect(names).toHaveLength(48);
    expect(unknown(Object.fromEntries(names.map((name) => [name, 1])))).toEqual([]);
  });
});
