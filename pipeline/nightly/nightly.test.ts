import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IssuerError } from '../../contract/issuerError.ts';
import { buildNight } from '../../fixtures/builders/buildNight.ts';
import { faultyFiles, type LogEvent, realFiles, type StoreEffects, systemClock } from '../effects.ts';
import { readCurrent, readManifest, readSlices } from '../release/releaseStore.ts';
import { verifyRelease } from '../release/verifyRelease.ts';
import { programRoot } from './codeVersion.ts';
import { dataLayout } from './dataLayout.ts';
import { type NightlyOptions, runNightly } from './nightlyCommand.ts';
import { readLock } from './nightlyLock.ts';

const date = '2025-11-14';
const asOf = '2025-11-15T06:00:00Z';
let root: string;
let source: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'nightly-'));
  source = join(root, 'source');
  await buildNight({ night: { sourceDate: date, asOf, note: '' }, target: source });
  // three issuers are enough to publish, and keep the number of effects small
  const universe = (await readFile(join(source, 'universe.csv'), 'utf8')).split('\n');
  const kept = universe.filter((line, i) => i === 0 || /,(MSTR|RIOT|BTBT),/.test(`,${line}`));
  await writeFile(join(source, 'universe.csv'), `${kept.join('\n')}\n`);
  await rm(join(source, 'nights.csv'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

function stage(name: string) {
  const data = join(root, name);
  const events: LogEvent[] = [];
  const effects: StoreEffects = { clock: systemClock(), log: (e) => void events.push(e), files: realFiles() };
  const layout = dataLayout(data);
  const lastRun = async () => JSON.parse(await readFile(layout.artifacts.lastRun, 'utf8'));
  const run = (
    change: Partial<NightlyOptions> = {},
    faulty: Partial<StoreEffects> = {},
    signal?: AbortSignal,
  ) =>
    runNightly(
      {
        source,
        data,
        date,
        asOf,
        from: null,
        only: null,
        force: false,
        dryRun: false,
        contact: undefined,
        priceKey: null,
        code: 'under test',
        signal: signal ?? new AbortController().signal,
        ...change,
      },
      { ...effects, ...faulty },
    );
  return { data, events, effects, layout, run, lastRun };
}

const statuses = (outcomes: Awaited<ReturnType<typeof runNightly>>) =>
  outcomes.flatMap((outcome) => outcome.steps.map((step) => `${step.step} ${step.status}`));

async function tree(directory: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === 'manifest.json') continue;
    const path = join(entry.parentPath, entry.name);
    files[path.slice(directory.length)] = (await readFile(path)).toString('base64');
  }
  return files;
}

async function expectWhole(data: string): Promise<string | null> {
  const paths = dataLayout(data).artifacts;
  const current = await readCurrent(paths);
  for (const name of new Set([
    ...Object.values(await readSlices(paths)),
    ...(current === null ? [] : [current]),
  ])) {
    await verifyRelease({ directory: join(paths.releases, name), name, publicKey: null });
  }
  return current;
}

