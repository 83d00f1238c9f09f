import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import alphaWeights from '../data/contract/emit/alphaWeights.json' with { type: 'json' };
import type { FieldContract } from '../data/contract/emit/fieldContractSchema.ts';
import { fieldContract } from '../data/contract/emit/fieldContractSchema.ts';
import type { Help } from '../data/contract/emit/helpSchema.ts';
import { liveRoutes, routes } from '../data/contract/routes/routes.ts';
import { type Rig, serveRig } from '../fixtures/rigs/serveRig.ts';
import { releaseKeys } from './keys/releaseKeys.ts';

/** A route that is planned has no documents of its own. */
const pendingNames = routes
  .filter(({ status }) => status === 'pending')
  .map(({ operationId }) => operationId)
  .slice(0, 1);

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
    expect(Object.keys(discovery).sort()).toEqual([
      ...[
        'agent_card',
        'did',
        'fields',
        'help',
        'icon',
        'llms',
        'mcp_card',
        'openapi',
        'pricing',
        'reference',
        'registry_entry',
        'robots',
        'well_known_x402',
        'workflows',
      ],
    ]);
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
    const ofTool = await rig.ask('/v1/contract/fields?tool=intel_covenant_stress');
    expect(ofTool.bytes.equals((await rig.ask('/v1/contract/fields?route=getCovenantStress')).bytes)).toBe(
      true,
    );
    const unknown = await rig.ask('/v1/contract/fields?tool=intel_nothing');
    expect(unknown.json()).toMatchObject({
      ...{ status: 400, code: 'invalid_parameter', parameter: 'tool' },
      allowed: expect.arrayContaining(['intel_company_report']),
    });
  });

  it.each(['getNothing', 'GET /v1/nothing', ...pendingNames])(
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

describe('the release keys', () => {
  const withKeys = (files: Record<string, string>, test: (root: string) => void) => {
    const root = mkdtempSync(join(tmpdir(), 'key-'));
    mkdirSync(join(root, 'keys'));
    for (const [name, content] of Object.entries(files)) writeFileSync(join(root, 'keys', name), content);
    test(root);
    rmSync(root, { recursive: true });
  };
  const current = 'release-ed25519.pub';
  const noKey = Buffer.alloc(32);
  const pem = (type: 'ed25519' | 'x25519' = 'ed25519') =>
    generateKeyPairSync(type as 'ed25519')
      .publicKey.export({ format: 'pem', type: 'spki' })
      .toString();

  it('are unknown before the first night, and found when it has made one', () => {
    withKeys({}, (root) => {
      const keys = releaseKeys(root);
      expect(keys.current()).toEqual([]);
      expect(keys.trusts(noKey).published).toBe(false);
      writeFileSync(join(root, 'keys', current), pem());
      keys.trusts(noKey);
      expect(keys.current()).toHaveLength(1);
    });
  });

  it('are 32 bytes under the name the manifest gives them, the one in use first (I9.16)', () => {
    withKeys({ 'release-ed25519.0000.pub': pem(), [current]: pem(), 'other.pub': pem() }, (root) => {
      const [first, ...more] = releaseKeys(root).current();
      expect(more).toHaveLength(1);
      expect(Buffer.from(first?.publicKey ?? '', 'base64')).toHaveLength(32);
      expect(first?.keyId).toMatch(/^ed25519-[0-9a-f]{16}$/);
      rmSync(join(root, 'keys', 'release-ed25519.0000.pub'));
      expect(releaseKeys(root).current()).toEqual([first]);
    });
  });

  it('refuse to start with anything else, and a running server keeps what it had', () => {
    const secret = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });
    for (const content of ['', 'no key', pem('x25519'), secret.toString()])
      withKeys({ [current]: content }, (root) =>
        expect(() => releaseKeys(root)).toThrow(/public key in PEM/),
      );
    withKeys({ [current]: pem() }, (root) => {
      const keys = releaseKeys(root);
      const [{ publicKey } = { publicKey: '' }] = keys.current();
      writeFileSync(join(root, 'keys', current), 'half a ke');
      expect(keys.trusts(Buffer.from(publicKey, 'base64')).published).toBe(true);
    });
  });

  it('are all published in the field contract (I4.F02.2)', async () => {
    const next = rig.release({ sourceDate: '2026-02-08' });
    rig.promote(next, { '2026-02-08': next });
    await rig.ask('/ready');
    const { integrity } = (await rig.ask('/v1/contract/fields')).json() as FieldContract;
    expect(integrity.key_id).toMatch(/^ed25519-/);
    expect(integrity.retired_keys).toHaveLength(1);
    expect(integrity.retired_keys[0]?.key_id).not.toBe(integrity.key_id);
  });
});
