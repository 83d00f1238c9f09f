import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testWallet } from '../../../fixtures/builders/testWallet.ts';
import { usdcDomain } from '../../../fixtures/replicas/usdcDomain.ts';
import { challengeOf, type PaidRig, paidRig, payTo, signedPayment } from '../../../fixtures/rigs/paidRig.ts';

// the rows of PAYMENTS 11.B, 11.C and 11.E that concern x402, and the security list of 14

const path = '/v1/covenant-stress/MSTR';
const wallet = testWallet(41);
let rig: PaidRig;

async function start(environment: Record<string, string> = {}): Promise<void> {
  rig = await paidRig({ environment });
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
  rig.facilitator.balances.set(wallet.address, 10_000_000n);
  rig.gateway.deposits.set(wallet.address, 10_000_000n);
}
beforeEach(() => start());
afterEach(() => rig.close());

type Answered = Awaited<ReturnType<PaidRig['ask']>>;
const paid = (header: string, input: Parameters<PaidRig['ask']>[1] = {}, at = path) =>
  rig.ask(at, { ...input, headers: { 'payment-signature': header, ...input.headers } });
const receiptOf = (answer: Answered) =>
  answer.json()['settlement_receipt'] as { receipt_id: string; charge_status: string };
const decoded = (header: string) => JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
/** Waits for what was handed over to be on the disk (P8.3). */
async function deliveredAs(receiptId: string, state: string): Promise<void> {
  while ((await rig.ledger.findReceipt(receiptId))?.delivery !== state)
    await new Promise<void>((resolve) => setImmediate(resolve));
}
async function balanced(input: { receipts: number; chargedMicro: number }): Promise<void> {
  expect(await rig.ledger.check()).toMatchObject({ ...input, problems: [] });
}

describe('one authorization', () => {
  it('sent fifty times at once is settled once and answered alike (X21, S2, I5.27)', async () => {
    const header = await rig.pay(wallet, path);
    const answers = await Promise.all(Array.from({ length: 50 }, () => paid(header)));
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(new Set(answers.map((answer) => receiptOf(answer).receipt_id)).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.headers.get('payment-response'))).size).toBe(1);
    const payloads = answers.map((answer) =>
      answer.bytes.subarray(0, Number(answer.headers.get('x-payload-length'))).toString('utf8'),
    );
    expect(new Set(payloads).size).toBe(1);
    expect(answers.filter((answer) => !answer.headers.has('idempotent-replay'))).toHaveLength(1);
    expect(rig.facilitator.calls('/settle')).toHaveLength(1);
    // one look at a time (P2.43)
    expect(rig.facilitator.calls('/verify')).toHaveLength(1);
    expect(rig.facilitator.taken(payTo)).toBe(100_000n);
    await balanced({ receipts: 1, chargedMicro: 100_000 });
  });

  it('sent twenty times at once to two servers of one ledger is settled once (X22, X24)', async () => {
    const other = await paidRig({
      ledgerPath: join(rig.root, 'ledger.db'),
      environment: { II_PAY_FACILITATOR_URL: rig.facilitator.url, II_BASE_URL: 'http://other.example:8402' },
    });
    const release = other.release({ sourceDate: '2026-02-07' });
    other.promote(release, { '2026-02-07': release });
    const header = await rig.pay(wallet, path);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 === 0 ? rig : other).ask(path, { headers: { 'payment-signature': header } }),
      ),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => receiptOf(answer).receipt_id)).size).toBe(1);
    expect(rig.facilitator.calls('/settle')).toHaveLength(1);
    expect(rig.facilitator.taken(payTo)).toBe(100_000n);
    await other.close();
    await balanced({ receipts: 1, chargedMicro: 100_000 });
  });

  it('that was settled between its look-up and its verification is a replay, not a refusal (I5.27)', async () => {
    const header = await rig.pay(wallet, path);
    const first = await paid(header);
    vi.spyOn(rig.ledger, 'findClaim').mockResolvedValueOnce(null);
    const late = await paid(header);
    expect(rig.facilitator.calls('/verify')).toHaveLength(2);
    expect([late.status, receiptOf(late).receipt_id]).toEqual([200, receiptOf(first).receipt_id]);
    expect(rig.facilitator.calls('/settle')).toHaveLength(1);
  });

  it('that is garbage ends at its decoding: no look-up, no signature, no provider (S20)', async () => {
    const looked = vi.spyOn(rig.ledger, 'findClaim');
    for (const garbage of ['AAAA', 'e30=', encoded({ x402Version: 2 }), encoded([[[[[[[[[]]]]]]]]])]) {
      expect((await paid(garbage)).json()).toMatchObject({ status: 400, code: 'invalid_payment' });
    }
    expect(looked).not.toHaveBeenCalled();
    expect(rig.facilitator.received).toEqual([]);
  });

  it('with another signature is 409, and with high s never a payment (X26, P2.33, S7)', async () => {
    const header = await rig.pay(wallet, path);
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const malleated = decoded(header);
    const text = malleated.payload.signature as string;
    const s = (order - BigInt(`0x${text.slice(66, 130)}`)).toString(16).padStart(64, '0');
    malleated.payload.signature = `${text.slice(0, 66)}${s}${text.endsWith('1b') ? '1c' : '1b'}`;
    const before = await paid(encoded(malleated));
    expect(before.json()).toMatchObject({ status: 402, code: 'payment_verification_failed' });
    expect(rig.facilitator.received).toEqual([]);
    expect((await paid(header)).status).toBe(200);
    expect((await paid(encoded(malleated))).json()).toMatchObject({
      status: 409,
      code: 'payment_nonce_reused',
    });
    await balanced({ receipts: 1, chargedMicro: 100_000 });
  });

  it('in any letter case and any spelling of its header is the same one (S8, P8.31)', async () => {
    const header = await rig.pay(wallet, path);
    const first = await paid(header);
    const shouted = decoded(header);
    const { authorization } = shouted.payload;
    authorization.from = `0x${(authorization.from as string).slice(2).toUpperCase()}`;
    authorization.nonce = `0x${(authorization.nonce as string).slice(2).toUpperCase()}`;
    const respelled = Buffer.from(JSON.stringify(shouted, null, 2)).toString('base64');
    const again = await paid(respelled);
    expect(receiptOf(again).receipt_id).toBe(receiptOf(first).receipt_id);
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect(rig.facilitator.calls('/settle')).toHaveLength(1);
  });

  it('after a failure opens a fresh challenge for other requests, 402 (I5.25)', async () => {
    rig.facilitator.balances.set(wallet.address, 0n);
    await rig.close();
    await start({ II_PAY_EXACT_VERIFY: 'settle' });
    rig.facilitator.balances.set(wallet.address, 0n);
    const header = await rig.pay(wallet, path, { resourceUrl: `http://127.0.0.1:8402${path}` });
    expect((await paid(header)).json()).toMatchObject({ code: 'payment_settlement_failed' });
    const other = await paid(header, {}, '/v1/covenant-stress/MARA');
    expect(other.json()).toMatchObject({
      status: 402,
      code: 'payment_nonce_reused',
      error: 'payment_nonce_reused',
    });
    expect(other.headers.has('payment-required')).toBe(true);
  });
});

