import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type NightlyRig, nightlyRig } from '../../fixtures/replicas/nightlyRig.ts';
import { readManifest } from '../release/releaseStore.ts';

// a registry with one misspelt concept; the rest of the night is the real one
vi.mock(import('../modelCard/unknownConcepts.ts'), async (original) => ({
  ...(await original()),
  unknownConcepts: () => ['us-gaap:LongtermDebt'],
}));

let rig: NightlyRig;
beforeAll(async () => {
  rig = await nightlyRig();
});
afterAll(() => rig.close());

it('warns once after the plan of a concept that no taxonomy has, which is no finding', async () => {
  const { run, events, layout, lastRun } = rig.stage('concepts');
  const [outcome] = await run();
  const warned = events.filter(({ level, step }) => level === 'warn' && step === 'plan');
  expect(warned.map(({ message }) => message)).toEqual([
    '1 concept is in no taxonomy of data/registry/standard-concepts.csv, so no fact can match: us-gaap:LongtermDebt',
  ]);
  expect(outcome?.findings).toEqual([]);
  expect((await lastRun())?.['exit_code']).toBe(0);
  const { manifest } = await readManifest(layout.artifacts, '2025-11-14.1');
  expect(JSON.stringify(manifest.inputs)).not.toContain('standard-concepts');
});
