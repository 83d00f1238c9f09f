import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NightlyRig, type NightlyStage, nightlyRig } from '../../fixtures/replicas/nightlyRig.ts';
import { faultyFiles } from '../../fixtures/rigs/faultyFiles.ts';
import { artifactText } from '../../fixtures/rigs/storedArtifacts.ts';
import { realFiles, type StoreEffects } from '../effects.ts';
import { listReleases, promoteByHand } from '../release/releaseCommands.ts';
import { readCurrent, readManifest, readSliceIndex, readSlices } from '../release/releaseStore.ts';
import { openForReading } from '../warehouse/build/openDatabase.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { runWithdraw, withdrawnText } from './runWithdraw.ts';

// 14 November 2025 is the good night; the last day of the year was a slip of the operator's
const wrong = { date: '2025-12-31', asOf: '2026-01-01T06:00:00Z' };
const next = { date: '2025-11-15', asOf: '2025-11-16T06:00:00Z' };
const reason = 'closes of another day';
const now = '2026-01-02T09:00:00.000Z';

let rig: NightlyRig;
let root: string;
let good: NightlyStage;
/** After the wrong night. */
let slipped: NightlyStage;
/** What the night of 15 November publishes where the wrong one never was. */
let expected: string[];
beforeAll(async () => {
  rig = await nightlyRig({ issuers: ['BTBT'] });
  root = await mkdtemp(join(tmpdir(), 'withdraw-'));
  good = await rig.published('good');
  slipped = await copied(good, 'slipped');
  await slipped.run(wrong);
  const untouched = await copied(good, 'untouched');
  await untouched.run(next);
  expected = await artifactsOf(untouched, '2025-11-15.1');
});
afterAll(async () => {
  await rig.close();
  await rm(root, { recursive: true, force: true });
});

async function copied(from: NightlyStage, name: string): Promise<NightlyStage> {
  const stage = rig.stage(name);
  await cp(from.data, stage.data, { recursive: true });
  return stage;
}

async function artifactsOf({ layout }: NightlyStage, release: string): Promise<string[]> {
  const { manifest } = await readManifest(layout.artifacts, release);
  return manifest.artifacts.map(({ key, sha256 }) => `${key} ${sha256}`);
}

function withdraw(
  stage: NightlyStage,
  {
    date = wrong.date,
    dryRun = false,
    effects = {},
  }: { date?: string; dryRun?: boolean; effects?: Partial<StoreEffects> } = {},
) {
  const clock = { now: () => new Date(now), sleep: () => Promise.resolve() };
  const signal = new AbortController().signal;
  const options = { layout: stage.layout, sourceDate: date, reason, dryRun, code: 'under test', signal };
  return runWithdraw(options, { ...stage.effects, clock, ...effects });
}

async function datesIn({ layout }: NightlyStage, view: string): Promise<unknown[]> {
  const { connection, close } = await openForReading(layout.database);
  try {
    const rows = await readRows(
      connection,
      `SELECT DISTINCT source_date::VARCHAR AS day FROM ${view} ORDER BY 1`,
    );
    return rows.map((row) => row['day']);
  } finally {
    close();
  }
}

