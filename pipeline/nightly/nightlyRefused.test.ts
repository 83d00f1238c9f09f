import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildNight } from '../../fixtures/builders/buildNight.ts';
import { writeZip } from '../../fixtures/builders/zipWriter.ts';
import { verifiedCurrent } from '../../fixtures/replicas/nightlyOptions.ts';
import { type NightlyRig, nightlyRig } from '../../fixtures/replicas/nightlyRig.ts';

const next = { date: '2025-11-15', asOf: '2025-11-16T06:00:00Z' };

let rig: NightlyRig;
let root: string;
beforeAll(async () => {
  rig = await nightlyRig();
  root = await mkdtemp(join(tmpdir(), 'refused-'));
});
afterAll(async () => {
  await rig.close();
  await rm(root, { recursive: true, force: true });
});

it.each([
  ['2031-01-01', '2025-11-15T06:00:00Z'],
  ['2025-11-16', '2025-11-15T23:59:59Z'],
])('publishes no slice of %s as of %s: the day is after the instant of the plan', async (date, asOf) => {
  const stage = rig.stage(`future-${date}`);
  await expect(stage.run({ date, asOf })).rejects.toMatchObject({
    code: 'usage',
    message: `The source date ${date} is after the instant of the plan, ${asOf}.`,
  });
  await expect(readdir(stage.data)).rejects.toThrow('ENOENT');
});

it.each([
  ['empty', 3, async (path: string) => writeFile(path, writeZip([]))],
  [
    'half',
    2,
    async (path: string) => {
      const night = { sourceDate: rig.date, asOf: rig.asOf, note: '' };
      const target = join(root, 'half-night');
      await buildNight({ night, target, only: new Set(['MSTR']) });
      await cp(join(target, 'edgar/companyfacts.zip'), path);
    },
  ],
] as const)('replaces nothing by an %s companyfacts.zip, unless forced', async (name, lost, damage) => {
  const source = join(root, `${name}-source`);
  await cp(rig.source, source, { recursive: true });
  const stage = await rig.published(name);
  await damage(join(source, 'edgar/companyfacts.zip'));
  await expect(stage.run({ source, ...next })).rejects.toMatchObject({
    code: 'validation_failed',
    message: expect.stringMatching(
      new RegExp(
        `companyfacts\\.zip lacks ${lost} of the 3 companies that the last one had; nothing is replaced\\.$`,
      ),
    ),
  });
  expect(await verifiedCurrent(stage.data)).toBe('2025-11-14.1');
  expect(await stage.lastRun()).toMatchObject({ status: 'failed', exit_code: 5 });
  const [forced] = await stage.run({ source, ...next, force: true });
  expect(forced?.findings).toContainEqual(expect.stringMatching(/^RIOT has no row any more: /));
});

it('says that the companyfacts.zip of a first night holds no company', async () => {
  const source = join(root, 'nothing-source');
  await cp(rig.source, source, { recursive: true });
  await writeFile(join(source, 'edgar/companyfacts.zip'), writeZip([]));
  const stage = rig.stage('nothing');
  const [outcome] = await stage.run({ source });
  expect(outcome?.findings).toContain('edgar/companyfacts.zip holds no company that can be used');
  expect(await stage.lastRun()).toMatchObject({ status: 'ok', exit_code: 6 });
});
