import { afterEach, beforeEach, expect, it } from 'vitest';
import { announcedPrice } from '../../fixtures/builders/announcedPrice.ts';
import { testWallet } from '../../fixtures/builders/testWallet.ts';
import { type AccountRig, accountRig } from '../../fixtures/rigs/accountRig.ts';

// 0.10 USD until 10:05:00.000 and 0.12 from then on: nobody signed an amount here, so there is no grace (I5.42 b)

const path = '/v1/covenant-stress/MSTR';
const wallet = testWallet(84);
const effectiveAt = '2026-02-07T10:05:00Z';
const changeMs = Date.parse(effectiveAt);
let rig: AccountRig;

beforeEach(async () => {
  const change = { announcedAt: '2026-01-01T00:00:00Z', effectiveAt, newMicroUsd: 120_000 };
  rig = await accountRig({ routes: announcedPrice(change) });
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
});
afterEach(async () => {
  expect((await rig.ledger.check()).problems).toEqual([]);
  await rig.close();
});

it('a grant is debited the price in force, and a repeat is answered at the price of its first answer', async () => {
  await rig.enrol({ wallet: wallet.address, budgetMicro: 330_000 });
  const authorization = `Bearer ${await rig.token(wallet)}`;
  const call = async (key: string) => {
    const body = (await rig.ask(path, { headers: { authorization, 'idempotency-key': key } })).json();
    return [body['quoted_cost_usd'], body['grant_debit_usd'], body['grant_remaining_usd']];
  };
  rig.clock.nowMs = changeMs - 1;
  expect(await call('before-the-change')).toEqual([0.1, 0.1, 0.23]);
  rig.clock.nowMs = changeMs;
  expect(await call('after-the-change')).toEqual([0.12, 0.12, 0.11]);
  expect(await call('before-the-change')).toEqual([0.1, 0.1, 0.11]);
  // what is left would have been enough before
  const refused = await rig.ask(path, { headers: { authorization } });
  expect(refused.json()).toMatchObject({
    code: 'grant_insufficient_budget',
    quoted_cost_usd: 0.12,
    grant: { grant_remaining_usd: 0.11, required_usd: 0.12 },
  });
});

it('a key is quoted the price in force, and charged nothing', async () => {
  const key = await rig.key();
  const quoted = async () => {
    const body = (await rig.ask(path, { headers: { 'x-api-key': key } })).json();
    const { quoted_cost_usd } = body['settlement_receipt'] as Record<string, unknown>;
    return [body['quoted_cost_usd'], quoted_cost_usd, body['cost_usd']];
  };
  rig.clock.nowMs = changeMs - 1;
  expect(await quoted()).toEqual([0.1, 0.1, 0]);
  rig.clock.nowMs = changeMs;
  expect(await quoted()).toEqual([0.12, 0.12, 0]);
});
