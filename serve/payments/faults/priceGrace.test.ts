import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { billingEnvelope } from '../../../data/contract/billing/billingEnvelope.ts';
import { announcedPrice } from '../../../fixtures/builders/announcedPrice.ts';
import { testWallet } from '../../../fixtures/builders/testWallet.ts';
import { type PaidRig, type PaymentChange, paidRig, payTo } from '../../../fixtures/rigs/paidRig.ts';
import { jsonLine } from '../../ledger/books/export.ts';
import type { ExportRow } from '../../ledger/port/books.ts';

// 0.10 USD until 10:05:00.000, another price from then on, and payments of 0.10 until 10:15:00.000 (I9.5, P1.6)

const path = '/v1/covenant-stress/MSTR';
const effectiveAt = '2026-02-07T10:05:00Z';
const changeMs = Date.parse(effectiveAt);
const graceEndMs = Date.parse('2026-02-07T10:15:00Z');
const wallet = testWallet(83);
let rig: PaidRig;

async function start(newMicroUsd: number, environment: Record<string, string> = {}): Promise<void> {
  const announcedAt = '2026-01-01T00:00:00Z';
  rig = await paidRig({ environment, routes: announcedPrice({ announcedAt, effectiveAt, newMicroUsd }) });
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
  rig.facilitator.balances.set(wallet.address, 10_000_000n);
  rig.gateway.deposits.set(wallet.address, 10_000_000n);
}
beforeEach(() => start(120_000));
afterEach(async () => {
  expect((await rig.ledger.check()).problems).toEqual([]);
  await rig.close();
});

const at = (nowMs: number): void => rig.advance(nowMs - rig.clock.nowMs);
const paid = (header: string) => rig.ask(path, { headers: { 'payment-signature': header } });
/** A payment of an amount, whatever the challenge asks. */
const signed = (amount: number, change: PaymentChange = {}) =>
  rig.pay(wallet, path, { accepted: { amount: String(amount) }, value: BigInt(amount), ...change });
const result = (text: string | undefined) =>
  JSON.parse(Buffer.from(text ?? '', 'base64').toString('utf8')) as Record<string, unknown>;
const batched = { provider: 'gateway_batched' } as const;
async function exported(): Promise<ExportRow[]> {
  const rows: ExportRow[] = [];
  for await (const row of rig.ledger.export({ fromMs: 0, toMs: 8e15 })) rows.push(row);
  return rows;
}
const amounts = async () => (await exported()).map((row) => [row.quotedMicro, row.chargedMicro]);

describe('what an unpaid call is asked', () => {
  it('is the new price from its instant on: challenge, body and headers', async () => {
    const asked = async () => {
      const answer = await rig.ask(path);
      const { accepts } = result(answer.headers.get('payment-required'));
      const body = answer.json();
      expect(body['accepts']).toEqual(accepts);
      expect(body['detail']).toContain(`costs ${(Number(body['quoted_micro_usd']) / 1e6).toFixed(2)} USD`);
      const head = await rig.ask(path, { method: 'HEAD' });
      expect(head.headers.get('x-quoted-cost-usd')).toBe(answer.headers.get('x-quoted-cost-usd'));
      const offered = (accepts as { amount: string }[]).map((entry) => entry.amount);
      return [body['quoted_micro_usd'], answer.headers.get('x-quoted-cost-usd'), offered];
    };
    at(changeMs - 1);
    expect(await asked()).toEqual([100_000, '0.100000', ['100000', '100000']]);
    at(changeMs);
    expect(await asked()).toEqual([120_000, '0.120000', ['120000', '120000']]);
    at(graceEndMs + 1);
    expect(await asked()).toEqual([120_000, '0.120000', ['120000', '120000']]);
  });

  it('is announced before, and the price of every document after (I4.39)', async () => {
    const documents = async () => {
      const pricing = await rig.ask('/v1/pricing');
      const ready = (await rig.ask('/ready')).json() as { discovery: Record<string, string> };
      expect(ready.discovery['pricing']).toBe(createHash('sha256').update(pricing.bytes).digest('hex'));
      const { routes } = pricing.json() as { routes: Record<string, unknown>[] };
      const entry = routes.find((route) => route['id'] === 'R11');
      const guide = (await rig.ask('/llms.txt')).bytes.toString('utf8');
      return {
        tag: pricing.headers.get('etag'),
        entry: [entry?.['price_usd'], entry?.['price_change']],
        guide: /covenant-stress\/\{ticker\} · ([^·]+) ·/.exec(guide)?.[1],
      };
    };
    at(changeMs - 1);
    const before = await documents();
    expect(before).toMatchObject({
      entry: [0.1, { effective_at: effectiveAt, new_price_usd: 0.12 }],
      guide: `0.10 USD, 0.12 USD from ${effectiveAt}`,
    });
    at(changeMs);
    const after = await documents();
    expect(after).toMatchObject({ entry: [0.12, undefined], guide: '0.12 USD' });
    expect(after.tag).not.toBe(before.tag);
  });
});

