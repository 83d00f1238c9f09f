import { describe, expect, it } from 'vitest';
import { testWallet } from '../../../fixtures/builders/testWallet.ts';
import {
  balanced,
  code,
  exported,
  paid,
  path,
  pending,
  rig,
  stateOf,
  unavailable,
  wallet,
  withProviders,
} from '../../../fixtures/rigs/failingProviderRig.ts';

// the rows of PAYMENTS 11.A that concern x402: HTTP answer, ledger, charge, recovery

withProviders();

describe('a gateway', () => {
  const batched = () => rig.pay(wallet, path, { provider: 'gateway_batched' });
  const settlePath = '/v1/x402/settle';

  it('that finds no balance refuses, and nothing was charged (X15)', async () => {
    rig.gateway.deposits.set(wallet.address, 0n);
    const answer = await paid(await batched());
    expect(answer.json()).toMatchObject({
      status: 402,
      code: 'payment_settlement_failed',
      error_reason: 'insufficient_balance',
      detail: expect.stringMatching(
        /The deposit of 0x[0-9A-Fa-f]{40} at the gateway holds less than 0.100000 USD .*: add to it/,
      ),
    });
    const [row] = await exported();
    expect(await stateOf(row?.receiptId)).toBe('failed/refused');
    expect(answer.headers.has('payment-required')).toBe(true);
    expect(rig.gateway.transfers).toEqual([]);
    await balanced(0);
    // what the client can do instead (X15)
    expect((await paid(await rig.pay(wallet, path))).status).toBe(200);
    await balanced(100_000);
  });

  it.each([false, true])(
    'whose answer was lost is asked by payer and found (X16, nonce shown: %s)',
    async (shown) => {
      rig.gateway.showsNonce = shown;
      const header = await batched();
      rig.gateway.misbehave(settlePath, { kind: 'drop_after_accept' });
      const receiptId = await pendingOpen(await paid(header));
      expect(await stateOf(receiptId)).toBe('authorized/unknown');
      rig.advance(31_000);
      await rig.payments.reconciler?.pass();
      expect(await stateOf(receiptId)).toBe('queued_for_batch/accepted');
      const again = await paid(header);
      expect(again.status).toBe(200);
      expect(again.json()['settlement_receipt']).toMatchObject({
        receipt_id: receiptId,
        gateway_transfer_id: rig.gateway.transfers[0]?.id,
        quality_flags: ['settlement_not_confirmed', 'replayed', 'recovered'],
      });
      expect(rig.gateway.calls(settlePath)).toHaveLength(1);
      await balanced(100_000);
    },
  );

  it('that never got a hand-over is known not to have it once it has run out (X35, P3.9)', async () => {
    rig.gateway.misbehave(settlePath, { kind: 'drop' });
    const receiptId = await pendingOpen(await paid(await batched()));
    rig.advance(60_000);
    await rig.payments.reconciler?.pass();
    expect(await stateOf(receiptId)).toBe('authorized/unknown');
    rig.advance(605_000_000);
    await rig.payments.reconciler?.pass();
    expect(await stateOf(receiptId)).toBe('failed/refused');
    await balanced(0);
  });

  it('does not take a later payment of that payer for a hand-over that was lost (P3.9)', async () => {
    rig.gateway.misbehave(settlePath, { kind: 'drop' });
    const lost = await pendingOpen(await paid(await batched()));
    const elsewhere = '/v1/covenant-stress/MARA';
    const header = await rig.pay(wallet, elsewhere, { provider: 'gateway_batched' });
    expect((await rig.ask(elsewhere, { headers: { 'payment-signature': header } })).status).toBe(200);
    rig.advance(31_000);
    await rig.payments.reconciler?.pass();
    expect(await stateOf(lost)).toBe('authorized/unknown');
    rig.advance(605_000_000);
    await rig.payments.reconciler?.pass();
    expect(await stateOf(lost)).toBe('failed/refused');
    await balanced(100_000);
  });

  it('is asked by times that two clocks made: a transfer may seem a little older than its hand-over', async () => {
    rig.gateway.misbehave(settlePath, { kind: 'drop_after_accept' });
    const receiptId = await pendingOpen(await paid(await batched()));
    const [only] = rig.gateway.transfers;
    if (only !== undefined)
      rig.gateway.transfers[0] = { ...only, createdAt: new Date(rig.clock.nowMs - 4000).toISOString() };
    rig.advance(31_000);
    await rig.payments.reconciler?.pass();
    expect(await stateOf(receiptId)).toBe('queued_for_batch/accepted');
  });

  it('with two transfers that could be ours is left alone, and somebody is told (P3.9)', async () => {
    rig.gateway.misbehave(settlePath, { kind: 'drop_after_accept' });
    const receiptId = await pendingOpen(await paid(await batched()));
    const [only] = rig.gateway.transfers;
    if (only !== undefined) rig.gateway.transfers.push({ ...only, id: only.id.replace(/^./, 'f') });
    rig.advance(31_000);
    await rig.payments.reconciler?.pass();
    expect(await stateOf(receiptId)).toBe('authorized/unknown');
    expect(rig.logLines.join('')).toContain('gateway_ambiguous');
  });

  it('that fails a queued transfer takes the charge back and watches the payer (X17, I3.9)', async () => {
    const header = await batched();
    const { receipt_id } = (await paid(header)).json()['settlement_receipt'] as { receipt_id: string };
    rig.gateway.move(rig.gateway.transfers[0]?.id ?? '', 'failed');
    rig.advance(31_000);
    await rig.payments.reconciler?.pass();
    expect(await stateOf(receipt_id)).toBe('failed/refused');
    await balanced(0);
    const refused = await paid(await batched());
    expect(refused.json()).toMatchObject({ status: 402, code: 'payer_not_batchable' });
    expect((refused.json()['accepts'] as unknown[]).length).toBe(1);
    expect((await paid(await rig.pay(wallet, path))).status).toBe(200);
    await rig.ledger.watchlist.clear({ payer: wallet.address, by: 'test', atMs: rig.clock.nowMs });
    expect((await paid(await batched())).status).toBe(200);
  });

  it('that speaks an unknown word changes nothing (P3.8)', async () => {
    const { receipt_id } = (await paid(await batched())).json()['settlement_receipt'] as {
      receipt_id: string;
    };
    rig.gateway.move(rig.gateway.transfers[0]?.id ?? '', 'teleported');
    rig.advance(31_000);
    await rig.payments.reconciler?.pass();
    expect(await stateOf(receipt_id)).toBe('queued_for_batch/accepted');
    expect(rig.logLines.join('')).toContain('gateway_status_unknown');
  });

  it('that is down for days leaves queued answers alone and opens its own breaker only (X18)', async () => {
    const header = await batched();
    const { receipt_id } = (await paid(header)).json()['settlement_receipt'] as { receipt_id: string };
    const [transfer] = rig.gateway.transfers;
    const transferPath = `/v1/x402/transfers/${transfer?.id}`;
    rig.gateway.always(transferPath, { kind: 'status', status: 503, body: '' });
    rig.gateway.always(settlePath, { kind: 'status', status: 503, body: '' });
    for (let number = 31; number < 36; number += 1)
      await paid(await rig.pay(testWallet(number), path, { provider: 'gateway_batched' }));
    unavailable(await paid(await batched()), 'gateway_batched');
    expect(rig.gateway.calls(settlePath)).toHaveLength(6);
    for (let day = 0; day < 3; day += 1) {
      rig.advance(86_400_000);
      await rig.payments.reconciler?.pass();
    }
    expect(await stateOf(receipt_id)).toBe('queued_for_batch/accepted');
    expect(rig.gateway.calls(transferPath)).toHaveLength(3);
    expect((await paid(header)).status).toBe(200);
    expect((await paid(await rig.pay(wallet, path))).status).toBe(200);
    await balanced(200_000);
    // it is asked on, and what it completed is settled when it is back
    rig.gateway.always(transferPath, { kind: 'answer' });
    rig.gateway.move(transfer?.id ?? '', 'completed');
    rig.advance(86_400_000);
    await rig.payments.reconciler?.pass();
    expect(await stateOf(receipt_id)).toBe('settled/accepted');
    await balanced(200_000);
  });

  it('must answer with a UUID: anything else is open (P3.7)', async () => {
    rig.gateway.misbehave(settlePath, { kind: 'lie', members: { transaction: `0x${'1'.repeat(64)}` } });
    await pendingOpen(await paid(await batched()));
  });

  async function pendingOpen(answer: Awaited<ReturnType<typeof paid>>): Promise<string> {
    expect(code(answer)).toBe('settlement_pending');
    return pending(answer);
  }
});
