import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FieldContract } from '../contract/emit/fieldContractSchema.ts';
import { fieldContract } from '../contract/emit/fieldContractSchema.ts';
import alphaWeights from '../contract/emit/generated/alphaWeights.json' with { type: 'json' };
import type { Help } from '../contract/emit/helpSchema.ts';
import { liveRoutes } from '../contract/routes/routes.ts';
import { type Rig, serveRig } from '../fixtures/rigs/serveRig.ts';
import { releaseKey } from './keys/releaseKey.ts';

let rig: Rig;

beforeEach(async () => {
  rig = await serveRig();
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
});
afterEach(() => rig.close());

describe('discovery documents', () => {
  it('are served without credential, under the hashes /ready shows (A1.1, A4.48)', async () => {
    const { json: ready } = await rig.ask('/ready');
    const discovery = ready()['discovery'] as Record<string, string>;
    expect(Object.keys(discovery).sort()).toEqual(['fields', 'help', 'llms', 'openapi', 'pricing']);
    for (const path of ['/help', '/v1/contract/fields']) {
      const answer = await rig.ask(path);
      expect(answer.status, path).toBe(200);
      expect(answer.json()['service']).toBe('issuer_intelligence');
      expect(answer.json()['billing_mode']).toBe('public_discovery');
      expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    }
  });

  it('carry the weights of the registry (I4.F02.2)', async () => {
    const { json } = await rig.ask('/v1/contract/fields');
    expect(fieldContract.safeParse(json()).error).toBeUndefined();
    expect((json() as unknown as FieldContract).alpha_weights).toEqual(alphaWeights);
  });

  it('are where a 402 and its problem point (I7.3, I7.7)', async () => {
    const challenge = await rig.ask('/v1/readiness');
    expect(challenge.status).toBe(402);
    const { type, documentation } = challenge.json() as unknown as {
      type: string;
      documentation: Record<string, string>;
    };
    for (const path of Object.values(documentation)) expect((await rig.ask(path)).status, path).toBe(200);
    const url = new URL(type);
    const { json } = await rig.ask(url.pathname);
    expect((json() as unknown as Help).errors).toHaveProperty(url.hash.slice(1));
  });

  it('are cut to one route by operationId or method and path, with a tag of their own (I4.F18.2)', async () => {
    const whole = await rig.ask('/openapi.json');
    const byId = await rig.ask('/openapi.json?route=getCovenantStress');
    const byPath = await rig.ask(
      `/openapi.json?route=${encodeURIComponent('GET /v1/covenant-stress/{ticker}')}`,
    );
    expect(byId.status).toBe(200);
    expect(byPath.bytes.equals(byId.bytes)).toBe(true);
    expect(Object.keys(byId.json()['paths'] as object)).toEqual(['/v1/covenant-stress/{ticker}']);
    const tag = byId.headers.get('etag') ?? '';
    expect(tag).not.toBe(whole.headers.get('etag'));
    const again = await rig.ask('/openapi.json?route=getCovenantStress', {
      headers: { 'if-none-match': tag },
    });
    expect(again.status).toBe(304);
    const fields = (await rig.ask('/v1/contract/fields?route=getReady')).json() as unknown as FieldContract;
    expect(fieldContract.safeParse(fields).error).toBeUndefined();
    expect([...new Set(fields.fields.map(({ resource }) => resource))]).toEqual(['problem', 'ready']);
  });

  it.each(['getNothing', 'GET /v1/nothing', 'getMorningBriefNatural'])(
    'refuse the name %s, and say which there are',
    async (name) => {
      const answer = await rig.ask(`/openapi.json?route=${encodeURIComponent(name)}`);
      expect(answer.status).toBe(400);
      expect(answer.json()).toMatchObject({
        code: 'invalid_parameter',
        parameter: 'route',
        reason: 'not_allowed',
        allowed: expect.arrayContaining(['getReadiness', 'getHealth']),
      });
    },
  );

  it('name no path that is not live', async () => {
    const { json } = await rig.ask('/help');
    const { access_model: access, documentation } = json() as unknown as Help;
    const live = new Set(liveRoutes.map((route) => route.path));
    const named = [...access.public_support_routes, ...Object.values(documentation)];
    expect(named.filter((path) => !live.has(path))).toEqual([]);
  });
});

describe('the release key', () => {
  const withKey = (content: string | null, test: (root: string) => void) => {
    const root = mkdtempSync(join(tmpdir(), 'key-'));
    mkdirSync(join(root, 'keys'));
    if (content !== null) writeFileSync(join(root, 'keys', 'release-ed25519.pub'), content);
    test(root);
    rmSync(root, { recursive: true });
  };
  const pem = (type: 'ed25519' | 'x25519') =>
    generateKeyPairSync(type as 'ed25519')
      .publicKey.export({ format: 'pem', type: 'spki' })
      .toString();

  it('is unknown before the first night', () => {
    withKey(null, (root) => expect(releaseKey(root)).toBeNull());
  });

  it('is 32 bytes under the name the manifest gives it (I9.16)', () => {
    withKey(pem('ed25519'), (root) => {
      const key = releaseKey(root);
      expect(Buffer.from(key?.publicKey ?? '', 'base64')).toHaveLength(32);
      expect(key?.keyId).toMatch(/^ed25519-[0-9a-f]{16}$/);
    });
  });

  it('refuses to start with anything else', () => {
    for (const content of ['', 'no key', pem('x25519')])
      withKey(content, (root) => expect(() => releaseKey(root)).toThrow(/public key in PEM/));
  });
});