describe('a payment of the former price', () => {
  it('is the price until the change, and the new one is not it yet', async () => {
    at(changeMs - 1);
    const early = await paid(await signed(120_000));
    expect(early.json()).toMatchObject({ code: 'price_changed', previous_usd: 0.12, quoted_cost_usd: 0.1 });
    expect((await paid(await signed(100_000))).headers.get('x-cost-usd')).toBe('0.100000');
  });

  it('is charged as it was signed when the price changed since its challenge', async () => {
    at(changeMs - 1);
    const header = await rig.pay(wallet, path);
    at(changeMs);
    const answer = await paid(header);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-cost-usd')).toBe('0.100000');
    expect(result(answer.headers.get('payment-response'))).toMatchObject({ success: true, amount: '100000' });
    expect(billingEnvelope.parse(answer.json())).toMatchObject({
      cost_usd: 0.1,
      actual_cost_usd: 0.1,
      quoted_cost_usd: 0.1,
      credits_charged: 10,
      settlement_receipt: { quoted_cost_usd: 0.1, charged_amount_usdc: '0.100000', charge_status: 'settled' },
    });
    const settled = rig.facilitator.calls('/settle').map(({ body }) => body);
    expect(settled).toMatchObject([{ paymentRequirements: { amount: '100000' } }]);
    expect(rig.facilitator.taken(payTo)).toBe(100_000n);
    const [row] = await exported();
    if (row === undefined) throw new RangeError('no row');
    expect(JSON.parse(jsonLine(row, { gatewayAsset: '' }))).toMatchObject({
      quoted_micro_usd: 100_000,
      charged_micro_usd: 100_000,
    });
  });

  it('is taken for 600 seconds and not a millisecond longer, beside payments of the new one', async () => {
    at(graceEndMs);
    expect((await paid(await signed(100_000))).headers.get('x-cost-usd')).toBe('0.100000');
    expect((await paid(await signed(120_000))).headers.get('x-cost-usd')).toBe('0.120000');
    const late = await signed(100_000);
    at(graceEndMs + 1);
    const refused = await paid(late);
    expect(refused.json()).toMatchObject({
      status: 402,
      code: 'price_changed',
      previous_usd: 0.1,
      quoted_cost_usd: 0.12,
    });
    expect(result(refused.headers.get('payment-required'))).toMatchObject({
      error: 'price_changed',
      accepts: [{ amount: '120000' }, { amount: '120000' }],
    });
    expect(rig.facilitator.taken(payTo)).toBe(220_000n);
    expect(await amounts()).toEqual([
      [100_000, 100_000],
      [120_000, 120_000],
    ]);
  });

  it('is exactly one of the two, and what is accepted is what is signed', async () => {
    at(changeMs);
    for (const amount of [99_999, 100_001, 110_000, 119_999, 120_001])
      expect((await paid(await signed(amount))).json()).toMatchObject({ code: 'price_changed' });
    for (const [accepted, value] of [
      [100_000, 120_000n],
      [120_000, 100_000n],
    ] as const) {
      const answer = await paid(await signed(accepted, { value }));
      expect(answer.json()).toMatchObject({ code: 'payment_mismatch', reason: 'authorization_value' });
    }
    expect(rig.facilitator.received).toEqual([]);
    expect(await amounts()).toEqual([]);
  });

  it('is charged in full when the price fell', async () => {
    await rig.close();
    await start(80_000);
    at(graceEndMs);
    expect((await paid(await signed(100_000))).headers.get('x-cost-usd')).toBe('0.100000');
    expect((await paid(await signed(80_000))).headers.get('x-cost-usd')).toBe('0.080000');
    at(graceEndMs + 1);
    expect((await paid(await signed(100_000))).json()).toMatchObject({
      code: 'price_changed',
      previous_usd: 0.1,
      quoted_cost_usd: 0.08,
    });
  });

  it('is handed to the gateway as it was signed', async () => {
    at(changeMs);
    const answer = await paid(await signed(100_000, batched));
    expect(billingEnvelope.parse(answer.json())).toMatchObject({
      cost_usd: 0.1,
      settlement_receipt: { charge_status: 'queued_for_batch', charged_amount_usdc: '0.100000' },
    });
    expect(rig.gateway.calls('/v1/x402/settle').map(({ body }) => body)).toMatchObject([
      { paymentRequirements: { amount: '100000' } },
    ]);
    expect(await rig.ledger.queuedExposure(`eip155:8453:${wallet.address}`)).toMatchObject({
      payerMicro: 100_000,
    });
    at(graceEndMs + 1);
    expect((await paid(await signed(100_000, batched))).json()).toMatchObject({ code: 'price_changed' });
  });

  it('quotes what was signed in shadow mode too (I5.19)', async () => {
    await rig.close();
    await start(120_000, { II_PAY_SHADOW: 'on' });
    at(changeMs);
    const answer = await paid(await signed(100_000));
    expect(answer.json()).toMatchObject({ quoted_cost_usd: 0.1, cost_usd: 0 });
  });
});

