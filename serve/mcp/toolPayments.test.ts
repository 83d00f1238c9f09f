import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testWallet } from '../../fixtures/builders/testWallet.ts';
import type { Answer } from '../../fixtures/rigs/askServer.ts';
import { type PaidRig, type PaymentChange, signedPayment } from '../../fixtures/rigs/paidRig.ts';
import { sellingRig } from '../../fixtures/rigs/sellingRig.ts';
import { errorOf, resultOf, toolClient } from '../../fixtures/rigs/toolCalls.ts';

const wallet = testWallet(11);
const name = 'intel_covenant_stress';
const args = { ticker: 'MSTR' };
const revision = { 'mcp-protocol-version': '2025-11-25' };
let rig: PaidRig;
let client: ReturnType<typeof toolClient>;

async function start(environment: Record<string, string> = {}): Promise<void> {
  rig = await sellingRig({ environment, wallet });
  client = toolClient(rig.ask);
}
beforeEach(() => start());
afterEach(async () => {
  expect((await rig.ledger.check()).problems).toEqual([]);
  await rig.close();
});

/** A signed payment as a header. */
async function header(change: PaymentChange = {}, tool = name, of: object = args): Promise<string> {
  const unpaid = await client.call(tool, { ...of });
  const text = Buffer.from(unpaid.headers.get('payment-required') ?? '', 'base64').toString('utf8');
  return signedPayment(wallet, JSON.parse(text), { nowMs: rig.clock.nowMs, ...change });
}
/** The same as an object, signed from the challenge inside the call. */
async function inBand(change: PaymentChange = {}): Promise<Record<string, unknown>> {
  const { structuredContent } = resultOf(await client.call(name, args, revision));
  const text = signedPayment(wallet, structuredContent as never, { nowMs: rig.clock.nowMs, ...change });
  return { 'x402/payment': JSON.parse(Buffer.from(text, 'base64').toString('utf8')) };
}
const byHeader = (payment: string, more: Record<string, string> = {}) =>
  client.call(name, args, { 'payment-signature': payment, ...more });
const byMeta = (meta: Record<string, unknown>, headers: Record<string, string> = revision) =>
  client.call(name, args, headers, meta);
const receiptOf = (answer: Answer) =>
  resultOf(answer).structuredContent['billing'] as Record<string, unknown>;
const books = async () => {
  const { receipts, payments, chargedMicro } = await rig.ledger.check();
  return { receipts, payments, chargedMicro };
};
const settledOnce = { receipts: 1, payments: 1, chargedMicro: 40_000 };
const untouched = { receipts: 0, payments: 0, chargedMicro: 0 };