describe('issuer nightly', () => {
  it('publishes a slice, and a second run over the same inputs skips everything and says why', async () => {
    const { data, run, layout, lastRun } = stage('twice');
    const first = await run();
    expect(statuses(first)).toEqual(['fetch skipped', 'ingest done', 'compute done', 'publish done']);
    expect(first[0]?.release).toBe('2025-11-14.1');
    expect(await expectWhole(data)).toBe('2025-11-14.1');
    const before = await tree(layout.artifacts.releases);
    expect(Object.keys(before).filter((name) => name.endsWith('.gz')).length).toBeGreaterThan(10);
    const second = await run();
    expect(second[0]?.steps.map((step) => step.message.replaceAll(/[0-9a-f]{12}/g, '…'))).toEqual([
      `nothing to fetch, ${source} is read in place`,
      'unchanged (sha256 …)',
      `unchanged (sha256 …), as of ${asOf}: release 2025-11-14.1 holds it`,
      `unchanged (sha256 …), as of ${asOf}: release 2025-11-14.1 holds it`,
    ]);
    expect(await tree(layout.artifacts.releases)).toEqual(before);
    expect(await lastRun()).toMatchObject({ status: 'ok', exit_code: 0, published_release: '2025-11-14.1' });
    expect(await readLock(layout.lock)).toBeNull();
  });

  it('gives the same bytes in another data directory, and from a forced rebuild (I1.6, M15.1)', async () => {
    const one = stage('bytes-one');
    const two = stage('bytes-two');
    await one.run();
    await two.run();
    const bytes = await tree(one.layout.artifacts.releases);
    expect(await tree(two.layout.artifacts.releases)).toEqual(bytes);
    const forced = await two.run({ force: true });
    expect(statuses(forced)).toEqual(['fetch skipped', 'ingest done', 'compute done', 'publish done']);
    expect(forced[0]?.release).toBe('2025-11-14.1');
    expect(await tree(two.layout.artifacts.releases)).toEqual(bytes);
  });

  it('rebuilds only the slice for another --as-of, and keeps the recorded one without (M0.13)', async () => {
    const { run, layout } = stage('as-of');
    await run();
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
    const { run, layout } = stage('backfill');
    await run();
    const [outcome] = await run({ date: '2025-11-13' });
    expect(outcome?.release).toBe('2025-11-13.1');
    expect(await readCurrent(layout.artifacts)).toBe('2025-11-14.1');
    const { manifest } = await readManifest(layout.artifacts, '2025-11-13.1');
    expect(manifest.artifacts.map((entry) => entry.key)).toEqual([
      'alpha-board/2025-11-13.index.json',
      'alpha-board/2025-11-13.ndjson',
      'alpha-signals/2025-11-13.index.json',
      'alpha-signals/2025-11-13.ndjson',
      'covenant-slice/2025-11-13.index.json',
      'covenant-slice/2025-11-13.ndjson',
      'fundamentals/2025-11-13.index.json',
      'fundamentals/2025-11-13.ndjson',
      'peer-ranking/2025-11-13.index.json',
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
    const first = run();
    const second = await run().catch((error: unknown) => error);
    expect((second as IssuerError).toCli()).toMatchObject({ code: 'locked', exitCode: 75 });
    expect((await first)[0]?.release).toBe('2025-11-14.1');
    expect(await readCurrent(layout.artifacts)).toBe('2025-11-14.1');
  });

  it('leaves the old release when the archive is cut, says which, and goes on once it is whole', async () => {
    const { data, run, lastRun } = stage('cut');
    await run();
    const cut = join(root, 'cut-source');
    await cp(source, cut, { recursive: true });
    const archive = join(cut, 'edgar/companyfacts.zip');
    const bytes = await readFile(archive);
    await writeFile(archive, bytes.subarray(0, bytes.length / 2));
    const failed = await run({ source: cut }).catch((error: unknown) => error);
    expect((failed as IssuerError).toCli()).toMatchObject({ code: 'bad_archive', exitCode: 5 });
    expect(await expectWhole(data)).toBe('2025-11-14.1');
    expect(await lastRun()).toMatchObject({ status: 'failed', exit_code: 5, published_release: null });
    await writeFile(archive, bytes);
    expect((await run({ source: cut }))[0]?.release).toBe('2025-11-14.1');
    expect((await lastRun()).status).toBe('ok');
  });

  it('ends interrupted with the old release, and the next run goes on', async () => {
    const { data, run, layout, lastRun, events } = stage('interrupted');
    await run();
    const asked = new AbortController();
    const log = (event: LogEvent) => {
      events.push(event);
      if (event.step === 'compute') asked.abort();
    };
    const stopped = await run({ asOf: '2025-11-16T06:00:00Z' }, { log }, asked.signal).catch(
      (error: unknown) => error,
    );
    expect((stopped as IssuerError).toCli()).toMatchObject({ code: 'interrupted', exitCode: 130 });
    expect(await expectWhole(data)).toBe('2025-11-14.1');
    expect(await lastRun()).toMatchObject({ status: 'failed', exit_code: 130, reason: 'interrupted' });
    expect(await readLock(layout.lock)).toBeNull();
    expect((await run({ asOf: '2025-11-16T06:00:00Z' }))[0]?.release).toBe('2025-11-14.2');
  });

  it('leaves the old release when the disk is full at any effect, says so, and resumes', async () => {
    const { data, run, effects, lastRun } = stage('full-disk');
    await run();
    const names: string[] = [];
    const probe = { at: -1, when: 'before', strike: full } as const;
    await run({ asOf: '2025-11-16T06:00:00Z' }, { files: named(faultyFiles(realFiles(), probe), names) });
    // a full disk refuses what takes room, not what gives it back
    const points = distinct(names).filter((at) => /^(write|link|syncTree)/.test(names[at - 1] ?? ''));
    expect(points.length).toBeGreaterThan(8);
    for (const at of points) {
      // each attempt has work to do: another instant, another slice
      const next = { asOf: new Date(Date.UTC(2025, 10, 17) + at * 1000).toISOString().replace('.000', '') };
      const before = await readCurrent(dataLayout(data).artifacts);
      const files = faultyFiles(effects.files, { at, when: 'torn', strike: full });
      const failed = await run(next, { files }).then(
        () => null,
        (error: unknown) => error,
      );
      const current = await expectWhole(data);
      expect((failed as IssuerError | null)?.message ?? 'done').toMatch(/ENOSPC|done/);
      if (current !== before) expect(current?.startsWith('2025-11-14.')).toBe(true);
      const last = await lastRun();
      if (last.status === 'failed') expect(last).toMatchObject({ reason: 'store_unwritable', exit_code: 1 });
    }
    const [resumed] = await run({ asOf: '2025-11-30T06:00:00Z' });
    expect(resumed?.release).toBe(await expectWhole(data));
    expect((await lastRun()).status).toBe('ok');
  }, 240_000);
});

describe('issuer nightly killed by SIGKILL', () => {
  it('leaves whole files at every effect, and the same command ends as an undisturbed run would', async () => {
    const undisturbed = stage('undisturbed');
    const names: string[] = [];
    const files = named(faultyFiles(realFiles(), { at: -1, when: 'before', strike: full }), names);
    await undisturbed.run({}, { files });
    const bytes = await tree(undisturbed.layout.artifacts.releases);
    const points = distinct(names).filter((at) => /^(link|rename|syncTree)/.test(names[at - 1] ?? ''));
    for (const at of points) {
      const { data, run, layout, events } = stage('killed');
      expect(await killedAt({ at, data })).toBe('SIGKILL');
      await expectWhole(data);
      const [resumed] = await run();
      expect(resumed?.release).toBe('2025-11-14.1');
      expect(await expectWhole(data)).toBe('2025-11-14.1');
      expect(await tree(layout.artifacts.releases)).toEqual(bytes);
      // one release, nothing staged, and the dead run's lock gone
      expect(await readdir(layout.artifacts.releases)).toEqual(['2025-11-14.1']);
      expect(await readLock(layout.lock)).toBeNull();
      expect(events.some((event) => event.level === 'error')).toBe(false);
      await rm(data, { recursive: true });
    }
    expect(points.length).toBeGreaterThan(8);
  }, 240_000);
});

/** Runs the night in a process of its own that kills itself at the n-th effect. */
async function killedAt(o: { at: number; data: string }): Promise<string | null> {
  const url = (name: string) => JSON.stringify(join(programRoot, 'pipeline', name));
  const script = `
    import { faultyFiles, realFiles, systemClock } from ${url('effects.ts')};
    import { runNightly } from ${url('nightly/nightlyCommand.ts')};
    const strike = () => { process.kill(process.pid, 'SIGKILL'); for (;;); };
    await runNightly(
      ${JSON.stringify({ source, data: o.data, date, asOf, from: null, only: null, force: false, dryRun: false })},
      { clock: systemClock(), log: () => {}, files: faultyFiles(realFiles(), { at: ${o.at}, when: 'torn', strike }) },
    );`.replace(
    '"dryRun":false}',
    '"dryRun":false, signal: new AbortController().signal, contact: undefined, priceKey: null, code: "under test"}',
  );
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [, signal] = await once(child, 'exit');
  return signal;
}

/** The first effect of each kind on each kind of file: one artifact write stands for all. */
function distinct(names: readonly string[]): number[] {
  const kinds = new Map<string, number>();
  names.forEach((name, i) => {
    const kind = name
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{5,}/g, '#')
      .replace(/(\.partial\/)[a-z].*(\.\w+)$/, '$1*$2');
    if (!kinds.has(kind)) kinds.set(kind, i + 1);
  });
  return [...kinds.values()];
}

function named(files: StoreEffects['files'], names: string[]): StoreEffects['files'] {
  const note = <A extends [string, ...unknown[]]>(name: string, act: (...args: A) => Promise<void>) => {
    return (...args: A) => {
      names.push(`${name} ${args[0]}`);
      return act(...args);
    };
  };
  return {
    makeDirectory: note('makeDirectory', files.makeDirectory),
    write: note('write', files.write),
    rename: note('rename', files.rename),
    link: note('link', files.link),
    remove: note('remove', files.remove),
    syncDirectory: note('syncDirectory', files.syncDirectory),
    syncTree: note('syncTree', files.syncTree),
  };
}

function full(effect: string): never {
  throw Object.assign(new Error(`ENOSPC: no space left on device, ${effect}`), { code: 'ENOSPC' });
}
