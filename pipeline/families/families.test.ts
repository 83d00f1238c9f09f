import { expect, it } from 'vitest';
import { composeGraded } from '../../calculators/composeSlice.ts';
import { payloads } from '../../data/contract/payloads/payloads.ts';
import { modelCard } from '../../data/contract/payloads/reports/modelCard.ts';
import type { AnyStored } from '../../data/contract/payloads/stored.ts';
import { companyRows, registrants } from '../../data/contract/payloads/universe/companies.ts';
import { landing } from '../../data/contract/payloads/universe/landing.ts';
import {
  goldenContext,
  goldenDate,
  goldenParameters,
  goldenPositions,
} from '../../fixtures/builders/goldenSlice.ts';
import { families, streamedFamilies } from './families.ts';
import { releaseArtifacts } from './releaseArtifacts.ts';

const slice = composeGraded(goldenPositions(), { context: await goldenContext(), history: [] });
const facts = {
  sourceDate: goldenDate,
  slice,
  issuers: slice.issuers.map(({ issuer }) => issuer),
  history: [],
  parameters: goldenParameters,
};
const keysOf = async (input: { backfilled: boolean }) =>
  (await releaseArtifacts({ slice: facts }, input)).artifacts.map(({ key }) => key).sort();

it('has one family for every stored form of the contract', () => {
  const defined = new Set<AnyStored>([companyRows, landing, modelCard, registrants]);
  for (const { stored } of Object.values(payloads))
    for (const form of Object.values(stored) as AnyStored[]) defined.add(form);
  const made = [...families, ...streamedFamilies].flatMap(({ stored }) => stored);
  expect(new Set(made)).toEqual(defined);
  expect(made).toHaveLength(defined.size);
});

it('names each family once', () => {
  const ids = [...families, ...streamedFamilies].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

it('gives a backfilled release the five row stores of I4.36 and nothing else', async () => {
  const names = ['alpha-board', 'alpha-signals', 'covenant-slice', 'fundamentals', 'peer-ranking'];
  expect(await keysOf({ backfilled: true })).toEqual(
    names.flatMap((name) => [
      ...(['alpha-board', 'covenant-slice'].includes(name) ? [`${name}/${goldenDate}.about.json`] : []),
      `${name}/${goldenDate}.ndjson`,
    ]),
  );
});

it('gives a full release no row store that only a backfilled one holds', async () => {
  const keys = await keysOf({ backfilled: false });
  for (const name of ['alpha-signals', 'fundamentals', 'peer-ranking'])
    expect(keys).not.toContain(`${name}/${goldenDate}.ndjson`);
  for (const name of ['alpha-board-audit', 'alpha-board', 'companies', 'covenant-slice', 'top-stressed'])
    expect(keys).toContain(`${name}/${goldenDate}.ndjson`);
  expect(keys).toHaveLength(new Set(keys).size);
  expect(keys.filter((key) => key.startsWith(`fundamentals/${goldenDate}/CIK0001050446`))).toEqual(
    ['+rpt', '+seg+rpt', '+seg', ''].map((flags) => `fundamentals/${goldenDate}/CIK0001050446${flags}.json`),
  );
});
