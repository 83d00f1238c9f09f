import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limitMs } from '../../fixtures/checks/machinePace.ts';
import {
  effectPoints,
  nightlyOptions,
  releaseTree,
  verifiedCurrent,
} from '../../fixtures/replicas/nightlyOptions.ts';
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
    for (const at of points) {
      const { data, run, layout, events } = stage('killed');
      expect(await killedAt({ at, data })).toBe('SIGKILL');
      await verifiedCurrent(data);
      const [resumed] = await run();
      expect(resumed?.release).toBe('2025-11-14.1');
      expect(await verifiedCurrent(data)).toBe('2025-11-14.1');
      expect(await releaseTree(layout.artifacts)).toEqual(bytes);
      // one release, nothing staged, and the dead run's lock gone
      expect(await readdir(layout.artifacts.releases)).toEqual(['2025-11-14.1']);
      expect(await readLock(layout.lock)).toBeNull();
      expect(events.some((event) => event.level === 'error')).toBe(false);
      await rm(data, { recursive: true });
    }
    expect(points.length).toBeGreaterThan(8);
  });
});

/** Runs the night in a process of its own that kills itself at the n-th effect. */
async function killedAt({ at, data }: { at: number; data: string }): Promise<string | null> {
  const url = (name: string) => JSON.stringify(join(programRoot, name));
  const script = `
    import { realFiles, systemClock } from ${url('pipeline/effects.ts')};
    import { faultyFiles } from ${url('fixtures/rigs/faultyFiles.ts')};
    import { runNightly } from ${url('pipeline/nightly/runNightly.ts')};
    const strike = () => { process.kill(process.pid, 'SIGKILL'); for (;;); };
    await runNightly(
      { ...${JSON.stringify(nightlyOptions({ source: rig.source, data }))}, signal: new AbortController().signal },
      { clock: systemClock(), log: () => {}, files: faultyFiles(realFiles(), { at: ${at}, when: 'torn', strike }) },
    );`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [, signal] = await once(child, 'exit');
  return signal;
}