describe('a tool call paid by header', () => {
  it('is settled once, at the price of the endpoint, with a receipt that names the tool (P10.1, P10.3)', async () => {
    const answer = await byHeader(await header());
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-cost-usd')).toBe('0.040000');
    const response = JSON.parse(
      Buffer.from(answer.headers.get('payment-response') ?? '', 'base64').toString('utf8'),
    );
    expect(response).toMatchObject({ success: true, network: 'eip155:8453', amount: '40000' });
    const result = resultOf(answer);
    expect(result._meta).toMatchObject({ 'x402/payment-response': response });
    expect(result.structuredContent).toMatchObject({
      billing: {
        billing_mode: 'x402',
        billing_status: 'charged',
        cost_usd: 0.04,
        charge_status: 'settled',
      },
    });
    expect(await books()).toEqual(settledOnce);
    const receipt = await rig.ledger.findReceipt(String(receiptOf(answer)['receipt_id']));
    expect(receipt).toMatchObject({ tool: name, routeUri: 'POST /mcp', routeId: 'R31' });
  });

  it('brings the same receipt again to an agent that retries, whatever the id of its frame (I4.MCP.21)', async () => {
    const payment = await header();
    const first = await byHeader(payment);
    const frame = {
      jsonrpc: '2.0',
      id: 'other',
      method: 'tools/call',
      params: { arguments: { ticker: 'mstr' }, name },
    };
    const again = await client.post(frame, { 'payment-signature': payment });
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect(again.json()['id']).toBe('other');
    expect(receiptOf(again)['receipt_id']).toBe(receiptOf(first)['receipt_id']);
    expect(await books()).toEqual(settledOnce);
  });

  it('opens no other tool and no other argument (S4)', async () => {
    const payment = await header();
    await byHeader(payment);
    for (const other of [
      await client.call('intel_readiness', {}, { 'payment-signature': payment }),
      await client.call(name, { ticker: 'MARA' }, { 'payment-signature': payment }),
    ]) {
      expect([other.status, errorOf(other).message]).toEqual([409, 'payment_nonce_reused']);
      expect(errorOf(other).data).not.toHaveProperty('accepts');
    }
    const route = await rig.ask('/v1/covenant-stress/MSTR', { headers: { 'payment-signature': payment } });
    expect(route.status).toBeGreaterThanOrEqual(402);
    expect(await books()).toEqual(settledOnce);
  });

  it('that is refused is 402 with a fresh challenge, and garbage is 400', async () => {
    const altered = await byHeader(await header({ value: 39_999n }));
    expect([altered.status, errorOf(altered).message]).toEqual([402, 'payment_mismatch']);
    expect(altered.headers.has('payment-required')).toBe(true);
    const garbage = await byHeader('!!!!');
    expect([garbage.status, errorOf(garbage).message]).toEqual([400, 'invalid_payment']);
    expect(await books()).toEqual(untouched);
  });

  it('is 503 without a challenge while its outcome is open, and the same payment brings the answer (S9, X5)', async () => {
    const payment = await header();
    rig.facilitator.misbehave('/settle', { kind: 'hold' });
    const waiting = byHeader(payment);
    await rig.facilitator.arrived('/settle', 1);
    await rig.waitBegan(10_000);
    rig.advance(10_000);
    const slow = await waiting;
    expect([slow.status, errorOf(slow).message]).toEqual([503, 'settlement_pending']);
    expect(errorOf(slow).data).not.toHaveProperty('accepts');
    rig.facilitator.release();
    const later = await byHeader(payment);
    expect(resultOf(later).isError).toBe(false);
    expect(await books()).toEqual(settledOnce);
  });

  it('whose client leaves while it is settled is charged once, and the same payment brings its answer (P1.14)', async () => {
    const payment = await header();
    let gone = false;
    rig.facilitator.misbehave('/settle', { kind: 'hold' });
    const left = rig.ask('/mcp', {
      method: 'POST',
      body: Buffer.from(
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
      ),
      headers: { 'content-type': 'application/json', 'payment-signature': payment },
      clientGone: () => gone,
      delivery: 'undelivered',
    });
    await rig.facilitator.arrived('/settle', 1);
    gone = true;
    rig.facilitator.release();
    const unread = receiptOf(await left);
    expect(unread).toMatchObject({ charge_status: 'settled', cost_usd: 0.04 });
    const again = await byHeader(payment);
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect(receiptOf(again)['receipt_id']).toBe(unread['receipt_id']);
    expect(rig.facilitator.calls('/settle')).toHaveLength(1);
    expect(await books()).toEqual(settledOnce);
  });
});

describe('a tool call paid inside the frame', () => {
  it('is settled and says so in its result and its headers, each payment for itself (A4.37, I4.MCP.20, I4.MCP.23)', async () => {
    const answer = await byMeta(await inBand());
    expect(answer.status).toBe(200);
    expect(resultOf(answer)._meta?.['x402/payment-response']).toMatchObject({
      success: true,
      amount: '40000',
    });
    expect(answer.headers.has('payment-response')).toBe(true);
    expect(await books()).toEqual(settledOnce);
    const second = await byMeta(await inBand());
    expect(receiptOf(second)['receipt_id']).not.toBe(receiptOf(answer)['receipt_id']);
    expect(await books()).toEqual({ receipts: 2, payments: 2, chargedMicro: 80_000 });
  });

  it('brings the same receipt again by either way (P10.3)', async () => {
    const meta = await inBand();
    const first = await byMeta(meta);
    const again = await byMeta(meta);
    const text = Buffer.from(JSON.stringify(meta['x402/payment'])).toString('base64');
    const other = await byHeader(text);
    for (const replay of [again, other])
      expect(receiptOf(replay)['receipt_id']).toBe(receiptOf(first)['receipt_id']);
    expect(await books()).toEqual(settledOnce);
  });

  it('that is refused is a result with the challenge to sign anew (P10.8)', async () => {
    const answer = await byMeta(await inBand({ validBefore: 1n }));
    expect(answer.status).toBe(200);
    const { isError, structuredContent, content } = resultOf(answer);
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({ x402Version: 2, error: 'payment_expired' });
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
    expect(await books()).toEqual(untouched);
  });

  it('that nothing new to sign can cure is a result without a challenge (P10.8)', async () => {
    const meta = await inBand();
    await byMeta(meta);
    const reused = resultOf(await client.call('intel_readiness', {}, revision, meta));
    expect(reused.isError).toBe(true);
    expect(reused.structuredContent['error']).toMatchObject({ code: 'payment_nonce_reused' });
    expect(reused.structuredContent).not.toHaveProperty('accepts');
    expect(reused.structuredContent).not.toHaveProperty('x402Version');
    for (const garbage of [
      7,
      'x',
      [],
      {},
      { x402Version: 2, payload: { authorization: { deep: [[[]]] } } },
    ]) {
      const { isError, structuredContent } = resultOf(await byMeta({ 'x402/payment': garbage }));
      expect([isError, (structuredContent['error'] as { code: string }).code]).toEqual([
        true,
        'invalid_payment',
      ]);
    }
    const long = resultOf(await byMeta({ 'x402/payment': { x: 'y'.repeat(9000) } }));
    expect(long.structuredContent['error']).toMatchObject({ code: 'invalid_payment', reason: 'too_long' });
    expect(await books()).toEqual(settledOnce);
  });

  it('and by header at once is refused: which of the two was meant is not guessed (P10.4)', async () => {
    const answer = await byMeta(await inBand(), { ...revision, 'payment-signature': await header() });
    expect([answer.status, errorOf(answer).message]).toEqual([400, 'conflicting_credentials']);
    expect(await books()).toEqual(untouched);
  });
});

