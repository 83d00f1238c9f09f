import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type FaultyReads,
  faultyReads,
  type ReadFault,
} from '../../fixtures/rigs/objectStore/faultyReads.ts';
import { sampleKey } from '../../fixtures/rigs/serveRelease.ts';
import { type Rig, serveRig } from '../../fixtures/rigs/serveRig.ts';
import { writeSignedAudit } from '../../fixtures/rigs/signedAudit.ts';
import { resultOf, toolClient } from '../../fixtures/rigs/toolCalls.ts';

let root: string;
let rig: Rig;
/** Waits, which end when a test says so. */
let timers: { readonly ms: number; readonly task: () => void }[];

const [first, second] = ['2026-02-07.1', '2026-02-08.1'];
const open = async (remote?: FaultyReads): Promise<Rig> => {
  timers = [];
  return serveRig({
    root,
    ...(remote === undefined ? {} : { remote }),
    after: (ms, task) => {
      timers.push({ ms, task });
      return () => {
        timers = timers.filter((one) => one.task !== task);
      };
    },
  });
};
/** What a reader of the status is told, and what the call costs. */
const status = async () => {
  const key = await rig.key(['mcp']);
  const client = toolClient(rig.ask);
  const { structuredContent } = resultOf(
    await client.call('intel_core_audit_status', {}, { 'x-api-key': key }),
  );
  const { data, billing } = structuredContent as {
    data: Readonly<Record<string, unknown>>;
    billing: { readonly billing_mode: string };
  };
  const { status: told, issuer_count, artifact } = data;
  const { summary_blob = null } = artifact as { summary_blob?: string };
  return { told, issuer_count, summary_blob, sold: billing.billing_mode !== 'public_discovery' };
};
const none = { told: 'unavailable', issuer_count: 0, summary_blob: null, sold: false };
const ofFirst = { told: 'healthy', issuer_count: 3, summary_blob: 'audit/2026-02-07.json', sold: true };
const audit = () => join(rig.artifacts, 'audit/2026-02-07.json');
const promoteFirst = () => rig.promote(rig.release({ sourceDate: '2026-02-07' }), { '2026-02-07': first });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'issuer-audits-'));
});
afterEach(() => rig.close());

describe('the newest audit of a directory (I3.22)', () => {
  beforeEach(async () => {
    rig = await open();
    promoteFirst();
  });

  it('is none, then the newest day, then another run of that day', async () => {
    expect(await status()).toEqual(none);
    writeSignedAudit({ root: rig.artifacts, sourceDate: '2026-02-06', issuers: 9 });
    writeSignedAudit({ root: rig.artifacts, sourceDate: '2026-02-07' });
    writeFileSync(join(rig.artifacts, 'audit/2026-02-08.json.partial'), 'half');
    writeFileSync(join(rig.artifacts, 'audit/2026-02-08.figures.json'), '{}');
    expect(await status()).toEqual(ofFirst);
    rmSync(audit());
    writeSignedAudit({ root: rig.artifacts, sourceDate: '2026-02-07', issuers: 4 });
    expect(await status()).toEqual({ ...ofFirst, issuer_count: 4 });
  });

  it.each<[string, () => void]>([
    ['no audit', () => writeFileSync(audit(), '{"schema_id":"audit_run.v1"}')],
    ['that of another day', () => writeFileSync(audit(), readFileSync(join(rig.artifacts, 'audit/other')))],
    [
      'changed after it was signed',
      () =>
        writeFileSync(audit(), readFileSync(audit(), 'utf8').replace('"issuer_count":3', '"issuer_count":4')),
    ],
    [
      'signed by a key that is not published',
      () => writeSignedAudit({ root: rig.artifacts, sourceDate: '2026-02-07', key: sampleKey() }),
    ],
  ])('is refused when its file is %s', async (_, spoil) => {
    writeSignedAudit({ root: rig.artifacts, sourceDate: '2026-02-06' });
    writeFileSync(
      join(rig.artifacts, 'audit/other'),
      readFileSync(join(rig.artifacts, 'audit/2026-02-06.json')),
    );
    writeSignedAudit({ root: rig.artifacts, sourceDate: '2026-02-07' });
    spoil();
    await expect(rig.deps.store.audit()).rejects.toThrow(
      'The audit 2026-02-07.json cannot be read as one of this deployment.',
    );
    expect(await status()).toEqual(none);
  });
});

