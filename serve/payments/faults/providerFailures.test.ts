import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../fixtures/replicas/faultServer.ts';
import {
  balanced,
  exported,
  nothingTaken,
  paid,
  path,
  pending,
  receipts,
  refusal,
  restart,
  rig,
  stateOf,
  unavailable,
  wallet,
  withProviders,
} from '../../../fixtures/rigs/failingProviderRig.ts';
import { payTo } from '../../../fixtures/rigs/paidRig.ts';

// the rows of PAYMENTS 11.A that concern x402: HTTP answer, ledger, charge, recovery

withProviders();

describe('a facilitator that does not answer', () => {
  it('changes nothing for an unpaid call (X1, P1.16)', async () => {
    await rig.facilitator.close();
    const unpaid = await rig.ask(path);
    expect(unpaid.status).toBe(402);
    expect(unpaid.headers.has('payment-required')).toBe(true);
    expect(await receipts()).toBe(0);
  });

  it('at verify leaves no row, and the same header pays later (X2, P2.42)', async () => {
    const header = await rig.pay(wallet, path);
    rig.facilitator.misbehave('/verify', { kind: 'drop' });
    unavailable(await paid(header));
    expect(await receipts()).toBe(0);
    nothingTaken();
    expect((await paid(header)).status).toBe(200);
    await balanced(100_000);
  });

  it('at settle, before a byte was written, ends the claim after three attempts (X3, P2.39)', async () => {
    await restart({ II_PAY_EXACT_VERIFY: 'settle' });
    const header = await rig.pay(wallet, path);
    await rig.facilitator.close();
    unavailable(await paid(header));
    const [row] = await exported();
    expect(await stateOf(row?.receiptId)).toBe('failed/refused');
    expect(row?.failureReason).toBe('provider_unreachable');
    // the recorded end: never submitted again (I5.25, row failed)
    const again = await paid(header);
    expect(again.json()).toMatchObject({
      status: 402,
      code: 'payment_settlement_failed',
      error_reason: 'provider_unreachable',
    });
    expect(again.headers.has('payment-required')).toBe(true);
    await balanced(0);
  });

  it('opens the breaker, which refuses before the claim and lets one call through after 10 s (X4, P2.44)', async () => {
    rig.facilitator.always('/verify', { kind: 'drop' });
    for (let i = 0; i < 5; i += 1) unavailable(await paid(await rig.pay(wallet, path)));
    const asked = rig.facilitator.received.length;
    unavailable(await paid(await rig.pay(wallet, path)));
    expect(rig.facilitator.received).toHaveLength(asked);
    expect(await receipts()).toBe(0);
    nothingTaken();
    expect((await rig.ask(path)).status).toBe(402);
    rig.facilitator.always('/verify', { kind: 'answer' });
    rig.advance(10_000);
    expect((await paid(await rig.pay(wallet, path))).status).toBe(200);
    await balanced(100_000);
  });
});

