import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { billingEnvelope } from '../../../data/contract/billing/billingEnvelope.ts';
import { testWallet } from '../../../fixtures/builders/testWallet.ts';
import { type PaidRig, payTo } from '../../../fixtures/rigs/paidRig.ts';
import { sellingRig } from '../../../fixtures/rigs/sellingRig.ts';
import { checksumAddress } from '../../evm/ethereumBytes.ts';

const path = '/v1/covenant-stress/MSTR';
const wallet = testWallet(11);
let rig: PaidRig;

async function start(environment: Record<string, string> = {}): Promise<void> {
  rig = await sellingRig({ environment, wallet });
}
beforeEach(() => start());
afterEach(() => rig.close());

const paid = (header: string, headers: Record<string, string> = {}, at = path) =>
  rig.ask(at, { headers: { 'payment-signature': header, ...headers } });
const result = (text: string | undefined) =>
  JSON.parse(Buffer.from(text ?? '', 'base64').toString('utf8')) as Record<string, unknown>;
const balanced = async () => expect((await rig.ledger.check()).problems).toEqual([]);
const chargedOnce = async () =>
  expect(await rig.ledger.check()).toMatchObject({
    receipts: 1,
    payments: 1,
    chargedMicro: 100_000,
    problems: [],
  });

describe('an exact payment', () => {
  it('is settled once and answered with its receipt (I5.16, I5.18, I5.46 column exact)', async () => {
    const answer = await paid(await rig.pay(wallet, path));
    expect(answer.status).toBe(200);
    const envelope = billingEnvelope.parse(answer.json());
    expect(envelope).toMatchObject({
      billing_mode: 'x402',
      billing_status: 'charged',
      payment_status: 'settled',
      cost_usd: 0.1,
      credits_charged: 10,
      settlement_receipt: {
        charge_status: 'settled',
        settlement_mode: 'x402_direct',
        provider: 'x402_exact',
        charged_amount_usdc: '0.100000',
        network: 'eip155:8453',
        payer_identity: `eip155:8453:${wallet.address}`,
        quality_flags: ['gateway_not_used'],
      },
    });
    const receipt = envelope.settlement_receipt;
    expect(result(answer.headers.get('payment-response'))).toEqual({
      success: true,
      transaction: receipt.settlement_tx_hash,
      network: 'eip155:8453',
      payer: checksumAddress(wallet.address),
      amount: '100000',
    });
    expect(answer.headers.get('x-charge-status')).toBe('settled');
    expect(answer.headers.get('x-cost-usd')).toBe('0.100000');
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    expect(rig.facilitator.taken(payTo)).toBe(100_000n);
    const journal = await rig.ledger.journal(receipt.receipt_id);
    expect(journal.map((row) => row.to)).toEqual(['authorized', 'submitted', 'settled']);
    await balanced();
  });

  it('is handed to the facilitator with our requirement and nothing the client added (S6)', async () => {
    const header = await rig.pay(wallet, path, {
      accepted: {
        maxTimeoutSeconds: 1,
        smuggled: 'x',
        extra: { name: 'USD Coin', version: '2', smuggled: 1 },
      },
    });
    expect((await paid(header)).status).toBe(200);
    for (const call of ['/verify', '/settle']) {
      const [sent] = rig.facilitator.calls(call);
      expect(JSON.stringify(sent?.body)).not.toContain('smuggled');
      expect(sent?.body).toMatchObject({
        x402Version: 2,
        paymentRequirements: {
          scheme: 'exact',
          network: 'eip155:8453',
          amount: '100000',
          payTo,
          maxTimeoutSeconds: 60,
          extra: { name: 'USD Coin', version: '2' },
        },
      });
    }
  });

  it('shows in readiness that the clock of this server is not its provider’s (X52)', async () => {
    const check = async () =>
      ((await rig.ask('/ready')).json()['checks'] as { settlement_x402: unknown }).settlement_x402;
    expect(await check()).toEqual({ status: 'ok', detail: null });
    await paid(await rig.pay(wallet, path));
    // the rig's clock stands in February, the stand-in dates its answers by the machine's
    expect(await check()).toMatchObject({ status: 'ok', detail: expect.stringContaining('clock_skew') });
    expect(rig.logLines.join('').match(/"clock_skew"/g)).toHaveLength(1);
  });

  it('may echo every extension of the challenge, as the official client does (P2.6)', async () => {
    const offered = result((await rig.ask(path)).headers.get('payment-required'));
    const payload = result(await rig.pay(wallet, path));
    const echo = { ...payload, extensions: offered['extensions'] };
    expect(Object.keys(offered['extensions'] as object)).toEqual(['payment-identifier', 'bazaar']);
    expect((await paid(Buffer.from(JSON.stringify(echo)).toString('base64'))).status).toBe(200);
    await balanced();
  });

  it('is served again with the same receipt, and not settled again (X27, I5.26)', async () => {
    const header = await rig.pay(wallet, path);
    const first = (await paid(header)).json()['settlement_receipt'];
    rig.clock.nowMs += 3_600_000;
    const again = await paid(header);
    expect(again.status).toBe(200);
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect(again.json()['settlement_receipt']).toMatchObject({
      ...(first as object),
      quality_flags: ['gateway_not_used', 'replayed'],
    });
    expect(again.json()['response_metadata']).toMatchObject({ replayed: true });
    expect(rig.facilitator.calls('/settle')).toHaveLength(1);
    expect(rig.facilitator.calls('/verify')).toHaveLength(1);
    const { receipt_id } = first as { receipt_id: string };
    while ((await rig.ledger.findReceipt(receipt_id))?.replayCount !== 1)
      await new Promise<void>((resolve) => setImmediate(resolve));
    await chargedOnce();
  });

  it('is served again in the artifact version served first, after a newer build (I5.26, P8.30)', async () => {
    const header = await rig.pay(wallet, path);
    const first = await paid(header);
    const newer = rig.release({ sourceDate: '2026-02-07', build: 2, padding: 'corrected' });
    rig.promote(newer, { '2026-02-07': newer });
    const fresh = await rig.ask(path);
    expect(fresh.headers.get('x-artifact-version')).not.toBe(first.headers.get('x-artifact-version'));
    const again = await paid(header);
    expect(again.headers.get('x-artifact-version')).toBe(first.headers.get('x-artifact-version'));
    expect(again.headers.get('x-artifact-digest')).toBe(first.headers.get('x-artifact-digest'));
  });

  it('is served again in the artifact version served first, after that build was taken back (I5.26, P8.30)', async () => {
    const newer = rig.release({ sourceDate: '2026-02-07', build: 2, padding: 'corrected' });
    rig.promote(newer, { '2026-02-07': newer });
    const header = await rig.pay(wallet, path);
    const first = await paid(header);
    rig.promote('2026-02-07.1', { '2026-02-07': '2026-02-07.1' });
    const fresh = await rig.ask(path);
    expect(fresh.headers.get('x-artifact-version')).not.toBe(first.headers.get('x-artifact-version'));
    const again = await paid(header);
    expect(again.headers.get('x-artifact-version')).toBe(first.headers.get('x-artifact-version'));
    expect(again.headers.get('x-artifact-digest')).toBe(first.headers.get('x-artifact-digest'));
  });

  describe('after the slice it was paid for is withdrawn', () => {
    const earlier = '2026-02-05';
    const withdrawals = [
      { release: '2026-02-07.1', withdrawn_at_utc: '2026-02-07T12:00:00Z', reason: 'closes of another day' },
    ];
    const withdraw = () =>
      rig.promote(rig.release({ sourceDate: earlier }), {
        [earlier]: `${earlier}.1`,
        '2026-02-07': { release: null, withdrawals },
      });

    it('is served again from the withdrawn build where it named no date (I3.28, I5.26)', async () => {
      const header = await rig.pay(wallet, path);
      const first = await paid(header);
      withdraw();
      expect((await rig.ask(path)).headers.get('x-artifact-version')).toMatch(/^2026-02-05\+/);
      const again = await paid(header);
      expect(again.status).toBe(200);
      for (const name of ['x-artifact-version', 'x-artifact-digest'])
        expect(again.headers.get(name)).toBe(first.headers.get(name));
      expect(again.headers.get('idempotent-replay')).toBe('true');
      expect(rig.facilitator.calls('/settle')).toHaveLength(1);
      await chargedOnce();
    });

    it('is a 404 with the reason where it named the date, and charged nothing more (I3.28)', async () => {
      const dated = `${path}?source_date=2026-02-07`;
      const header = await rig.pay(wallet, dated);
      const unused = await rig.pay(wallet, dated);
      expect((await paid(header, {}, dated)).status).toBe(200);
      withdraw();
      for (const payment of [header, unused]) {
        const again = await paid(payment, {}, dated);
        expect(again.status).toBe(404);
        expect(again.json()).toMatchObject({
          reason_code: 'no_artifact_for_source_date',
          withdrawn: true,
          billing_status: 'not_charged',
          detail: expect.stringContaining('closes of another day'),
        });
      }
      expect(rig.facilitator.calls('/settle')).toHaveLength(1);
      expect(rig.facilitator.taken(payTo)).toBe(100_000n);
      await chargedOnce();
    });
  });

  it('opens nothing any more after seven days (X28)', async () => {
    const header = await rig.pay(wallet, path);
    await paid(header);
    rig.clock.nowMs += 604_800_000;
    const late = await paid(header);
    expect([late.status, late.json()['code']]).toEqual([409, 'payment_nonce_reused']);
    expect(rig.facilitator.calls('/settle')).toHaveLength(1);
    await chargedOnce();
    expect((await paid(await rig.pay(wallet, path))).status).toBe(200);
  });

  it('opens no other route, query or issuer, before and after it was used (X23, S4)', async () => {
    const header = await rig.pay(wallet, path);
    const others = ['/v1/covenant-stress/MARA', `${path}?source_date=2026-02-07`];
    for (const other of others) {
      const answer = await paid(header, {}, other);
      expect(answer.json()).toMatchObject({ status: 402, code: 'payment_mismatch', reason: 'resource' });
    }
    const { receipt_id } = (await paid(header)).json()['settlement_receipt'] as { receipt_id: string };
    for (const other of others) {
      const answer = await paid(header, {}, other);
      expect(answer.json()).toMatchObject({ status: 409, code: 'payment_nonce_reused', receipt_id });
      expect(answer.headers.has('payment-required')).toBe(false);
    }
    expect(rig.facilitator.calls('/settle')).toHaveLength(1);
    await chargedOnce();
  });

  it('fits its resource through any host, in any case and with defaults spelled out (P2.14, S21)', async () => {
    for (const resourceUrl of [
      'https://proxy.example:8443/v1/covenant-stress/mstr',
      'http://127.0.0.1:8402/v1/covenant-stress/%4DSTR',
    ]) {
      const answer = await paid(await rig.pay(wallet, path, { resourceUrl }));
      expect(answer.status, resourceUrl).toBe(200);
    }
    for (const resourceUrl of [
      'nonsense',
      'https://x.example',
      'https://x.example/v1/readiness',
      'ftp://x/y',
    ]) {
      const answer = await paid(await rig.pay(wallet, path, { resourceUrl }));
      expect(answer.json(), resourceUrl).toMatchObject({ code: 'payment_mismatch', reason: 'resource' });
    }
  });

  it('costs the same on 304, which needs access like a 200 (I4.19)', async () => {
    const etag = (await rig.ask(path)).headers.get('x-artifact-etag') ?? '';
    const answer = await paid(await rig.pay(wallet, path), { 'if-none-match': etag });
    expect(answer.status).toBe(304);
    expect(answer.headers.get('payment-response')).toBeDefined();
    expect(rig.facilitator.taken(payTo)).toBe(100_000n);
  });

  it('is not looked at on HEAD (X71) and not used beside a valid key (I5.3)', async () => {
    const header = await rig.pay(wallet, path);
    expect((await rig.ask(path, { method: 'HEAD', headers: { 'payment-signature': header } })).status).toBe(
      402,
    );
    const wrongKey = await paid(header, { 'x-api-key': `iik_ABCDEFGHIJ_${'a'.repeat(43)}` });
    expect([wrongKey.status, wrongKey.json()['code']]).toEqual([401, 'invalid_api_key']);
    expect(rig.facilitator.received).toEqual([]);
  });
});

