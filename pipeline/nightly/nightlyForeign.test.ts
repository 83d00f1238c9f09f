import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NightlyRig, type NightlyStage, nightlyRig } from '../../fixtures/replicas/nightlyRig.ts';
import { analystSession } from '../../fixtures/rigs/analystSession.ts';
import { readManifest } from '../release/releaseStore.ts';
import { openForReading } from '../warehouse/build/openDatabase.ts';
import { readRows } from '../warehouse/build/readRows.ts';

const next = { date: '2025-11-15', asOf: '2025-11-16T06:00:00Z' };
const changed = 'another program changed the warehouse since the last night: its facts were read again';

let rig: NightlyRig;
let root: string;
/** The hashes of every artifact of the night after, on the warehouse that night left. */
let expected: unknown;
beforeAll(async () => {
  rig = await nightlyRig({ issuers: ['BTBT'] });
  root = await mkdtemp(join(tmpdir(), 'foreign-night-'));
  const stage = await copied('untouched');
  expected = await artifactsOf(stage, await releaseOf(stage, next));
});
afterAll(async () => {
  await rig.close();
  await rm(root, { recursive: true, force: true });
});

async function copied(name: string): Promise<NightlyStage> {
  const stage = await rig.published(name);
  return stage;
}

/** The same data with a table of an analyst in the warehouse. */
async function written(name: string): Promise<NightlyStage> {
  const stage = await copied(name);
  await (await analystSession(stage.layout.database)).close();
  return stage;
}

async function releaseOf(stage: NightlyStage, night: Parameters<NightlyStage['run']>[0]): Promise<string> {
  const [outcome] = await stage.run(night);
  return outcome?.release ?? '';
}

async function artifactsOf({ layout }: NightlyStage, release: string) {
  const { manifest } = await readManifest(layout.artifacts, release);
  return manifest.artifacts.map(({ key, sha256 }) => `${key} ${sha256}`);
}

async function analystTables({ layout }: NightlyStage) {
  const { connection, close } = await openForReading(layout.database);
  try {
    return await readRows(connection, "SELECT table_name FROM duckdb_tables() WHERE table_name = 'mine'");
  } finally {
    close();
  }
}

describe('a night after another program wrote to the warehouse', () => {
  it('reads the inputs anew, publishes the same bytes, and says so with exit code 6', async () => {
    const stage = await written('next');
    const [outcome] = await stage.run(next);
    expect(outcome?.findings).toContain(changed);
    expect(await stage.lastRun()).toMatchObject({ exit_code: 6, degraded: [changed] });
    expect(await artifactsOf(stage, outcome?.release ?? '')).toEqual(expected);
    expect(await analystTables(stage)).toEqual([]);
    // the night after that stands on it again
    const [after] = await stage.run({ date: '2025-11-16', asOf: '2025-11-17T06:00:00Z' });
    expect(after?.findings).toEqual([]);
  });

  it('does not compute from it when nothing else would have been read', async () => {
    const stage = await written('same-inputs');
    const [outcome] = await stage.run({ asOf: '2025-11-15T07:00:00Z' });
    expect(outcome?.steps.find(({ step }) => step === 'ingest')).toMatchObject({ status: 'done' });
    expect(outcome?.findings).toContain(changed);
    expect(await analystTables(stage)).toEqual([]);
    const only = await written('only-compute');
    await expect(only.run({ asOf: '2025-11-15T07:00:00Z', from: 'compute' })).rejects.toMatchObject({
      code: 'input_missing',
      message: 'Another program changed the warehouse since the last night.',
    });
  });

  it.each([
    ['was written to', changed, async () => {}],
    ['is empty', changed, async (path: string) => writeFile(path, '')],
    ['is gone', null, async (path: string) => rm(path)],
  ] as const)(
    'makes the warehouse again when it %s, although nothing else changed',
    async (name, found, damage) => {
      const stage = await written(`unchanged-${name.replaceAll(' ', '-')}`);
      await chmod(stage.layout.database, 0o644);
      await damage(stage.layout.database);
      const [outcome] = await stage.run();
      expect(outcome?.steps.map(({ status }) => status)).toEqual(['skipped', 'done', 'done', 'done']);
      expect(outcome?.findings).toEqual(found === null ? [] : [found]);
      expect(await analystTables(stage)).toEqual([]);
      const [again] = await stage.run();
      expect(again?.steps.map(({ status }) => status)).toEqual(['skipped', 'skipped', 'skipped', 'skipped']);
    },
  );

  it('publishes nothing when it would have kept rows of an input that is gone, unless forced', async () => {
    const source = join(root, 'source');
    await cp(rig.source, source, { recursive: true });
    await rm(join(source, 'edgar/submissions.zip'));
    const stage = await written('gone');
    await expect(stage.run({ ...next, source })).rejects.toMatchObject({
      code: 'validation_failed',
      message:
        'edgar/submissions.zip would be read from the last warehouse, and another program changed the warehouse since the last night.',
    });
    expect(await stage.lastRun()).toMatchObject({ status: 'failed', exit_code: 5 });
    const [forced] = await stage.run({ ...next, source, force: true });
    expect(forced?.findings).toContain(
      'edgar/submissions.zip is not in the inputs, and no earlier night read it',
    );
  });
});
