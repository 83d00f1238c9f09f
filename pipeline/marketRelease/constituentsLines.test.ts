import { expect, it } from 'vitest';
import type { PerpConstituentsRow } from '../../data/contract/payloads/market/perpConstituents.ts';
import { constituent, marketProduct, registryVersion } from '../../fixtures/builders/marketSeries.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { constituentsLines } from './streamMarket.ts';

const rowOf = (version: Parameters<typeof registryVersion>[0]): PerpConstituentsRow => {
  const lines = constituentsLines({
    product: { ...marketProduct(), versions: [registryVersion(version)] },
    date: '2026-02-07',
    covered: new Set(),
    parameters: registryParameters,
  });
  return JSON.parse(lines?.split('\n')[0] ?? 'null') as PerpConstituentsRow;
};
const pair = [constituent('A', { weight: 0.6 }), constituent('B', { weight: 0.4 })];

it('says of a stand-in list in the row itself that it is one, and never that its weights are valid (M8.6c)', () => {
  expect(rowOf({ constituents: pair, standIn: true })).toMatchObject({
    weights_valid: false,
    stand_in: true,
    quality_flags: ['registry_stand_in'],
    total_weight: 1,
  });
  expect(rowOf({ constituents: pair })).toMatchObject({
    weights_valid: true,
    stand_in: false,
    quality_flags: [],
  });
});