describe('a settlement without a definite answer', () => {
  it('that is slow is finished in the background and served to the same header (X5, P2.38)', async () => {
    const header = await rig.pay(wallet, path);
    rig.facilitator.misbehave('/settle', { kind: 'hold' });
    const answer = paid(header);
    await rig.facilitator.arrived('/settle', 1);
    rig.advance(10_000);
    const receiptId = await pending(await answer);
    expect(await stateOf(receiptId)).toBe('submitted/calling');
    rig.facilitator.release();
    const again = await paid(header);
    expect(again.status).toBe(200);
    expect(again.json()['settlement_receipt']).toMatchObject({
      receipt_id: receiptId,
      charge_status: 'settled',
    });
    expect(await stateOf(receiptId)).toBe('settled/accepted');
    expect(rig.facilitator.calls('/settle')).toHaveLength(1);
    expect(rig.facilitator.taken(payTo)).toBe(100_000n);
    await balanced(100_000);
  });

  it('answers 409 to a repeat that finds the call still running after 5 s (P8.34)', async () => {
    const header = await rig.pay(wallet, path);
    rig.facilitator.misbehave('/settle', { kind: 'hold' });
    const first = paid(header);
    await rig.facilitator.arrived('/settle', 1);
    const second = paid(header);
    await rig.waitBegan(5000);
    rig.advance(5000);
    expect((await second).json()).toMatchObject({ status: 409, code: 'payment_in_progress' });
    expect((await second).headers.get('retry-after')).toBe('1');
    rig.facilitator.release();
    expect((await first).status).toBe(200);
  });

  const open: readonly (readonly [string, Fault, string])[] = [
    ['X6 reset after the request', { kind: 'drop_after_accept' }, 'price'],
    ['X7 status 500', { kind: 'status', status: 500, body: '{}' }, 'none'],
    ['X7 status 502', { kind: 'status', status: 502, body: 'bad gateway' }, 'none'],
    ['X7 status 504', { kind: 'status', status: 504, body: '' }, 'none'],
    ['429', { kind: 'status', status: 429, body: '{}' }, 'none'],
    ['a redirect (S10)', { kind: 'status', status: 307, body: '{}' }, 'none'],
    ['X8 HTML', { kind: 'status', status: 200, body: '<html></html>' }, 'none'],
    ['X8 truncated JSON', { kind: 'status', status: 200, body: '{"success":true,"transac' }, 'none'],
    ['an empty body', { kind: 'status', status: 200, body: '' }, 'none'],
    ['a body over 64 KiB (S10)', { kind: 'status', status: 200, body: `"${'x'.repeat(70_000)}"` }, 'none'],
    ['X9 success without a transaction', { kind: 'lie', members: { transaction: '' } }, 'price'],
    ['X9 a short transaction', { kind: 'lie', members: { transaction: '0x12' } }, 'price'],
    ['X9 another payer', { kind: 'lie', members: { payer: `0x${'9'.repeat(40)}` } }, 'price'],
    ['X9 another amount', { kind: 'lie', members: { amount: '1' } }, 'price'],
    ['X9 another network', { kind: 'lie', members: { network: 'eip155:1' } }, 'price'],
    ['a refusal that names a transaction', refusal('reverted', `0x${'a'.repeat(64)}`), 'none'],
    ['unexpected_settle_error', refusal('unexpected_settle_error'), 'none'],
    ['a reason with a timeout in it', refusal('rpc_timeout'), 'none'],
    ['settlement_pending without a hash', refusal('settlement_pending'), 'none'],
    ['X12 nonce already used', refusal('invalid_exact_evm_nonce_already_used'), 'none'],
  ];
  it.each(open)('stays submitted after %s, and is never submitted again', async (_, fault, moved) => {
    const header = await rig.pay(wallet, path);
    rig.facilitator.misbehave('/settle', fault);
    const receiptId = await pending(await paid(header));
    expect(await stateOf(receiptId)).toBe('submitted/unknown');
    expect(await pending(await paid(header))).toBe(receiptId);
    expect(rig.facilitator.calls('/settle')).toHaveLength(1);
    expect(rig.facilitator.taken(payTo)).toBe(moved === 'price' ? 100_000n : 0n);
    await balanced(0);
  });

  it('raises provider_inconsistent when a success contradicts itself (X9)', async () => {
    rig.facilitator.misbehave('/settle', { kind: 'lie', members: { payer: `0x${'9'.repeat(40)}` } });
    await pending(await paid(await rig.pay(wallet, path)));
    expect(rig.logLines.join('')).toContain('provider_inconsistent');
  });

  it('is repeated once when the provider says settlement_pending with a hash (X11)', async () => {
    rig.facilitator.misbehave('/settle', refusal('settlement_pending', `0x${'b'.repeat(64)}`));
    const answer = await paid(await rig.pay(wallet, path));
    expect(answer.status).toBe(200);
    const [first, second, ...more] = rig.facilitator.calls('/settle');
    expect(second?.body).toEqual(first?.body);
    expect(more).toEqual([]);
    const { receipt_id } = answer.json()['settlement_receipt'] as { receipt_id: string };
    expect(await stateOf(receipt_id)).toBe('settled/accepted');
    expect(rig.facilitator.taken(payTo)).toBe(100_000n);
    await balanced(100_000);
  });
});

