import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testWallet } from '../../fixtures/builders/testWallet.ts';
import type { Fault } from '../../fixtures/replicas/faultServer.ts';
import { type PaidRig, paidRig, payTo } from '../../fixtures/replicas/paidRig.ts';
import type { ClaimedPayment } from '../ledger/port/payment.ts';

// the rows of PAYMENTS 11.A that concern x402: HTTP answer, ledger, charge, recovery

const path = '/v1/covenant-stress/MSTR';
const wallet = testWallet(21);
let rig: PaidRig;

async function start(environment: Record<string, string> = {}): Promise<void> {
  rig = await paidRig({ environment });
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
  rig.facilitator.balances.set(wallet.address, 10_000_000n);
  rig.gateway.deposits.set(wallet.address, 10_000_000n);
}
async function restart(environment: Record<string, string>): Promise<void> {
  await rig.close();
  await start(environment);
}
beforeEach(() => start());
afterEach(() => rig.close());

const paid = (header: string) => rig.ask(path, { headers: { 'payment-signature': header } });
const code = (answer: { json(): Record<string, unknown> }) => answer.json()['code'];
const nothingTaken = () => expect(rig.facilitator.taken(payTo)).toBe(0n);

/** The only claim of the ledger, found by the receipt the answer names. */
async function stateOf(receiptId: unknown): Promise<string> {
  const receipt = await rig.ledger.findReceipt(String(receiptId));
  if (receipt?.claimKey === null || receipt === null) return 'none';
  const found = (await rig.ledger.findClaim(receipt.claimKey)) as ClaimedPayment;
  return `${found.receipt.chargeStatus}/${found.payment.phase}`;
}
const receipts = async () => (await rig.ledger.check()).receipts;
async function balanced(chargedMicro: number): Promise<void> {
  const report = await rig.ledger.check();
  expect(report.problems).toEqual([]);
  expect(report.chargedMicro).toBe(chargedMicro);
}
/** The 503 of an open outcome names its receipt, says what to repeat, and carries no challenge (P1.12, S9). */
async function pending(answer: Awaited<ReturnType<typeof paid>>): Promise<string> {
  const problem = answer.json();
  expect(problem).toMatchObject({ status: 503, code: 'settlement_pending', retryable: true });
  expect(String(problem['detail'])).toContain('do not sign again');
  expect(answer.headers.get('retry-after')).toBe('2');
  expect(problem['accepts']).toBeUndefined();
  for (const name of ['payment-required', 'www-authenticate', 'payment-response'])
    expect(answer.headers.has(name)).toBe(false);
  return String(problem['receipt_id']);
}
function unavailable(answer: Awaited<ReturnType<typeof paid>>, rail = 'x402'): void {
  expect(answer.json()).toMatchObject({ status: 503, code: 'settlement_unavailable', rail });
  expect(answer.headers.get('retry-after')).toBe('30');
  expect(answer.headers.has('payment-required')).toBe(false);
}

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

async function exported() {
  const rows = [];
  for await (const row of rig.ledger.export({ fromMs: 0, toMs: 8e15 })) rows.push(row);
  return rows;
}

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

function refusal(errorReason: string, transaction = ''): Fault {
  const body = { success: false, errorReason, transaction, network: 'eip155:8453' };
  return { kind: 'status', status: 200, body: JSON.stringify(body) };
}

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
