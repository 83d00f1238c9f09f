import { describe, expect, it } from 'vitest';
import { routes } from '../../data/contract/routes/routes.ts';
import { paymentMember, receiptMember } from '../../data/contract/tools/toolPayment.ts';
import { instant } from '../../data/contract/values/instant.ts';
import {
  asked,
  asMeta,
  books,
  client,
  codeOf,
  type Json,
  mppOn,
  name,
  node,
  paidFrame,
  pay,
  receiptOf,
  restart,
  revision,
  rig,
  sends,
  settledOnce,
  signed,
  unpaid,
  untouched,
  wallet,
  withMppTools,
} from '../../fixtures/rigs/mppToolRig.ts';
import { payTo, signedPayment } from '../../fixtures/rigs/paidRig.ts';
import { errorOf, refusalOf, resultOf } from '../../fixtures/rigs/toolCalls.ts';
import { issueApiKey } from '../keys/keyRing.ts';

// which of several payments of a tool call counts, and that none counts twice (P10.4, P10.16, P2.46)

withMppTools();

describe('which payment counts', () => {
  const x402 = async (): Promise<string> => {
    const { structuredContent } = resultOf(await unpaid());
    return signedPayment(wallet, structuredContent as never, { nowMs: rig.clock.nowMs });
  };

  it('is not guessed where two are sent (P10.4)', async () => {
    const [payment, credential] = [await x402(), await signed()];
    const decoded = JSON.parse(Buffer.from(payment, 'base64').toString('utf8'));
    const meta = asMeta(credential);
    for (const answer of [
      await unpaid({ ...revision, 'payment-signature': payment }, meta),
      await unpaid(revision, { ...meta, [paymentMember.x402]: decoded }),
    ])
      expect([answer.status, errorOf(answer).message]).toEqual([400, 'conflicting_credentials']);
    const header = await pay(credential, { ...revision, authorization: credential });
    expect(codeOf(header)).toBe('wrong_payment_rail');
    expect([sends(), await books()]).toEqual([0, untouched]);
  });

  it('is none beside an API key, which alone decides (P1.11, I5.4)', async () => {
    const credential = await signed();
    const wrong = await pay(credential, { ...revision, 'x-api-key': `iik_ABCDEFGHIJ_${'a'.repeat(43)}` });
    expect(refusalOf(wrong)).toMatchObject({ status: 200, isError: true, code: 'invalid_api_key' });
    const { text, keyId, salt, secretHash } = issueApiKey();
    const times = { createdMs: rig.clock.nowMs, expiresMs: null, replaces: null };
    const row = { label: 'test', scopes: ['mcp'], createdBy: 'operator:test' } as const;
    await rig.ledger.keys.create({ ...row, ...times, keyId, salt, secretHash });
    await rig.keys.refresh();
    const answer = await pay(credential, { ...revision, 'x-api-key': text });
    expect(receiptOf(answer)).toMatchObject({ billing_mode: 'api_key_not_charged' });
    expect([sends(), node.taken(payTo)]).toEqual([0, 0n]);
    // and the credential stays good
    expect(receiptOf(await pay(credential))).toMatchObject({ billing_mode: 'mpp' });
    expect([sends(), node.taken(payTo)]).toEqual([1, 40_000n]);
  });

  it('wins over a grant token, whatever that is (I5.3)', async () => {
    const answer = await pay(await signed(), { ...revision, 'x-svc-grant-token': 'ii1.abc.def' });
    expect(receiptOf(answer)).toMatchObject({ billing_mode: 'mpp' });
    expect(await books()).toEqual(settledOnce);
  });

  it('is of the wrong rail where MPP is off: refused, not ignored, and nothing to sign for it (I5.12a)', async () => {
    const credential = await signed();
    await restart({});
    expect(asked(await unpaid())).toBeUndefined();
    const answer = await pay(credential);
    expect(resultOf(answer).structuredContent['error']).toMatchObject({
      code: 'wrong_payment_rail',
      expected_rail: 'x402',
    });
    expect([sends(), await books()]).toEqual([0, untouched]);
  });

  it('is taken nowhere while nothing is settled (P0.7, I5.19)', async () => {
    for (const off of [{ II_PAY_CHALLENGE_ONLY: 'on' }, { II_PAY_SHADOW: 'on' }]) {
      await restart({ ...mppOn(), ...off });
      const answer = await unpaid();
      expect(asked(answer)?.challenges).toHaveLength(1);
      const refused = await pay(await signed(answer));
      expect(resultOf(refused).structuredContent['error']).toMatchObject({
        code: 'settlement_unavailable',
        rail: 'mpp',
      });
      expect(asked(refused)).toBeUndefined();
    }
    expect([sends(), await books()]).toEqual([0, untouched]);
  });
});