describe('the payment-identifier of a client', () => {
  const id = 'pay_7d5d747be160e280504c099d984bcfe0';

  it('with the same payment is a replay, with another one 409, and nothing is sent (I5.29, P8.33)', async () => {
    const header = await rig.pay(wallet, path, { clientRef: id });
    expect((await paid(header)).status).toBe(200);
    expect((await paid(header)).headers.get('idempotent-replay')).toBe('true');
    const other = await paid(await rig.pay(wallet, path, { clientRef: id }));
    expect(other.json()).toMatchObject({ status: 409, code: 'payment_identifier_conflict' });
    expect(rig.facilitator.calls('/settle')).toHaveLength(1);
    await balanced({ receipts: 1, chargedMicro: 100_000 });
  });

  it.each(['short', 'x'.repeat(129), 'пay_7d5d747be160e280', 'has a blank in it'])(
    'is not %j',
    async (bad) => {
      const answer = await paid(await rig.pay(wallet, path, { clientRef: bad }));
      expect(answer.json()).toMatchObject({ status: 400, code: 'invalid_payment' });
    },
  );
});

describe('the double-payment guard', () => {
  it('serves what was settled and never delivered instead of taking a second payment (X29, X33, P2.46)', async () => {
    const first = await paid(await rig.pay(wallet, path), { delivery: 'undelivered' });
    const second = await paid(await rig.pay(wallet, path));
    expect(second.status).toBe(200);
    expect(second.headers.get('idempotent-replay')).toBe('true');
    expect(receiptOf(second).receipt_id).toBe(receiptOf(first).receipt_id);
    expect(rig.facilitator.calls('/settle')).toHaveLength(1);
    await deliveredAs(receiptOf(first).receipt_id, 'delivered');
    await balanced({ receipts: 1, chargedMicro: 100_000 });
    // it was delivered now: the next payment is a payment
    expect((await paid(await rig.pay(wallet, path))).headers.has('idempotent-replay')).toBe(false);
    await balanced({ receipts: 2, chargedMicro: 200_000 });
  });

  it('answers 503 with the earlier receipt while that outcome is open, and claims nothing (I5.53)', async () => {
    rig.facilitator.misbehave('/settle', { kind: 'status', status: 500, body: '' });
    const first = await paid(await rig.pay(wallet, path));
    const second = await paid(await rig.pay(wallet, path));
    expect(second.json()).toMatchObject({
      code: 'settlement_pending',
      receipt_id: first.json()['receipt_id'],
    });
    expect(rig.facilitator.calls('/settle')).toHaveLength(1);
    await balanced({ receipts: 1, chargedMicro: 0 });
  });

  it('does not hold for another payer, another request, or when it is switched off', async () => {
    rig.facilitator.balances.set(testWallet(42).address, 1_000_000n);
    await paid(await rig.pay(wallet, path), { delivery: 'undelivered' });
    const stranger = await paid(await rig.pay(testWallet(42), path));
    const elsewhere = '/v1/covenant-stress/MARA';
    const other = await paid(await rig.pay(wallet, elsewhere), {}, elsewhere);
    expect([stranger, other].map((answer) => answer.headers.has('idempotent-replay'))).toEqual([
      false,
      false,
    ]);
    await rig.close();
    await start({ II_PAY_DOUBLE_GUARD: 'off' });
    await paid(await rig.pay(wallet, path), { delivery: 'undelivered' });
    expect((await paid(await rig.pay(wallet, path))).headers.has('idempotent-replay')).toBe(false);
  });

  it('needs the signature of the payer: nobody else gets an answer he paid for (S3)', async () => {
    await paid(await rig.pay(wallet, path), { delivery: 'undelivered' });
    const forged = decoded(await rig.pay(testWallet(43), path));
    forged.payload.authorization.from = wallet.address;
    expect((await paid(encoded(forged))).json()).toMatchObject({ code: 'payment_verification_failed' });
  });
});

