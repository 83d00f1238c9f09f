import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { liveRoutes } from '../data/contract/routes/routes.ts';
import type { Answer } from '../fixtures/rigs/askServer.ts';
import { type Rig, serveRig } from '../fixtures/rigs/serveRig.ts';

// what is kept from one request to the next must never show in an answer

const recheckMs = 200;
let rig: Rig;
let key: string;

beforeEach(async () => {
  rig = await serveRig({ recheckMs });
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
  key = await rig.key();
});
afterEach(() => rig.close());

// ids and the digests over them are new in every answer
const volatile = /(req|resp|rcpt)_[0-9A-HJKMNP-TV-Z]{26}|rec_[0-9a-f]{32}/g;
// every MPP challenge can be paid once, so no two are alike (P4.2)
const challenge = /Payment id=\\"[\w-]{43}\\"|expires=\\"[\d:TZ.-]+\\"/g;
const shape = (answer: Answer): string => {
  const headers = [...answer.headers].filter(([name]) => !/^(content|repr)-digest$|^ratelimit$/.test(name));
  return `${answer.status} ${JSON.stringify(headers)} ${answer.bytes.toString()}`
    .replaceAll(volatile, '$1')
    .replaceAll(challenge, 'new');
};

describe('a request line that was answered before', () => {
  it('is answered the same way on every live route, with key, unpaid and on HEAD', async () => {
    for (const { id, method, examplePath } of liveRoutes) {
      if (method !== 'GET') continue;
      for (const o of [{ headers: { 'x-api-key': key } }, {}, { method: 'HEAD' }]) {
        const first = shape(await rig.ask(examplePath, o));
        expect(shape(await rig.ask(examplePath, o)), `${id} ${JSON.stringify(o)}`).toBe(first);
      }
    }
  });

  it('keeps the label it asked with in lookup, also where another label found the same answer', async () => {
    const asked = async (label: string) => {
      const answer = await rig.ask(`/v1/covenant-stress/${label}`, { headers: { 'x-api-key': key } });
      return (answer.json()['response_metadata'] as { lookup: unknown }).lookup;
    };
    for (const round of [1, 2]) {
      expect(await asked('MSTR'), String(round)).toEqual({ asked: 'MSTR', matched_by: 'ticker' });
      expect(await asked('mstr.a'), String(round)).toEqual({ asked: 'MSTR.A', matched_by: 'alias' });
    }
  });

  it('is answered from a promoted release at the latest when the pointers are looked at again (I3.19)', async () => {
    const date = async () =>
      (await rig.ask('/v1/covenant-stress/MSTR', { headers: { 'x-api-key': key } })).headers.get(
        'x-source-date',
      );
    expect([await date(), await date()]).toEqual(['2026-02-07', '2026-02-07']);
    const next = rig.release({ sourceDate: '2026-02-08' });
    rig.promote(next, { '2026-02-08': next });
    rig.clock.nowMs += recheckMs;
    expect(await date()).toBe('2026-02-08');
  });

  it('still needs its credential, whoever was admitted before', async () => {
    const path = '/v1/covenant-stress?limit=1';
    expect((await rig.ask(path, { headers: { 'x-api-key': key } })).status).toBe(200);
    expect((await rig.ask(path)).status).toBe(402);
    const other = `${key.slice(0, -2)}${key.at(-2) === 'A' ? 'B' : 'A'}${key.at(-1)}`;
    expect((await rig.ask(path, { headers: { 'x-api-key': other } })).status).toBe(401);
    expect(rig.notes.length).toBe(1);
  });

  it('is refused with the same problem every time when it is not valid', async () => {
    for (const path of [
      '/v1/covenant-stress?limit=x',
      '/v1/covenant-stress/NOBODY',
      '/v1/nowhere',
      '/v1/top-stressed?offset=400',
    ]) {
      const first = shape(await rig.ask(path, { headers: { 'x-api-key': key } }));
      expect(first).toMatch(/^4/);
      expect(shape(await rig.ask(path, { headers: { 'x-api-key': key } }))).toBe(first);
    }
  });

  it('writes a receipt of its own with the same fingerprint', async () => {
    for (let i = 0; i < 3; i += 1) {
      await rig.ask('/v1/covenant-stress/MSTR', { headers: { 'x-api-key': key } });
    }
    expect(new Set(rig.notes.map((note) => note.receiptId)).size).toBe(3);
    expect(new Set(rig.notes.map((note) => Buffer.from(note.fingerprint).toString('hex'))).size).toBe(1);
  });
});
