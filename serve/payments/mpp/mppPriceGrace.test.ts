import { afterEach, beforeEach, expect, it } from 'vitest';
import { billingEnvelope } from '../../../data/contract/billing/billingEnvelope.ts';
import { instant } from '../../../data/contract/values/instant.ts';
import { announcedPrice } from '../../../fixtures/builders/announcedPrice.ts';
import { type TempoBuyer, tempoBuyer } from '../../../fixtures/builders/tempoBuyer.ts';
import { type TempoReplica, tempoReplica } from '../../../fixtures/replicas/tempoReplica.ts';
import { type PaidRig, paidRig, payTo } from '../../../fixtures/rigs/paidRig.ts';

// 0.10 USD until the change, 0.12 from then on, and challenges of 0.10 for 600 seconds more (I9.5, P4.9)

const path = '/mpp/v1/covenant-stress/MSTR';
let rig: PaidRig;
let node: TempoReplica;
let buyer: TempoBuyer;
let changeMs: number;

beforeEach(async () => {
  // the library reads the system's clock
  const clock = { nowMs: Date.now() };
  changeMs = Math.ceil(clock.nowMs / 1000) * 1000 + 60_000;
  const effectiveAt = instant(changeMs);
  node = await tempoReplica({ nowMs: () => clock.nowMs });
  rig = await paidRig({
    clock,
    routes: announcedPrice({ announcedAt: '2026-01-01T00:00:00Z', effectiveAt, newMicroUsd: 120_000 }),
    environment: {
      II_PAY_MPP_RECIPIENT: payTo,
      II_PAY_MPP_CURRENCY: '0x20c0000000000000000000000000000000000000',
      II_PAY_MPP_CHAIN_ID: '1337',
      II_PAY_MPP_RPC_URL: node.url,
      II_PAY_MPP_SECRET: 'the secret of the test deployment',
    },
  });
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
  buyer = tempoBuyer(83, node.url);
  node.balances.set(buyer.address, 1_000_000n);
});
afterEach(async () => {
  expect((await rig.ledger.check()).problems).toEqual([]);
  await rig.close();
  await node.close();
});

const at = (nowMs: number): void => rig.advance(nowMs - rig.clock.nowMs);
const challenge = async () => (await rig.ask(path)).headers.get('www-authenticate') ?? '';
const pay = (credential: string) => rig.ask(path, { headers: { authorization: credential } });
const slot = (header: string, name: string) =>
  JSON.parse(
    Buffer.from(new RegExp(`${name}="([^"]+)"`).exec(header)?.[1] ?? '', 'base64url').toString(),
  ) as Record<string, string>;

it('a challenge of the former price is paid after the change, and charged as it was issued', async () => {
  at(changeMs - 1);
  const former = await challenge();
  at(changeMs);
  const current = await challenge();
  expect([slot(former, 'request')['amount'], slot(current, 'request')['amount']]).toEqual([
    '100000',
    '120000',
  ]);

  const credential = await buyer.sign(former);
  const answer = await pay(credential);
  expect(billingEnvelope.parse(answer.json())).toMatchObject({
    cost_usd: 0.1,
    quoted_cost_usd: 0.1,
    settlement_receipt: { charge_status: 'settled', charged_amount_usdc: '0.100000' },
  });
  expect(answer.headers.get('x-cost-usd')).toBe('0.100000');
  expect(node.taken(payTo)).toBe(100_000n);
  expect((await pay(await buyer.sign(current))).headers.get('x-cost-usd')).toBe('0.120000');
  expect(node.taken(payTo)).toBe(220_000n);

  // I5.26: the repeat of a paid challenge, long after it ran out
  at(changeMs + 86_400_000);
  const again = await pay(credential);
  expect(again.headers.get('idempotent-replay')).toBe('true');
  expect(again.headers.get('x-cost-usd')).toBe('0.100000');
  expect(await rig.ledger.check()).toMatchObject({ receipts: 2, chargedMicro: 220_000 });
});

it('a challenge ends before the grace does, and one of the former price is not enough after it', async () => {
  at(changeMs - 1);
  const former = await challenge();
  const credential = await buyer.sign(former);
  at(changeMs - 1 + 300_000);
  expect((await pay(credential)).json()).toMatchObject({ status: 402, code: 'payment_expired' });

  const fingerprint = Buffer.from(slot(former, 'opaque')['f'] ?? '', 'hex');
  const issuedAt = (nowMs: number) =>
    rig.deps.challenges.mpp?.header({ amountMicro: 100_000, fingerprint, nowMs }) ?? '';
  at(changeMs + 600_001);
  const late = await pay(await buyer.sign(issuedAt(rig.clock.nowMs)));
  expect(late.json()).toMatchObject({ code: 'payment_insufficient', quoted_micro_usd: 120_000 });
  expect(node.taken(payTo)).toBe(0n);
});
