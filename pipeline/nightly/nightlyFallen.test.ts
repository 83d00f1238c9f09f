import { readFile, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { verifiedCurrent } from '../../fixtures/replicas/nightlyOptions.ts';
import { type NightlyRig, type NightlyStage, nightlyRig } from '../../fixtures/replicas/nightlyRig.ts';
import { damageArtifact } from '../../fixtures/rigs/storedArtifacts.ts';
import type { DataLayout } from '../dataLayout.ts';
import { noteFinding } from './runNightly.ts';

let rig: NightlyRig;
beforeAll(async () => {
  rig = await nightlyRig({ issuers: ['BTBT'] });
});
afterAll(() => rig.close());

const fallen = ({ artifacts }: DataLayout) => ({ root: artifacts.root, release: '2025-11-14.1' });
const stored = covenantStress.stored.rows.key({ slice: '2025-11-14' });
const damages: Readonly<
  Record<string, { damage(o: NightlyStage): Promise<void>; said: RegExp; now: string }>
> = {
  'current is missing': {
    damage: ({ layout }) => rm(layout.artifacts.current),
    said: /^current names no release/,
    now: '2025-11-14.1',
  },
  'current names nothing that is there': {
    damage: ({ layout }) => writeFile(layout.artifacts.current, '2025-11-14.9\n'),
    said: /^current names no release/,
    now: '2025-11-14.1',
  },
  'current is no name': {
    damage: ({ layout }) => writeFile(layout.artifacts.current, 'x'),
    said: /^current names no release/,
    now: '2025-11-14.1',
  },
  'a row store was overwritten': {
    damage: async ({ layout }) => damageArtifact({ ...fallen(layout), key: stored }),
    said: /^release 2025-11-14\.1 is damaged: /,
    now: '2025-11-14.2',
  },
  'what is known beside a row store was overwritten': {
    damage: async ({ layout }) =>
      damageArtifact({ ...fallen(layout), key: stored.replace('.ndjson', '.about.json') }),
    said: /^release 2025-11-14\.1 is damaged: /,
    now: '2025-11-14.2',
  },
};

it.for(Object.entries(damages))('is no unchanged night when %s', async ([name, { damage, said, now }]) => {
  const stage = await rig.published(name.replaceAll(/\W/g, '-'));
  const [unchanged] = await stage.run();
  expect(unchanged?.steps.at(-1)).toMatchObject({ step: 'publish', status: 'skipped' });
  await damage(stage);
  const [mended] = await stage.run();
  expect(mended?.steps.at(-1)).toMatchObject({ step: 'publish', status: 'done' });
  const plan = stage.events.filter(({ step }) => step === 'plan').at(-1);
  expect(plan?.message.replace(/^2025-11-14 as of \S+ /, '')).toMatch(said);
  expect(await verifiedCurrent(stage.data)).toBe(now);
  expect(await stage.lastRun()).toMatchObject({ exit_code: 0, published_release: now });
});

it('keeps in last-run.json what the audit found after it', async () => {
  const stage = await rig.published('audited');
  await noteFinding({ paths: stage.layout.artifacts, finding: 'the audit failed', effects: stage.effects });
  expect(JSON.parse(await readFile(stage.layout.artifacts.lastRun, 'utf8'))).toMatchObject({
    status: 'ok',
    exit_code: 6,
    degraded: ['the audit failed'],
  });
});
