import { afterEach, beforeEach, expect, it } from 'vitest';
import { riskDistribution } from '../../data/contract/payloads/universe/riskDistribution.ts';
import { object } from '../../fixtures/rigs/sampleSlice.ts';
import { payloadOf } from '../../fixtures/rigs/servedPayload.ts';
import { type Rig, serveRig } from '../../fixtures/rigs/serveRig.ts';

const slice = '2026-02-07';
const { example, stored } = riskDistribution;
const live = {
  ...example,
  CRITICAL: { count: 2, percentage: 15.38 },
  HIGH: { count: 3, percentage: 23.08 },
  meta: { ...example.meta, basis: 'live' as const },
};

let rig: Rig;
beforeEach(async () => {
  rig = await serveRig();
  const more = [
    object(stored.object.key({ slice }), example),
    object(stored.object.key({ slice, variant: '.live' }), live),
  ];
  rig.promote(rig.release({ sourceDate: slice, more }), {});
});
afterEach(() => rig.close());

const ask = async (query: string) =>
  rig.ask(`/v1/risk-distribution${query}`, { headers: { 'x-api-key': await rig.key() } });

it.each([
  ['', example],
  ['?basis=filing', example],
  ['?basis=LIVE', live],
])('R04%s counts the tiers of the basis asked for, and says which (I4.R04.2)', async (query, expected) => {
  expect(riskDistribution.schema.parse(payloadOf(await ask(query)))).toEqual(expected);
});

it('refuses a basis that is none', async () => {
  expect((await ask('?basis=both')).json()).toMatchObject({ code: 'invalid_parameter', parameter: 'basis' });
});