describe('a slice that should not exist', () => {
  it('is withdrawn: current moves back, the date is marked with reason and time, the bytes stay', async () => {
    const stage = await copied(slipped, 'marked');
    const { artifacts } = stage.layout;
    expect(await readCurrent(artifacts)).toBe('2025-12-31.1');
    const done = await withdraw(stage);
    expect(await readCurrent(artifacts)).toBe('2025-11-14.1');
    expect(await readSlices(artifacts)).toEqual({ '2025-11-14': '2025-11-14.1' });
    expect((await readSliceIndex(artifacts))['2025-12-31']).toEqual({
      release: null,
      withdrawals: [{ release: '2025-12-31.1', withdrawn_at_utc: '2026-01-02T09:00:00Z', reason }],
    });
    expect(
      (await listReleases(artifacts)).map(({ release, withdrawn }) => [release, withdrawn?.reason]),
    ).toEqual([
      ['2025-11-14.1', undefined],
      ['2025-12-31.1', reason],
    ]);
    expect(await artifactsOf(stage, '2025-12-31.1')).toEqual(await artifactsOf(slipped, '2025-12-31.1'));
    expect(withdrawnText(done, { dryRun: false })).toBe(
      'Withdrew 2025-12-31 (2025-12-31.1): closes of another day\n' +
        '  current is 2025-11-14.1, before it was 2025-12-31.1\n' +
        '  requests for that date answer 404 with this reason; the bytes and the manifest stay\n',
    );
  });

  it('leaves nothing behind: the next night publishes the bytes of one before which it never was', async () => {
    const stage = await copied(slipped, 'after');
    await withdraw(stage);
    for (const view of ['stress', 'alpha', 'cross_sections'])
      expect(await datesIn(stage, view)).toEqual(['2025-11-14']);
    const [outcome] = await stage.run(next);
    expect(outcome).toMatchObject({ release: '2025-11-15.1', findings: [] });
    expect(await readCurrent(stage.layout.artifacts)).toBe('2025-11-15.1');
    expect(await artifactsOf(stage, '2025-11-15.1')).toEqual(expected);
  });

  it('without it, every later night was published beside it and never became current (exit code 6)', async () => {
    const stage = await copied(slipped, 'kept');
    const [outcome] = await stage.run(next);
    expect(outcome?.findings).toContain(
      'the slice of 2025-11-15 does not become current: 2025-12-31.1 is newer and stays',
    );
    const done = await withdraw(stage);
    expect(done.plan).toMatchObject({ currentAfter: '2025-11-14.1', laterDates: ['2025-11-15'] });
    expect(withdrawnText(done, { dryRun: false })).toContain(
      'issuer nightly --date 2025-11-15 makes the newest whole',
    );
    const [again] = await stage.run(next);
    expect(again).toMatchObject({ release: '2025-11-15.2' });
    expect(await readCurrent(stage.layout.artifacts)).toBe('2025-11-15.2');
  });

  it('is not published again by the same inputs, but by other ones, and can be brought back by hand', async () => {
    const stage = await copied(slipped, 'again');
    const { artifacts } = stage.layout;
    await withdraw(stage);
    await expect(stage.run(wrong)).rejects.toMatchObject({
      code: 'validation_failed',
      message: `2025-12-31.1 was withdrawn on 2026-01-02T09:00:00Z, and these inputs would make it again: ${reason}`,
    });
    expect(await stage.lastRun()).toMatchObject({ status: 'failed', exit_code: 5 });
    const source = join(root, 'mended');
    await cp(rig.source, source, { recursive: true });
    await rm(join(source, 'prices/LTC.csv'));
    const [mended] = await stage.run({ ...wrong, source });
    expect(mended?.release).toBe('2025-12-31.2');
    // the trail of the date stays
    expect((await readSliceIndex(artifacts))['2025-12-31']).toMatchObject({
      release: '2025-12-31.2',
      withdrawals: [{ release: '2025-12-31.1', reason }],
    });
    await promoteByHand({ paths: artifacts, name: '2025-12-31.1', publicKeys: null, files: realFiles() });
    expect((await readSlices(artifacts))['2025-12-31']).toBe('2025-12-31.1');
  });

  it('of an older date leaves the histories of the current release, which is built again', async () => {
    const stage = await copied(slipped, 'older');
    await withdraw(stage, { date: '2025-11-14' }).then(({ plan, rebuilt }) => {
      expect(plan).toMatchObject({ currentBefore: '2025-12-31.1', currentAfter: '2025-12-31.1' });
      expect(rebuilt).toEqual({ release: '2025-12-31.2', left: null });
    });
    const { artifacts: paths } = stage.layout;
    const { manifest } = await readManifest(paths, '2025-12-31.2');
    const keys = manifest.artifacts.map(({ key }) => key);
    const histories = keys.filter((key) => /^core-history\/.*\.ndjson$/.test(key));
    expect(histories).toEqual(['core-history/2025-12-31.ndjson']);
    for (const key of histories)
      expect(await artifactText({ root: paths.root, release: '2025-12-31.2', key })).not.toContain(
        '2025-11-14"',
      );
    expect(await datesIn(stage, 'stress')).toEqual(['2025-12-31']);
  });

  it('may be the only one: nothing is current then, until the next night', async () => {
    const stage = await copied(good, 'only');
    const done = await withdraw(stage, { date: '2025-11-14' });
    expect(withdrawnText(done, { dryRun: false })).toContain('the server is not ready until the next night');
    expect(await readCurrent(stage.layout.artifacts)).toBeNull();
    const [outcome] = await stage.run({ date: '2025-11-13', asOf: '2025-11-16T06:00:00Z' });
    expect(await readCurrent(stage.layout.artifacts)).toBe(outcome?.release);
  });

  it('changes nothing in a rehearsal, and says what it would do', async () => {
    const stage = await copied(slipped, 'rehearsed');
    const done = await withdraw(stage, { dryRun: true });
    expect(withdrawnText(done, { dryRun: true })).toMatch(
      /^Would withdraw 2025-12-31 \(2025-12-31\.1\): closes/,
    );
    expect(await readCurrent(stage.layout.artifacts)).toBe('2025-12-31.1');
    expect(Object.keys(await readSlices(stage.layout.artifacts))).toHaveLength(2);
  });

  it('needs a day that was published, and a reason', async () => {
    await expect(withdraw(slipped, { date: '2025-12-31.1', dryRun: true })).rejects.toMatchObject({
      code: 'usage',
    });
    await expect(withdraw(slipped, { date: '2025-12-30', dryRun: true })).rejects.toMatchObject({
      code: 'input_missing',
    });
  });

  it('is gone or there, whichever effect fails, and the same command goes on', async () => {
    const strike = (): never => {
      throw new Error('struck');
    };
    let struck = true;
    const stage = await copied(slipped, 'struck');
    for (let at = 1; struck && at < 60; at += 1) {
      const files = faultyFiles(realFiles(), { at, when: 'after', strike });
      struck = await withdraw(stage, { effects: { files } }).then(
        () => false,
        () => true,
      );
      // a dead process would have left it, and the next one takes it over
      await rm(stage.layout.lock, { force: true });
      const [current, slices] = [
        await readCurrent(stage.layout.artifacts),
        await readSlices(stage.layout.artifacts),
      ];
      // current never names a date that does not answer
      expect(slices[(current ?? '').slice(0, 10)]).toBe(current);
      if (slices['2025-12-31'] === undefined) expect(current).toBe('2025-11-14.1');
    }
    expect(struck).toBe(false);
    expect(await datesIn(stage, 'stress')).toEqual(['2025-11-14']);
    await stage.run(next);
    expect(await artifactsOf(stage, '2025-11-15.1')).toEqual(expected);
  });
});
