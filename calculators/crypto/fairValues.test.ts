import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { factSheet } from '../filing/factSheet.ts';
import type { InstanceFact, XbrlFiling } from '../filing/xbrlFiling.ts';
import { measuredAtFairValue } from './fairValues.ts';

const parameters = registryParameters;
const period = '2023-12-31';
const coins = ExactDecimal.parse('25202929');

type Stated = { concept: string; value: string | null; members?: readonly string[]; end?: string };

function isAtFairValue(stated: readonly Stated[]): boolean {
  const facts = stated.map(({ concept, value, members = [], end = period }, position): InstanceFact => {
    const dimensions = members.map((member, n) => ({ axis: `x:Axis${n}`, member, typed: false }));
    const amount = value === null ? null : ExactDecimal.parse(value);
    return {
      concept,
      contextId: `c${position}`,
      unit: 'USD',
      value: amount,
      decimals: 0,
      start: null,
      end,
      dimensions,
    };
  });
  const filing: XbrlFiling = {
    cik: '0001436229',
    accession: '0000000000-24-018592',
    facts,
    arcs: [],
    presentations: [],
    roles: [],
    concepts: [],
    defects: [],
  };
  const inputs = issuerInputs({ filing: { period, filed: '2024-03-21' } });
  return measuredAtFairValue({ sheet: factSheet(inputs, '2024-03-21'), filing, parameters }, coins);
}

const level = (n: 1 | 2 | 3) => `us-gaap:FairValueInputsLevel${n}Member`;

describe('coins at fair value before the adoption year (M2.1c)', () => {
  it.each<[string, readonly Stated[]]>([
    [
      'BTCS 2023-12-31, all at level 1',
      [{ concept: 'btcs:CryptoAssets', value: '25202929', members: [level(1)] }],
    ],
    [
      'levels that add up, each stated twice',
      [
        {
          concept: 'us-gaap:AssetsFairValueDisclosure',
          value: '202929',
          members: ['x:DigitalAssetsMember', level(1)],
        },
        {
          concept: 'us-gaap:AssetsFairValueDisclosure',
          value: '25000000',
          members: ['x:DigitalAssetsMember', level(2)],
        },
        {
          concept: 'us-gaap:AssetsFairValueDisclosure',
          value: '25000000',
          members: ['x:DigitalAssetsMember', level(2)],
        },
        {
          concept: 'us-gaap:AssetsFairValueDisclosure',
          value: null,
          members: ['x:DigitalAssetsMember', level(3)],
        },
      ],
    ],
    [
      'a level of the filer itself',
      [{ concept: 'clsk:BitcoinsValue', value: '25202929', members: ['clsk:Level1Member'] }],
    ],
    ['a fair value by its name', [{ concept: 'clsk:FairValueOfBitcoin', value: '25202929' }]],
  ])('are known by %s', (_, stated) => {
    expect(isAtFairValue(stated)).toBe(true);
  });

  it.each<[string, readonly Stated[]]>([
    ['another fair value', [{ concept: 'mstr:FairValueOfBitcoin', value: '75202929' }]],
    ['the amount under a name that is no fair value', [{ concept: 'btcs:CryptoAssets', value: '25202929' }]],
    [
      'money market funds at level 1',
      [{ concept: 'us-gaap:MoneyMarketFundsAtCarryingValue', value: '25202929', members: [level(1)] }],
    ],
    [
      'coins written down',
      [
        {
          concept: 'btcs:CryptoAssets',
          value: '25202929',
          members: [level(1), 'us-gaap:FairValueMeasurementsNonrecurringMember'],
        },
      ],
    ],
    [
      'another date',
      [{ concept: 'btcs:CryptoAssets', value: '25202929', members: [level(1)], end: '2022-12-31' }],
    ],
    ['nothing', []],
  ])('are not shown by %s', (_, stated) => {
    expect(isAtFairValue(stated)).toBe(false);
  });
});