describe('a price that changes', () => {
  it('is what each challenge says: the former one is paid after the change, and charged as issued (I9.5, P4.9)', async () => {
    const changeMs = Math.ceil(Date.now() / 1000) * 1000 + 60_000;
    const priceChange = {
      announcedAt: '2026-01-01T00:00:00Z',
      effectiveAt: instant(changeMs),
      newMicroUsd: 50_000,
    };
    await restart(
      mppOn(),
      routes.map((route) => (route.family === 'mcp' ? { ...route, priceChange } : route)),
    );
    const at = (nowMs: number) => rig.advance(nowMs - rig.clock.nowMs);
    at(changeMs - 1);
    const former = await unpaid();
    at(changeMs);
    const current = await unpaid();
    expect([former, current].map((answer) => asked(answer)?.challenges[0]?.['request'])).toMatchObject([
      { amount: '40000' },
      { amount: '50000' },
    ]);
    const credential = await signed(former);
    expect(receiptOf(await pay(credential))).toMatchObject({ cost_usd: 0.04 });
    expect(receiptOf(await pay(await signed(current)))).toMatchObject({ cost_usd: 0.05 });
    expect([node.taken(payTo), await books()]).toEqual([
      90_000n,
      { receipts: 2, payments: 2, chargedMicro: 90_000 },
    ]);
    // long after it ran out a paid challenge brings its answer again, at the price it was paid at (I5.26)
    at(changeMs + 86_400_000);
    expect(receiptOf(await pay(credential))).toMatchObject({ cost_usd: 0.04 });
    expect(sends()).toBe(2);
  });
});

describe('no money moves', () => {
  it('for a miss, a wrong argument, a free or a planned tool, with a credential beside it (A4.36)', async () => {
    const credential = await signed();
    const meta = asMeta(credential);
    await client.call(name, { ticker: 'ZZZZZ' }, revision, meta);
    await client.call(name, { ticker: 'MSTR', bogus: 1 }, revision, meta);
    await client.call('visual_dashboard_full', {}, revision, meta);
    await client.call('intel_help', {}, revision, meta);
    expect([sends(), await books()]).toEqual([0, untouched]);
    expect(resultOf(await pay(credential)).isError).toBe(false);
  });

  it('for a client that left before the claim, and once for one that left after it (P1.13, X32, X33)', async () => {
    const credential = await signed();
    const sent = paidFrame(credential);
    await rig.ask('/mcp', { ...sent, clientGone: () => true });
    expect([sends(), await books()]).toEqual([0, untouched]);
    const lost = await rig.ask('/mcp', { ...sent, delivery: 'undelivered' });
    const again = await pay(credential);
    expect(receiptOf(again)['receipt_id']).toBe(receiptOf(lost)['receipt_id']);
    expect([sends(), await books()]).toEqual([1, settledOnce]);
  });
});

describe('a call that was paid on one rail and never answered', () => {
  const signX402 = async () => {
    const { structuredContent } = resultOf(await unpaid());
    const text = signedPayment(wallet, structuredContent as never, { nowMs: rig.clock.nowMs });
    return { [paymentMember.x402]: JSON.parse(Buffer.from(text, 'base64').toString()) };
  };
  const payX402 = async () => unpaid(revision, await signX402());

  it('of x402 is pending for a payment over MPP, then served to it and not paid again (P2.46, S9)', async () => {
    rig.facilitator.misbehave('/settle', { kind: 'hold' });
    const waiting = payX402();
    await rig.facilitator.arrived('/settle', 1);
    await rig.waitBegan(10_000);
    rig.advance(10_000);
    const open = resultOf(await waiting).structuredContent['error'] as Json;
    expect(open['code']).toBe('settlement_pending');
    const waited = await signed();
    const early = resultOf(await pay(waited));
    expect(early.structuredContent['error']).toMatchObject({
      code: 'settlement_pending',
      receipt_id: open['receipt_id'],
    });
    expect(Object.keys(early._meta ?? {})).toEqual(['io.modelcontextprotocol/serverInfo']);
    rig.facilitator.release();
    await rig.payments.stop();
    const served = await pay(await signed());
    expect(receiptOf(served)['receipt_id']).toBe(open['receipt_id']);
    // the answer says how it was paid, not how it could have been
    expect(Object.keys(resultOf(served)._meta ?? {}).at(-1)).toBe(receiptMember.x402);
    // repeated as it was asked to (P2.46a)
    expect(receiptOf(await pay(waited))['receipt_id']).toBe(open['receipt_id']);
    expect([sends(), await books()]).toEqual([0, settledOnce]);
  });

  it('of MPP is served to a payment of x402, with the receipt of MPP (P2.46)', async () => {
    const credential = await signed();
    const lost = await rig.ask('/mcp', { ...paidFrame(credential), delivery: 'undelivered' });
    const second = await signX402();
    const served = await unpaid(revision, second);
    expect(receiptOf(served)['receipt_id']).toBe(receiptOf(lost)['receipt_id']);
    expect(resultOf(served)._meta).toEqual(resultOf(lost)._meta);
    // sent again it is the same replay, and no payment (P2.46a)
    expect(resultOf(await unpaid(revision, second))._meta).toEqual(resultOf(lost)._meta);
    expect(rig.facilitator.calls('/settle')).toEqual([]);
    expect(served.headers.has('payment-receipt')).toBe(true);
    expect(served.headers.has('payment-response')).toBe(false);
    expect([sends(), await books()]).toEqual([1, settledOnce]);
  });
});
