import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type BucketReplica,
  bucketReplica,
  type Misbehaviour,
} from '../../fixtures/replicas/bucketReplica.ts';
import { type Rig, serveRig } from '../../fixtures/rigs/serveRig.ts';
import { checkConfiguration } from '../commands/checkConfiguration.ts';
import { readConfig } from '../config/config.ts';

// a server over a bucket that is a real HTTP server, through the client it has in earnest

let bucket: BucketReplica;
let rig: Rig;
let key: string;
let waits: { readonly ms: number; readonly task: () => void }[];
const first = '2026-02-07.1';
const environmentOf = ({ environment }: BucketReplica) => ({
  ...environment,
  II_STORE: 's3://bucket/store',
});
/** Brings the bucket up to the directory that the rig writes. */
const upload = () => {
  const from = join(rig.root, 'artifacts');
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    bucket.objects.set(`store/${path.slice(from.length + 1)}`, readFileSync(path));
  }
};
/** From now on requests for these keys go wrong. */
const misbehave = (wrong: Misbehaviour, of = /./) =>
  bucket.misbehave(({ key: asked }) => (of.test(asked) ? wrong : null));

beforeEach(async () => {
  const root = mkdtempSync(join(tmpdir(), 'issuer-bucket-'));
  waits = [];
  bucket = await bucketReplica();
  rig = await serveRig({
    root,
    environment: environmentOf(bucket),
    after: (ms, task) => {
      const one = { ms, task };
      waits.push(one);
      return () => {
        waits = waits.filter((other) => other !== one);
      };
    },
  });
  key = await rig.key();
  rig.promote(rig.release({ sourceDate: '2026-02-07' }), { '2026-02-07': first });
  upload();
  await rig.look();
});
afterEach(async () => {
  await bucket.close();
  rmSync(rig.root, { recursive: true, force: true });
});

const stress = (ticker = 'MSTR') =>
  rig.ask(`/v1/covenant-stress/${ticker}`, { headers: { 'x-api-key': key } });
const ready = async () => {
  const answer = await rig.ask('/ready');
  const { checks } = answer.json() as { checks: Record<string, { status: string; detail: string | null }> };
  return { status: answer.status, store: checks['artifact_store'] };
};

describe('a server over a bucket that misbehaves (STORE ST15)', () => {
  it.each<[string, Misbehaviour]>([
    ['answers too late', 'hang'],
    ['breaks off', 'cut body'],
    ['refuses with 403', { status: 403, code: 'AccessDenied' }],
    ['fails with 503', { status: 503, code: 'SlowDown' }],
    ['answers with other bytes', 'other bytes'],
    ['has lost the pack', { status: 404, code: 'NoSuchKey' }],
  ])('answers 503 to what needs it when it %s, charges nothing, and goes on', async (_, fault) => {
    expect((await stress('MARA')).status).toBe(200);
    misbehave(fault, /\.pack$/);
    bucket.asked.length = 0;
    const asked = stress();
    if (fault === 'hang') {
      while (bucket.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
      // the wait for a range
      for (const { task } of waits.filter(({ ms }) => ms > 8_000)) task();
    }
    const answer = await asked;
    expect([answer.status, answer.json()['code']]).toEqual([503, 'artifact_unavailable']);
    expect(rig.notes).toHaveLength(1);
    expect((await stress('MARA')).status).toBe(200);
    expect(await ready()).toEqual({
      status: 200,
      store: {
        status: 'degraded',
        detail: expect.stringContaining('covenant/2026-02-07/CIK0001050446.json'),
      },
    });
    // what clients are told names neither bucket nor address
    expect(answer.bytes.toString()).not.toMatch(/s3:|bucket\b/);
    misbehave(null);
    expect((await stress()).status).toBe(200);
    expect(await ready()).toEqual({ status: 200, store: { status: 'ok', detail: null } });
  });

  it('is looked at by check-config, which creates nothing', async () => {
    const data = mkdtempSync(join(tmpdir(), 'issuer-data-'));
    cpSync(join(rig.root, 'keys'), join(data, 'keys'), { recursive: true });
    const config = readConfig({
      envFile: join(import.meta.dirname, '../demo.env'),
      environment: { ...environmentOf(bucket), II_DATA: data },
    });
    const time = { nowMs: () => 0, after: () => () => {} };
    expect(await checkConfiguration({ config, time })).toMatchObject({
      artifacts: { root: 's3://bucket/store', current_release: first },
      problems: [],
    });
    misbehave({ status: 403, code: 'AccessDenied' });
    const { artifacts, problems } = await checkConfiguration({ config, time });
    expect(artifacts.current_release).toBeNull();
    expect(problems.join('\n')).toContain('does not let these credentials read');
    expect(readdirSync(data)).toEqual(['keys']);
    rmSync(data, { recursive: true });
  });

  it.each<[string, Misbehaviour]>([
    ['refuses everything', { status: 403, code: 'AccessDenied' }],
    ['fails', { status: 503, code: 'SlowDown' }],
  ])('serves what it has when the bucket %s, and a new release once it is back', async (_, fault) => {
    expect((await stress()).status).toBe(200);
    const next = rig.release({ sourceDate: '2026-02-08' });
    rig.promote(next, { '2026-02-07': first, '2026-02-08': next });
    upload();
    misbehave(fault);
    await rig.look();
    expect((await stress()).json()['source_date']).toBe('2026-02-07');
    expect((await ready()).store).toMatchObject({
      status: 'degraded',
      detail: expect.stringContaining('The object store does not answer since'),
    });
    misbehave(null);
    await rig.look();
    expect((await stress()).json()['source_date']).toBe('2026-02-08');
    expect((await ready()).store).toEqual({ status: 'ok', detail: null });
  });
});
