import { afterEach, beforeEach, expect, it } from 'vitest';
import { testWallet } from '../../fixtures/builders/testWallet.ts';
import { type AccountRig, accountRig, operator } from '../../fixtures/rigs/accountRig.ts';

const wallet = testWallet(61);
let rig: AccountRig;

beforeEach(async () => {
  rig = await accountRig();
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
});
afterEach(() => rig.close());

it('a route taken from a grant is not covered from then on, whatever the server remembers of it (I5.42 a)', async () => {
  const grantId = await rig.enrol({ wallet: wallet.address });
  const headers = { authorization: `Bearer ${await rig.token(wallet)}` };
  const call = () => rig.ask('/v1/covenant-stress/MSTR', { headers });
  expect((await call()).status).toBe(200);
  const readiness = { routes: ['GET /v1/readiness'], minPriceMicro: 40_000 };
  await rig.ledger.grants.setRoutes({ grantId, as: operator, atMs: rig.clock.nowMs, ...readiness });
  const refused = await call();
  expect(refused.json()).toMatchObject({ status: 402, code: 'grant_route_not_covered' });
  expect(refused.headers.get('payment-required')).toBeDefined();
  await rig.ledger.sweep();
  expect(await rig.ledger.grants.find(grantId)).toMatchObject({ spentMicro: 100_000, heldMicro: 0 });
  expect((await rig.ledger.check()).problems).toEqual([]);
});