describe('the newest audit of a bucket (STORE ST15)', () => {
  let remote: FaultyReads;
  const audits = () => remote.seen.filter((name) => name.startsWith('audit/'));
  /** What a night leaves after its audit. */
  const endNight = (n: number) =>
    writeFileSync(join(rig.artifacts, 'last-run.json'), JSON.stringify({ night: n }));
  const restart = async (): Promise<void> => {
    remote.seen.length = 0;
    rig = await open(remote);
    await rig.look();
  };

  beforeEach(async () => {
    remote = faultyReads(join(root, 'artifacts'));
    rig = await open(remote);
    promoteFirst();
    writeSignedAudit({ root: rig.artifacts, sourceDate: '2026-02-07' });
    endNight(1);
    await rig.look();
  });

  it('is read from the bucket once a night, however often it is asked for', async () => {
    expect(await status()).toEqual(ofFirst);
    for (let look = 0; look < 3; look += 1) await rig.look();
    expect(await status()).toEqual(ofFirst);
    expect(audits()).toEqual(['audit/2026-02-07.json 0+16777217']);
  });

  it('is that of the night before until the night has left its own', async () => {
    rig.promote(rig.release({ sourceDate: '2026-02-08' }), { '2026-02-07': first, '2026-02-08': second });
    await rig.look();
    expect(await status()).toEqual(ofFirst);
    writeSignedAudit({ root: rig.artifacts, sourceDate: '2026-02-08', issuers: 5 });
    endNight(2);
    await rig.look();
    expect(await status()).toMatchObject({ issuer_count: 5, summary_blob: 'audit/2026-02-08.json' });
  });

  it('is looked for under 31 days at most', async () => {
    const dates = Array.from({ length: 40 }, (_, i) =>
      new Date(Date.UTC(2025, 11, 1 + i)).toISOString().slice(0, 10),
    );
    rig.promote(first, Object.fromEntries([...dates, '2026-02-07'].map((date) => [date, `${date}.1`])));
    rmSync(audit());
    remote.seen.length = 0;
    await rig.look();
    expect(audits()).toHaveLength(31);
    expect(await status()).toEqual(none);
  });

  it('stands while the bucket does not answer, also after a start, and is no fault of it', async () => {
    remote.misbehave('failing');
    await rig.look();
    expect(await status()).toEqual(ofFirst);
    await restart();
    expect(await status()).toEqual(ofFirst);
    // nothing is left of it here: none can be read, and nothing is charged
    rmSync(join(root, 'replica/audit.json'));
    await restart();
    expect(await status()).toEqual(none);
    await expect(rig.deps.store.audit()).rejects.toMatchObject({ code: 'artifact_unavailable' });
    remote.misbehave(null);
    await rig.look();
    expect(await status()).toEqual(ofFirst);
  });

  it.each<ReadFault>(['forbidden', 'failing'])(
    'is the one that is kept here when it alone is %s at a start, and asked for again after a minute',
    async (fault) => {
      remote.misbehave(fault, /^audit/);
      await restart();
      expect(await status()).toEqual(ofFirst);
      await rig.look();
      expect(audits()).toHaveLength(1);
      rig.clock.nowMs += 60_000;
      remote.misbehave(null);
      await rig.look();
      await rig.look();
      expect(audits()).toHaveLength(2);
    },
  );

  it.each<ReadFault>(['short', 'other'])(
    'is none when it comes %s, and no older one instead',
    async (fault) => {
      endNight(2);
      remote.misbehave(fault, /^audit/);
      await rig.look();
      expect(await status()).toEqual(none);
      expect((await rig.ask('/ready')).status).toBe(200);
      remote.misbehave(null);
      rig.clock.nowMs += 60_000;
      await rig.look();
      expect(await status()).toEqual(ofFirst);
    },
  );

  it('is not taken from a replica that was changed', async () => {
    const kept = join(root, 'replica/audit.json');
    writeFileSync(kept, readFileSync(kept, 'utf8').replace('"issuer_count":3', '"issuer_count":4'));
    remote.misbehave('failing');
    await restart();
    expect(await status()).toEqual(none);
  });

  it('keeps no release waiting, and no start for more than its 8 s', async () => {
    rmSync(join(root, 'replica/audit.json'));
    remote.misbehave('late', /^audit/);
    remote.seen.length = 0;
    rig = await open(remote);
    const looked = rig.look();
    const key = await rig.key();
    const stress = () => rig.ask('/v1/covenant-stress/MSTR', { headers: { 'x-api-key': key } });
    while (audits().length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect((await stress()).status).toBe(200);
    const waits = timers.filter(({ ms }) => ms === 8_000);
    expect(waits).toHaveLength(1);
    for (const { task } of waits) task();
    await looked;
    expect(await status()).toEqual(none);
  });
});
