import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { dropReassignedAliases, loadUniverse } from './universe.ts';

const registry = fileURLToPath(new URL('../../data/registry/universe.csv', import.meta.url));

it('drops AACI from XRPN once Armada Acquisition Corp. III is listed under it', async () => {
  const universe = await loadUniverse(registry);
  // the registry dropped it when that happened
  const issuers = universe.map((one) => (one.ticker === 'XRPN' ? { ...one, aliases: ['AACI'] } : one));
  const aliases = (owner: string) =>
    dropReassignedAliases({ issuers, listed: new Map([['AACI', owner]]) }).find((i) => i.ticker === 'XRPN')
      ?.aliases;
  expect(aliases('0002044009')).toEqual(['AACI']);
  expect(aliases('0002092897')).toEqual([]);
});

it('keeps every alias nobody else is listed under', async () => {
  const issuers = await loadUniverse(registry);
  expect(dropReassignedAliases({ issuers, listed: new Map() })).toEqual(issuers);
});