describe('a client that leaves', () => {
  it('before the claim pays nothing (X32, P1.13)', async () => {
    const header = await rig.pay(wallet, path);
    let looks = 0;
    await paid(header, { clientGone: () => ++looks > 1 });
    expect(rig.facilitator.calls('/settle')).toEqual([]);
    await balanced({ receipts: 0, chargedMicro: 0 });
  });

  it('after the claim pays, and may fetch its answer with the same header (X33, I5.26)', async () => {
    const header = await rig.pay(wallet, path);
    const gone = receiptOf(await paid(header, { delivery: 'undelivered' })).receipt_id;
    await deliveredAs(gone, 'undelivered');
    expect(await rig.ledger.findReceipt(gone)).toMatchObject({
      chargeStatus: 'settled',
      chargedMicro: 100_000,
    });
    const again = await paid(header);
    expect(again.status).toBe(200);
    expect(receiptOf(again).receipt_id).toBe(gone);
    await deliveredAs(gone, 'delivered');
    expect(rig.facilitator.calls('/settle')).toHaveLength(1);
    await balanced({ receipts: 1, chargedMicro: 100_000 });
  });
});

describe('what does not fit this request', () => {
  const cases: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ['another network', { network: 'eip155:1' }, 'network'],
    ['another asset', { asset: `0x${'1'.repeat(40)}` }, 'asset'],
    ['another payee', { payTo: `0x${'2'.repeat(40)}` }, 'pay_to'],
    ['another name', { extra: { name: 'USDC', version: '2' } }, 'extra_name'],
    ['another version', { extra: { name: 'USD Coin', version: '1' } }, 'extra_version'],
    ['another scheme', { scheme: 'upto' }, 'scheme'],
  ];
  it.each(cases)('%s is 402 payment_mismatch (X62)', async (_, accepted, reason) => {
    const answer = await paid(await rig.pay(wallet, path, { accepted }));
    expect(answer.json()).toMatchObject({ status: 402, code: 'payment_mismatch', reason });
    expect(rig.facilitator.received).toEqual([]);
    await balanced({ receipts: 0, chargedMicro: 0 });
  });

  it('another amount is price_changed, another signed value payment_mismatch (X63, S32)', async () => {
    const cheap = await paid(await rig.pay(wallet, path, { accepted: { amount: '1' }, value: 1n }));
    expect(cheap.json()).toMatchObject({
      status: 402,
      code: 'price_changed',
      previous_usd: 0.000001,
      quoted_cost_usd: 0.1,
    });
    const value = await paid(await rig.pay(wallet, path, { value: 99_999n }));
    expect(value.json()).toMatchObject({ code: 'payment_mismatch', reason: 'authorization_value' });
    const to = await paid(await rig.pay(wallet, path, { to: `0x${'3'.repeat(40)}` }));
    expect(to.json()).toMatchObject({ code: 'payment_mismatch', reason: 'authorization_to' });
    expect(rig.facilitator.received).toEqual([]);
  });

  it('a time before or after its window is refused at the second (X52, X54, P2.19)', async () => {
    const now = BigInt(rig.clock.nowMs / 1000);
    const refused = async (change: object) =>
      (await paid(await rig.pay(wallet, path, change))).json()['code'];
    expect(await refused({ validBefore: now + 5n })).toBe('payment_expired');
    expect(await refused({ validAfter: now + 1n })).toBe('payment_not_yet_valid');
    const answer = await paid(await rig.pay(wallet, path, { validAfter: now, validBefore: now + 6n }));
    expect(answer.status).toBe(200);
  });

  it('a payment to oneself is refused (P2.20)', async () => {
    await rig.close();
    await start({ II_PAY_TO: wallet.address });
    const answer = await paid(await rig.pay(wallet, path));
    expect(answer.json()).toMatchObject({ code: 'payment_mismatch', reason: 'self_transfer' });
  });

  it('a forged signature never reaches the provider (S3, S20)', async () => {
    const forged = await rig.pay(wallet, path, { signature: `0x${'11'.repeat(64)}1b` });
    const answer = await paid(forged);
    expect(answer.json()).toMatchObject({
      status: 402,
      code: 'payment_verification_failed',
      error_reason: 'invalid_signature',
    });
    expect(rig.facilitator.received).toEqual([]);
    await balanced({ receipts: 0, chargedMicro: 0 });
  });

  it('a payment for what cannot be served is a miss, and nothing is looked at (X66)', async () => {
    const header = await rig.pay(wallet, path);
    expect((await paid(header, {}, '/v1/covenant-stress/ZZZZ')).status).toBe(404);
    expect((await paid(header, {}, `${path}?nonsense=1`)).status).toBe(400);
    expect(rig.facilitator.received).toEqual([]);
  });

  it('the gateway entry cannot be signed by the token’s name (P2.3)', async () => {
    const only = await rig.ask(path, { headers: { 'x-payment-provider': 'gateway_batched' } });
    const [entry] = challengeOf(only).accepts;
    const header = signedPayment(wallet, challengeOf(await rig.ask(path)), { nowMs: rig.clock.nowMs });
    const crossed = decoded(header);
    crossed.accepted = entry;
    const now = BigInt(rig.clock.nowMs / 1000);
    const { authorization } = crossed.payload;
    authorization.validBefore = String(now + 604_900n);
    crossed.payload.signature = wallet.signTransfer(
      { ...authorization, value: 100_000n, validAfter: 0n, validBefore: now + 604_900n },
      usdcDomain,
    );
    expect((await paid(encoded(crossed))).json()).toMatchObject({ code: 'payment_verification_failed' });
    expect(rig.gateway.received).toEqual([]);
  });
});

