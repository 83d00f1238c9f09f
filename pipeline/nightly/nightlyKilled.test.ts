import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limitMs } from '../../fixtures/checks/machinePace.ts';
import { effectPoints, releaseTree, verifiedCurrent } from '../../fixtures/replicas/nightlyOptions.ts';
import { type NightlyRig, nightlyRig } from '../../fixtures/replicas/nightlyRig.ts';
import { programRoot } from '../programRoot.ts';
import { readLock } from './nightlyLock.ts';

let rig: NightlyRig;
const stage = (name: string) => rig.stage(name);
beforeAll(async () => {
  // every kind of effect is one of an issuer with an XBRL package: another changes none, and costs each time
  rig = await nightlyRig({ market: true, issuers: ['BTBT'] });
});
afterAll(() => rig.close());

describe('issuer nightly killed by SIGKILL', () => {
  it('leaves whole files at every effect, and the same command ends as an undisturbed run would', {
    timeout: limitMs(480_000),
  }, async () => {
    const undisturbed = stage('undisturbed');
    const points = await effectPoints(/^(link|rename|append)/, (files) => undisturbed.run({}, { files }));
    const bytes = await releaseTree(undisturbed.layout.artifacts);
    expect(points.length).toBeGreaterThan(8);
    // a night dies at the last, one in the middle; at the others it leaves what it would if it died there
    const middle = points[points.length >> 1] ?? 0;
    expect(await killedAt({ points, data: stage('last').data })).toBe('SIGKILL');
    expect(await killedAt({ points: [middle], data: stage('middle').data })).toBe('SIGKILL');
    for (const name of ['last', 'middle', ...points.slice(0, -1).map((at) => `last-${at}`)]) {
      const { data, run, layout, events } = stage(name);
      await verifiedCurrent(data);
      const [resumed] = await run();
      expect(resumed?.release, name).toBe('2025-11-14.1');
      expect(await verifiedCurrent(data), name).toBe('2025-11-14.1');
      expect(await releaseTree(layout.artifacts), name).toEqual(bytes);
      // one release, nothing staged, and the dead run's lock gone
      expect(await readdir(layout.artifacts.releases), name).toEqual(['2025-11-14.1']);
      expect(await readLock(layout.lock), name).toBeNull();
      expect(events.filter((event) => event.level === 'error')).toEqual([]);
      await rm(data, { recursive: true });
    }
  });
});

/** Runs the night in a process of its own that kills itself at the last of the effects, and keeps what the others leave. */
async function killedAt({
  points,
  data,
}: {
  points: readonly number[];
  data: string;
}): Promise<string | null> {
  const program = join(programRoot, 'fixtures/fuzz/killedNightChild.ts');
  const child = spawn(process.execPath, [program, rig.source, data, rig.date, points.join(), 'each'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [, signal] = await once(child, 'exit');
  return signal;
}
