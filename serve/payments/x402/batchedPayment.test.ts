import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { billingEnvelope } from '../../../data/contract/billing/billingEnvelope.ts';
import { testWallet } from '../../../fixtures/builders/testWallet.ts';
import type { PaidRig } from '../../../fixtures/rigs/paidRig.ts';
import { sellingRig } from '../../../fixtures/rigs/sellingRig.ts';

const path = '/v1/covenant-stress/MSTR';
const wallet = testWallet(11);
const other = testWallet(12);
let rig: PaidRig;

async function start(environment: Record<string, string> = {}): Promise<void> {
  rig = await sellingRig({ environment, wallet });
}
beforeEach(() => start());
afterEach(() => rig.close());

const paid = (header: string) => rig.ask(path, { headers: { 'payment-signature': header } });
const result = (text: string | undefined) =>
  JSON.parse(Buffer.from(text ?? '', 'base64').toString('utf8')) as Record<string, unknown>;
const balanced = async () => expect((await rig.ledger.check()).problems).toEqual([]);

describe('a batched payment', () => {
  it('is handed over and answered as queued (P3.6, I5.46 column gateway)', async () => {
    const answer = await paid(await rig.pay(wallet, path, { provider: 'gateway_batched' }));
    const envelope = billingEnvelope.parse(answer.json());
    expect(envelope).toMatchObject({
      billing_mode: 'x402',
      billing_status: 'charged',
      payment_status: 'queued',
      cost_usd: 0.1,
      settlement_receipt: {
        charge_status: 'queued_for_batch',
        provider: 'gateway_batched',
        charged_amount_usdc: '0.100000',
        settlement_tx_hash: null,
        quality_flags: ['settlement_not_confirmed'],
      },
    });
    expect(result(answer.headers.get('payment-response'))['transaction']).toBe(
      envelope.settlement_receipt.gateway_transfer_id,
    );
    // P3.4, P3.5: no version beside the two members, and no verify call
    expect(rig.gateway.received.map((call) => call.path)).toEqual(['/v1/x402/settle']);
    expect(Object.keys(rig.gateway.received[0]?.body as object)).toEqual([
      'paymentPayload',
      'paymentRequirements',
    ]);
    expect(rig.facilitator.received).toEqual([]);
    await balanced();
  });

  it('reads settled on replay once the gateway has completed it (P3.8, I5.26)', async () => {
    const header = await rig.pay(wallet, path, { provider: 'gateway_batched' });
    await paid(header);
    rig.gateway.move(rig.gateway.transfers[0]?.id ?? '', 'completed');
    rig.clock.nowMs += 31_000;
    await rig.payments.reconciler?.pass();
    const again = billingEnvelope.parse((await paid(header)).json());
    expect(again.payment_status).toBe('settled');
    expect(again.settlement_receipt.charge_status).toBe('settled');
    await balanced();
  });

  it('shows its batch as soon as the gateway names one (P3.8)', async () => {
    const header = await rig.pay(wallet, path, { provider: 'gateway_batched' });
    await paid(header);
    const { id } = rig.gateway.transfers[0] ?? { id: '' };
    const named = { status: 'batched', batchId: 'batch-9' };
    rig.gateway.misbehave(`/v1/x402/transfers/${id}`, { kind: 'lie', members: named });
    rig.clock.nowMs += 31_000;
    await rig.payments.reconciler?.pass();
    expect(billingEnvelope.parse((await paid(header)).json()).settlement_receipt).toMatchObject({
      charge_status: 'queued_for_batch',
      batch_id: 'batch-9',
    });
    await balanced();
  });

  it('is never verified in the domain of the other rail (S5, P2.12)', async () => {
    const challenge = await rig.pay(wallet, path, { provider: 'gateway_batched' });
    const body = JSON.parse(Buffer.from(challenge, 'base64').toString('utf8'));
    const [exactEntry] = JSON.parse(
      Buffer.from((await rig.ask(path)).headers.get('payment-required') ?? '', 'base64').toString('utf8'),
    ).accepts;
    body.accepted = exactEntry;
    const crossed = await paid(Buffer.from(JSON.stringify(body)).toString('base64'));
    expect(crossed.status).toBe(402);
    expect(crossed.json()).toMatchObject({
      code: 'payment_verification_failed',
      error_reason: 'invalid_signature',
    });
    expect(rig.facilitator.received).toEqual([]);
  });

  it('must be valid for seven days when it arrives (P3.3, I5.14)', async () => {
    const now = BigInt(rig.clock.nowMs / 1000);
    const short = await rig.pay(wallet, path, { provider: 'gateway_batched', validBefore: now + 604_799n });
    expect((await paid(short)).json()['code']).toBe('payment_expired');
    const enough = await rig.pay(wallet, path, { provider: 'gateway_batched', validBefore: now + 604_800n });
    expect((await paid(enough)).status).toBe(200);
  });

  it('is refused above what the gateway may owe for one payer (P3.11)', async () => {
    await rig.close();
    await start({ II_PAY_GATEWAY_MAX_QUEUED_MICRO: '150000,1000000', II_PAY_DOUBLE_GUARD: 'off' });
    const first = await paid(await rig.pay(wallet, path, { provider: 'gateway_batched' }));
    expect(first.status).toBe(200);
    const second = await paid(await rig.pay(wallet, path, { provider: 'gateway_batched' }));
    expect([second.status, second.json()['code']]).toEqual([402, 'payer_not_batchable']);
    const accepts = second.json()['accepts'] as { extra: { name: string } }[];
    expect(accepts.map((entry) => entry.extra.name)).toEqual(['USD Coin']);
    expect(rig.gateway.received).toHaveLength(1);
    expect((await paid(await rig.pay(wallet, path))).status).toBe(200);
  });

  it('stays within that bound when many come at once (P3.11)', async () => {
    await rig.close();
    await start({ II_PAY_GATEWAY_MAX_QUEUED_MICRO: '250000,1000000', II_PAY_DOUBLE_GUARD: 'off' });
    const headers = await Promise.all(
      Array.from({ length: 8 }, () => rig.pay(wallet, path, { provider: 'gateway_batched' })),
    );
    const answers = await Promise.all(headers.map((header) => paid(header)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(2);
    expect(rig.gateway.received).toHaveLength(2);
    // and one payment that comes many times at once takes the room of one
    rig.gateway.deposits.set(other.address, 1_000_000n);
    const again = await rig.pay(other, path, { provider: 'gateway_batched' });
    const alike = await Promise.all(Array.from({ length: 8 }, () => paid(again)));
    expect(alike.map((answer) => answer.status)).toEqual(Array(8).fill(200));
    expect(rig.gateway.received).toHaveLength(3);
  });
});
