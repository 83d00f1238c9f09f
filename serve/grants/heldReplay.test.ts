import { afterEach, beforeEach, expect, it } from 'vitest';
import { testWallet } from '../../fixtures/builders/testWallet.ts';
import { type AccountRig, accountRig } from '../../fixtures/rigs/accountRig.ts';

// a repeat of an idempotency key that overtakes the call it repeats (P7.9, P7.16)

const path = '/v1/covenant-stress/MSTR';
const wallet = testWallet(51);
let rig: AccountRig;
let grantId: string;
let headers: Record<string, string>;

beforeEach(async () => {
  rig = await accountRig();
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
  grantId = await rig.enrol({ wallet: wallet.address });
  headers = { authorization: `Bearer ${await rig.token(wallet)}`, 'idempotency-key': 'order-0001' };
});
afterEach(() => rig.close());

const states = async () => (await rig.ledger.grants.debits(grantId)).map(({ state }) => state);

it('is paid for when it arrived, although the first answer did not', async () => {
  const first = await rig.ask(path, { headers, delivery: null });
  const repeat = await rig.ask(path, { headers, delivery: 'delivered' });
  expect(repeat.headers.get('idempotent-replay')).toBe('true');
  first.outgoing.done('undelivered');
  await rig.ledger.sweep();
  expect(await states()).toEqual(['debited']);
});

it('is paid for when it arrives after the first answer was lost', async () => {
  const first = await rig.ask(path, { headers, delivery: null });
  const repeat = await rig.ask(path, { headers, delivery: null });
  first.outgoing.done('undelivered');
  repeat.outgoing.done('delivered');
  await rig.ledger.sweep();
  expect(await states()).toEqual(['debited']);
});

it('gives the budget back when neither arrived', async () => {
  const first = await rig.ask(path, { headers, delivery: null });
  const repeat = await rig.ask(path, { headers, delivery: null });
  repeat.outgoing.done('undelivered');
  first.outgoing.done('undelivered');
  await rig.ledger.sweep();
  expect(await states()).toEqual(['released']);
});