describe('a version 1 client', () => {
  const v1 = async (signed: string) => {
    const { payload } = result(signed) as { payload: object };
    return Buffer.from(
      JSON.stringify({ x402Version: 1, scheme: 'exact', network: 'base', payload }),
    ).toString('base64');
  };

  it('reads a version 1 body and pays by its own header when the operator allows it (P2.49, I5.54)', async () => {
    await rig.close();
    await start({ II_PAY_V1_COMPAT: 'on' });
    const unpaid = await rig.ask(path);
    expect(unpaid.json()).toMatchObject({
      x402Version: 1,
      accepts: [
        {
          scheme: 'exact',
          network: 'base',
          maxAmountRequired: '100000',
          payTo,
          maxTimeoutSeconds: 60,
        },
      ],
      x402_v2: { x402Version: 2 },
    });
    // the official version 1 client throws on a null here
    expect(JSON.stringify(unpaid.json())).not.toContain('outputSchema');
    expect(result(unpaid.headers.get('payment-required'))['x402Version']).toBe(2);
    const signed = await rig.pay(wallet, path);
    const answer = await rig.ask(path, { headers: { 'x-payment': await v1(signed) } });
    expect(answer.status).toBe(200);
    expect(result(answer.headers.get('x-payment-response'))).toMatchObject({
      success: true,
      network: 'base',
    });
    // P2.50: one authorization, one claim, whatever the version
    const again = await paid(signed);
    expect(again.headers.get('idempotent-replay')).toBe('true');
    const both = await paid(signed, { 'x-payment': await v1(signed) });
    expect([both.status, both.json()['code']]).toEqual([400, 'conflicting_credentials']);
    expect(rig.facilitator.calls('/settle')).toHaveLength(1);
  });

  it('is not seen where it is not allowed (I5.12)', async () => {
    const signed = await rig.pay(wallet, path);
    const answer = await rig.ask(path, { headers: { 'x-payment': await v1(signed) } });
    expect([answer.status, answer.json()['code']]).toEqual([402, 'payment_required']);
    expect((await paid(await v1(signed))).json()).toMatchObject({
      code: 'invalid_payment',
      reason: 'x402_version',
    });
  });
});

describe('shadow mode', () => {
  it('verifies, settles nothing and marks every receipt (I5.19, S33)', async () => {
    await rig.close();
    await start({ II_PAY_SHADOW: 'on' });
    const answer = await paid(await rig.pay(wallet, path));
    expect(answer.status).toBe(200);
    expect(billingEnvelope.parse(answer.json())).toMatchObject({
      billing_mode: 'x402',
      billing_status: 'not_charged',
      payment_status: 'not_applicable',
      cost_usd: 0,
      quoted_cost_usd: 0.1,
      settlement_receipt: {
        settlement_mode: 'shadow_unsettled',
        charge_status: 'not_charged',
        quality_flags: ['shadow_mode'],
        payer_identity: `eip155:8453:${wallet.address}`,
      },
    });
    expect(rig.facilitator.calls('/verify')).toHaveLength(1);
    expect(rig.facilitator.calls('/settle')).toEqual([]);
  });
});