describe('a contract wallet', () => {
  const contractSignature = `0x${'ab'.repeat(98)}beef`;

  it('is verified by the facilitator, always (P2.31)', async () => {
    await rig.close();
    await start({ II_PAY_EXACT_VERIFY: 'settle' });
    const header = await rig.pay(wallet, path, { signature: contractSignature });
    expect((await paid(header)).status).toBe(200);
    expect(rig.facilitator.received.map((call) => call.path)).toEqual(['/verify', '/settle']);
    // P2.33: the same nonce with another signature is another payment
    const other = decoded(header);
    other.payload.signature = `0x${'cd'.repeat(98)}beef`;
    expect((await paid(encoded(other))).json()).toMatchObject({ status: 409, code: 'payment_nonce_reused' });
  });

  it('is refused where the operator refuses it, and at the gateway (P2.30, P2.32, S31)', async () => {
    const batched = await paid(
      await rig.pay(wallet, path, { provider: 'gateway_batched', signature: contractSignature }),
    );
    expect(batched.json()).toMatchObject({ code: 'payment_verification_failed' });
    await rig.close();
    await start({ II_PAY_CONTRACT_WALLETS: 'refuse' });
    const answer = await paid(await rig.pay(wallet, path, { signature: contractSignature }));
    expect(answer.json()).toMatchObject({
      code: 'payment_verification_failed',
      error_reason: 'invalid_signature',
    });
    expect(String(answer.json()['detail'])).toContain('Contract wallets are not accepted');
    expect(rig.facilitator.received).toEqual([]);
    expect(rig.gateway.received).toEqual([]);
  });
});