describe('a payment that was taken', () => {
  it('is answered again at its own price long after the change (I5.26)', async () => {
    at(changeMs);
    const header = await signed(100_000);
    const first = await paid(header);
    at(graceEndMs + 86_400_000);
    const again = await paid(header);
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect(again.headers.get('x-receipt-id')).toBe(first.headers.get('x-receipt-id'));
    expect(again.headers.get('x-cost-usd')).toBe('0.100000');
    expect(billingEnvelope.parse(again.json())).toMatchObject({ cost_usd: 0.1, quoted_cost_usd: 0.1 });
    expect(await amounts()).toEqual([[100_000, 100_000]]);
  });

  it('serves the payer who signs the new price because its answer never came (I5.53)', async () => {
    at(changeMs - 1);
    const header = await rig.pay(wallet, path);
    await rig.ask(path, { headers: { 'payment-signature': header }, delivery: 'undelivered' });
    at(graceEndMs + 1);
    const answer = await paid(await signed(120_000));
    expect(answer.headers.get('idempotent-replay')).toBe('true');
    expect(answer.headers.get('x-cost-usd')).toBe('0.100000');
    expect(rig.facilitator.taken(payTo)).toBe(100_000n);
  });
});

describe('a version 1 client, which repeats no amount (P2.50)', () => {
  const asVersion1 = (header: string) => {
    const { payload } = result(header);
    return Buffer.from(
      JSON.stringify({ x402Version: 1, scheme: 'exact', network: 'base', payload }),
    ).toString('base64');
  };
  const paidV1 = (header: string) => rig.ask(path, { headers: { 'x-payment': header } });

  it('pays what it signed within the grace, is told of the new price after it, and is answered again', async () => {
    await rig.close();
    await start(120_000, { II_PAY_V1_COMPAT: 'on' });
    at(changeMs);
    const header = asVersion1(await signed(100_000));
    expect((await paidV1(header)).headers.get('x-cost-usd')).toBe('0.100000');
    expect((await paidV1(asVersion1(await signed(110_000)))).json()).toMatchObject({ code: 'price_changed' });
    at(graceEndMs + 1);
    expect((await paidV1(asVersion1(await signed(100_000)))).json()).toMatchObject({
      code: 'price_changed',
      previous_usd: 0.1,
      quoted_cost_usd: 0.12,
    });
    expect((await paidV1(header)).headers.get('idempotent-replay')).toBe('true');
    expect(await amounts()).toEqual([[100_000, 100_000]]);
  });
});
