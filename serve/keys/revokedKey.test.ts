import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AccountRig, accountRig } from '../../fixtures/rigs/accountRig.ts';
import { readAnswer } from '../../fixtures/rigs/askServer.ts';
import { createGate } from '../access/gate.ts';
import { handle } from '../handle.ts';

let rig: AccountRig;
beforeEach(async () => {
  rig = await accountRig();
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
});
afterEach(() => rig.close());

it('a call admitted before the map knew of a revocation is answered, the next is 401 (X70, P6.3)', async () => {
  const key = await rig.key();
  const call = (name: string) => rig.ask('/v1/readiness', { headers: { [name]: key }, delivery: null });
  const running = await call('x-api-key');
  const [info] = await rig.ledger.keys.list();
  await rig.ledger.keys.revoke({ keyId: info?.keyId ?? '', as: 'operator:ada', atMs: rig.clock.nowMs });
  // what the ring does every 4.5 s and on the ledger's notification
  await rig.keys.refresh();
  running.outgoing.done('delivered');
  expect(running.status).toBe(200);
  for (const name of ['x-api-key', 'mcp-api-key'])
    expect((await call(name)).json()).toMatchObject({ status: 401, code: 'invalid_api_key' });
  // a receipt handed over is durable behind an awaited write
  await rig.ledger.sweep();
  expect(await rig.ledger.check()).toMatchObject({ receipts: 1, chargedMicro: 0, problems: [] });
});

it('a key is neither taken nor refused while the keys cannot be read: 503, nothing written (P6.3, X49)', async () => {
  const { deps, ledger } = rig;
  const gate = createGate({
    ledger,
    checkKey: () => ({ kind: 'unread' }),
    deployment: deps.deployment,
    freePaths: new Set(),
    rails: [],
    v1: false,
    ulid: deps.ulid,
  });
  const outgoing = await handle(
    {
      method: 'GET',
      target: '/v1/readiness',
      headers: { 'x-api-key': [await rig.key()] },
      body: new Uint8Array(0),
      clientAddress: '192.0.2.1',
      secureTransport: true,
      clientGone: () => false,
    },
    { ...deps, gate },
  );
  const answer = await readAnswer(outgoing);
  expect(answer.json()).toMatchObject({ status: 503, code: 'settlement_unavailable', rail: 'api_key' });
  expect(answer.headers.get('retry-after')).toBeDefined();
  expect(answer.headers.get('payment-required')).toBeUndefined();
  await ledger.sweep();
  expect((await ledger.check()).receipts).toBe(0);
});