describe('a settlement that is refused', () => {
  it('is 402 with the reason, the result header and a fresh challenge (X10, I5.16)', async () => {
    rig.facilitator.misbehave('/settle', refusal('insufficient_funds'));
    const header = await rig.pay(wallet, path);
    for (const attempt of [1, 2]) {
      const answer = await paid(header);
      expect(answer.json(), String(attempt)).toMatchObject({
        status: 402,
        code: 'payment_settlement_failed',
        error: 'payment_settlement_failed',
        error_reason: 'insufficient_funds',
        retryable: false,
        detail: expect.stringContaining('fund it, or pay from another one'),
        cost_usd: 0,
      });
      const response = Buffer.from(answer.headers.get('payment-response') ?? '', 'base64').toString('utf8');
      expect(JSON.parse(response)).toMatchObject({
        success: false,
        errorReason: 'insufficient_funds',
        transaction: '',
        network: 'eip155:8453',
      });
      expect(answer.headers.has('payment-required')).toBe(true);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    const [row] = await exported();
    expect(await stateOf(row?.receiptId)).toBe('failed/refused');
    expect(rig.facilitator.calls('/settle')).toHaveLength(1);
    nothingTaken();
    await balanced(0);
    expect((await paid(await rig.pay(wallet, path))).status).toBe(200);
  });

  it.each([400, 404, 422])('is the payment that was wrong at %d (P2.40)', async (status) => {
    rig.facilitator.misbehave('/settle', { kind: 'status', status, body: '{}' });
    const answer = await paid(await rig.pay(wallet, path));
    expect(answer.json()).toMatchObject({
      code: 'payment_settlement_failed',
      error_reason: 'provider_rejected_request',
    });
  });

  it.each([401, 403])('is our access to the provider at %d, a 503 (P2.40)', async (status) => {
    rig.facilitator.misbehave('/settle', { kind: 'status', status, body: '{}' });
    unavailable(await paid(await rig.pay(wallet, path)));
    const [row] = await exported();
    expect(row?.failureReason).toBe('provider_auth');
    await balanced(0);
  });

  it('repeats of a provider’s reason only what is short and printable (S16, S17)', async () => {
    rig.facilitator.misbehave('/settle', refusal(`<script>\n${'x'.repeat(200)}`));
    const answer = await paid(await rig.pay(wallet, path));
    expect(String(answer.json()['error_reason'])).toMatch(/^scriptx{58}$/);
  });
});

describe('a verification', () => {
  it('that fails is 402 with the reason and leaves no row (P2.42)', async () => {
    rig.facilitator.balances.set(wallet.address, 0n);
    const answer = await paid(await rig.pay(wallet, path));
    expect(answer.json()).toMatchObject({
      status: 402,
      code: 'payment_verification_failed',
      error_reason: 'insufficient_funds',
      retryable: false,
    });
    expect(rig.facilitator.calls('/settle')).toEqual([]);
    expect(await receipts()).toBe(0);
  });

  it('is not a call of its own where the settle call is the check (II_PAY_EXACT_VERIFY)', async () => {
    await restart({ II_PAY_EXACT_VERIFY: 'settle' });
    expect((await paid(await rig.pay(wallet, path))).status).toBe(200);
    expect(rig.facilitator.received.map((call) => call.path)).toEqual(['/settle']);
  });

  it('that failed twenty times from one address reaches the provider no more (P2.34, S20)', async () => {
    rig.facilitator.balances.set(wallet.address, 0n);
    const answers = [];
    for (let i = 0; i < 22; i += 1) answers.push((await paid(await rig.pay(wallet, path))).status);
    expect(answers.filter((status) => status === 402)).toHaveLength(20);
    expect(answers.slice(20)).toEqual([429, 429]);
    expect(rig.facilitator.calls('/verify')).toHaveLength(20);
  });

  it('carries the bearer token of the configuration, which nothing prints (S16)', async () => {
    await restart({ II_PAY_FACILITATOR_AUTH: 'very-secret-token' });
    await paid(await rig.pay(wallet, path));
    expect(rig.facilitator.received[0]?.authorization).toBe('Bearer very-secret-token');
    expect(rig.logLines.join('')).not.toContain('very-secret-token');
  });
});