describe('the way a tool call is paid (P10.4)', () => {
  const statusOf = async (headers: Record<string, string>, meta?: Record<string, unknown>) =>
    (await client.call(name, args, headers, meta)).status;

  it('follows the wish of the frame, then the header of the protocol', async () => {
    expect(await statusOf({})).toBe(402);
    expect(await statusOf(revision)).toBe(200);
    expect(await statusOf(revision, { 'x402/in-band': false })).toBe(402);
    expect(await statusOf({}, { 'x402/in-band': true })).toBe(200);
    expect(await statusOf({ accept: 'application/json, text/event-stream' })).toBe(402);
  });

  it('is inside the frame on demand alone, where the operator says so', async () => {
    await rig.close();
    await start({ II_PAY_MCP_INBAND: 'explicit' });
    expect(await statusOf(revision)).toBe(402);
    expect(await statusOf(revision, { 'x402/in-band': true })).toBe(200);
  });
});

describe('no money moves', () => {
  it('for a miss, a wrong argument, an unknown or a planned tool, with a payment beside it (A4.36, I4.8)', async () => {
    const payment = { 'payment-signature': await header() };
    await client.call(name, { ticker: 'ZZZZZ' }, payment);
    await client.call(name, { ticker: 'MSTR', bogus: 1 }, payment);
    await client.call('intel_nothing', args, payment);
    await client.call('visual_dashboard_full', {}, payment);
    await client.call('intel_help', {}, payment);
    expect(await books()).toEqual(untouched);
    // it is still good for what it was signed for
    expect(resultOf(await byHeader(payment['payment-signature'])).isError).toBe(false);
  });

  it('for a client that left before the claim, and once for one that left after it (P1.13)', async () => {
    const payment = await header();
    // it is there when the call begins
    let asked = 0;
    const gone = await rig.ask('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'payment-signature': payment },
      body: Buffer.from(
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
      ),
      clientGone: () => asked++ > 0,
    });
    expect(resultOf(gone).isError).toBe(true);
    expect(await books()).toEqual(untouched);
    const cancelled = await rig.ask('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'payment-signature': payment },
      body: Buffer.from(
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
      ),
      delivery: 'undelivered',
    });
    expect(cancelled.status).toBe(200);
    const note = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    expect((await client.post(note, revision)).status).toBe(202);
    const again = await byHeader(payment);
    expect(receiptOf(again)['receipt_id']).toBe(receiptOf(cancelled)['receipt_id']);
    expect(await books()).toEqual(settledOnce);
  });

  it('twice for fifty calls at once with one payment (I5.27)', async () => {
    const meta = await inBand();
    const answers = await Promise.all(Array.from({ length: 50 }, () => byMeta(meta)));
    const receipts = new Set(answers.map((answer) => receiptOf(answer)['receipt_id']));
    expect(receipts.size).toBe(1);
    expect(await books()).toEqual(settledOnce);
  });
});
