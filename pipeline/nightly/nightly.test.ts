import { existsSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { limitMs } from '../../fixtures/checks/machinePace.ts';
import {
  effectPoints,
  fullDisk,
  releaseTree,
  verifiedCurrent,
} from '../../fixtures/replicas/nightlyOptions.ts';
import { type NightlyRig, nightlyRig } from '../../fixtures/replicas/nightlyRig.ts';
import { faultyFiles } from '../../fixtures/rigs/faultyFiles.ts';
import { dataLayout } from '../dataLayout.ts';
import type { LogEvent } from '../effects.ts';
import { readCurrent, readManifest } from '../release/releaseStore.ts';
import { readLock } from './nightlyLock.ts';
import type { NightOutcome } from './runNight.ts';

let rig: NightlyRig;
const stage = (name: string) => rig.stage(name);
beforeAll(async () => {
  rig = await nightlyRig({ market: true, issuers: ['BTBT'] });
});
afterAll(() => rig.close());

const statuses = (outcomes: readonly NightOutcome[]) =>
  outcomes.flatMap((outcome) => outcome.steps.map((step) => `${step.step} ${step.status}`));

describe('issuer nightly', () => {
  it('publishes a slice, and a second run over the same inputs skips everything and says why', async () => {
    const { data, run, layout, lastRun } = stage('twice');
    const first = await run();
    expect(statuses(first)).toEqual(['fetch skipped', 'ingest done', 'compute done', 'publish done']);
    expect(first[0]?.release).toBe('2025-11-14.1');
    expect(await verifiedCurrent(data)).toBe('2025-11-14.1');
    const before = await releaseTree(layout.artifacts);
    expect(Object.keys(before)).toEqual([
      '/packs/2025-11-14.1.idx',
      '/packs/2025-11-14.1.pack',
      '/releases/2025-11-14.1/packs.json',
    ]);
    const second = await run();
    expect(second[0]?.steps.map((step) => step.message.replaceAll(/[0-9a-f]{12}/g, '…'))).toEqual([
      `nothing to fetch, ${rig.source} is read in place`,
      'unchanged (sha256 …)',
      `unchanged (sha256 …), as of ${rig.asOf}: release 2025-11-14.1 holds it`,
      `unchanged (sha256 …), as of ${rig.asOf}: release 2025-11-14.1 holds it`,
    ]);
    expect(await releaseTree(layout.artifacts)).toEqual(before);
    expect(await lastRun()).toMatchObject({ status: 'ok', exit_code: 0, published_release: '2025-11-14.1' });
    expect(await readLock(layout.lock)).toBeNull();
  });

  it('gives the same bytes in another data directory, and from a forced rebuild (I1.6, M15.1)', async () => {
    const one = await rig.published('bytes-one');
    const two = stage('bytes-two');
    await two.run();
    const bytes = await releaseTree(one.layout.artifacts);
    expect(await releaseTree(two.layout.artifacts)).toEqual(bytes);
    const forced = await two.run({ force: true });
    expect(statuses(forced)).toEqual(['fetch skipped', 'ingest done', 'compute done', 'publish done']);
    expect(forced[0]?.release).toBe('2025-11-14.1');
    expect(await releaseTree(two.layout.artifacts)).toEqual(bytes);
  });

  it('rebuilds only the slice for another --as-of, and keeps the recorded one without (M0.13)', async () => {
    const { run, layout } = await rig.published('as-of');
    const later = await run({ asOf: '2025-11-16T06:00:00Z' });
    expect(statuses(later)).toEqual(['fetch skipped', 'ingest skipped', 'compute done', 'publish done']);
    const { manifest } = await readManifest(layout.artifacts, '2025-11-14.2');
    expect(manifest.generated_at).toBe('2025-11-16T06:00:00Z');
    const silent = await run({ asOf: null });
    expect(statuses(silent)).toEqual([
      'fetch skipped',
      'ingest skipped',
      'compute skipped',
      'publish skipped',
    ]);
    expect(silent[0]?.plan.asOf).toBe('2025-11-16T06:00:00Z');
  });

  it('builds an older date as a backfill: row stores only, current stays (I3.28, I4.36)', async () => {
    const { run, layout } = await rig.published('backfill');
    const [outcome] = await run({ date: '2025-11-13' });
    expect(outcome?.release).toBe('2025-11-13.1');
    expect(await readCurrent(layout.artifacts)).toBe('2025-11-14.1');
    const { manifest } = await readManifest(layout.artifacts, '2025-11-13.1');
    expect(manifest.artifacts.map((entry) => entry.key)).toEqual([
      'alpha-board/2025-11-13.about.json',
      'alpha-board/2025-11-13.ndjson',
      'alpha-signals/2025-11-13.ndjson',
      'covenant-slice/2025-11-13.about.json',
      'covenant-slice/2025-11-13.ndjson',
      'fundamentals/2025-11-13.ndjson',
      'peer-ranking/2025-11-13.ndjson',
    ]);
    expect(statuses(await run({ date: '2025-11-13' })).slice(2)).toEqual([
      'compute skipped',
      'publish skipped',
    ]);
  });

  it('runs one step, or from one on, and refuses what the warehouse does not hold', async () => {
    const { run, layout } = stage('steps');
    await expect(run({ only: 'compute' })).rejects.toMatchObject({ code: 'input_missing' });
    const ingested = await run({ only: 'ingest' });
    expect(statuses(ingested)).toEqual([
      'fetch skipped',
      'ingest done',
      'compute skipped',
      'publish skipped',
    ]);
    expect(await readCurrent(layout.artifacts)).toBeNull();
    expect(statuses(await run({ from: 'compute' }))).toEqual([
      'fetch skipped',
      'ingest skipped',
      'compute done',
      'publish done',
    ]);
  });

  it('changes nothing in a dry run', async () => {
    const { data, run } = stage('dry');
    expect(statuses(await run({ dryRun: true }))).toEqual([
      'fetch skipped',
      'ingest would run',
      'compute would run',
      'publish would run',
    ]);
    expect(existsSync(data)).toBe(false);
  });

  it('refuses a second run while one is on, and leaves its last-run alone', async () => {
    const { run, layout } = stage('locked');
    // which of two runs takes the lock is chance
    const ends = await Promise.allSettled([run(), run()]);
    const published = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value[0]?.release] : []));
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as IssuerError] : []));
    expect(published).toEqual(['2025-11-14.1']);
    expect(refused.map((error) => error.toCli())).toMatchObject([{ code: 'locked', exitCode: 75 }]);
    expect(await readCurrent(layout.artifacts)).toBe('2025-11-14.1');
  });

  it('leaves the old release when the archive is cut, says which, and goes on once it is whole', async () => {
    const { data, run, lastRun } = await rig.published('cut');
    const cut = join(rig.root, 'cut-source');
    await cp(rig.source, cut, { recursive: true });
    const archive = join(cut, 'edgar/companyfacts.zip');
    const bytes = await readFile(archive);
    await writeFile(archive, bytes.subarray(0, bytes.length / 2));
    const failed = await run({ source: cut }).catch((error: unknown) => error);
    expect((failed as IssuerError).toCli()).toMatchObject({ code: 'bad_archive', exitCode: 5 });
    expect(await verifiedCurrent(data)).toBe('2025-11-14.1');
    expect(await lastRun()).toMatchObject({ status: 'failed', exit_code: 5, published_release: null });
    await writeFile(archive, bytes);
    expect((await run({ source: cut }))[0]?.release).toBe('2025-11-14.1');
    expect((await lastRun())['status']).toBe('ok');
  });

  it('ends interrupted with the old release, and the next run goes on', async () => {
    const { data, run, layout, lastRun, events } = await rig.published('interrupted');
    const asked = new AbortController();
    const log = (event: LogEvent) => {
      events.push(event);
      if (event.step === 'compute') asked.abort();
    };
    const stopped = await run({ asOf: '2025-11-16T06:00:00Z' }, { log }, asked.signal).catch(
      (error: unknown) => error,
    );
    expect((stopped as IssuerError).toCli()).toMatchObject({ code: 'interrupted', exitCode: 130 });
    expect(await verifiedCurrent(data)).toBe('2025-11-14.1');
    expect(await lastRun()).toMatchObject({ status: 'failed', exit_code: 130, reason: 'interrupted' });
    expect(await readLock(layout.lock)).toBeNull();
    expect((await run({ asOf: '2025-11-16T06:00:00Z' }))[0]?.release).toBe('2025-11-14.2');
  });

  it('leaves the old release when the disk is full at any effect, says so, and resumes', {
    timeout: limitMs(240_000),
  }, async () => {
    const { data, run, effects, lastRun } = await rig.published('full-disk');
    // a full disk refuses what takes room, not what gives it back
    const points = await effectPoints(/^(write|link|append)/, (files) =>
      run({ asOf: '2025-11-16T06:00:00Z' }, { files }),
    );
    expect(points.length).toBeGreaterThan(8);
    for (const at of points) {
      // each attempt has work to do: another instant, another slice
      const next = { asOf: new Date(Date.UTC(2025, 10, 17) + at * 1000).toISOString().replace('.000', '') };
      const before = await readCurrent(dataLayout(data).artifacts);
      const files = faultyFiles(effects.files, { at, when: 'torn', strike: fullDisk });
      const failed = await run(next, { files }).then(
        () => null,
        (error: unknown) => error,
      );
      const current = await verifiedCurrent(data);
      expect((failed as IssuerError | null)?.message ?? 'done').toMatch(/ENOSPC|done/);
      if (current !== before) expect(current?.startsWith('2025-11-14.')).toBe(true);
      const last = await lastRun();
      if (last['status'] === 'failed')
        expect(last).toMatchObject({ reason: 'store_unwritable', exit_code: 1 });
    }
    const [resumed] = await run({ asOf: '2025-11-30T06:00:00Z' });
    expect(resumed?.release).toBe(await verifiedCurrent(data));
    expect((await lastRun())['status']).toBe('ok');
  });
});
