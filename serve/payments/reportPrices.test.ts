import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testWallet } from '../../fixtures/builders/testWallet.ts';
import { challengeOf, type PaidRig, paidRig, signedPayment } from '../../fixtures/rigs/paidRig.ts';
import { sampleRest } from '../../fixtures/rigs/sampleHistory.ts';
import { sampleIssuers } from '../../fixtures/rigs/serveRig.ts';

// what is charged for a report is what its 402 said, or nothing (I4.R29.4, I4.R29.5, P1.5)

const path = '/v1/company-report/MSTR';
const bundle = '/v1/bundles/company-report';
const wallet = testWallet(11);
let rig: PaidRig;

/** Promotes a slice; without scores, ranks and maps its reports are partial. */
function promote(sourceDate: string, { whole }: { whole: boolean }): void {
  const more = whole ? sampleRest({ sourceDate, issuers: sampleIssuers, backfilled: false }) : [];
  const release = rig.release({ sourceDate, more });
  rig.promote(release, { [sourceDate]: release });
}
beforeEach(async () => {
  rig = await paidRig();
  rig.facilitator.balances.set(wallet.address, 100_000_000n);
});
afterEach(async () => {
  expect((await rig.ledger.check()).problems).toEqual([]);
  await rig.close();
});

/** What left the wallet, in micro-USD. */
const spent = () => 100_000_000n - (rig.facilitator.balances.get(wallet.address) ?? 0n);
const post = (body: object, headers: Readonly<Record<string, string>> = {}) =>
  rig.ask(bundle, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(body)),
  });
const charged = (answer: { json(): Record<string, unknown> }) =>
  (answer.json()['settlement_receipt'] as Record<string, unknown>)['charged_amount_usdc'];

describe('the price of a report that is paid', () => {
  it.each([
    ['', '0.600000'],
    ['?output_mode=full', '0.650000'],
  ])('is that of its 402: %s', async (query, amount) => {
    promote('2026-02-07', { whole: true });
    const answer = await rig.ask(`${path}${query}`, {
      headers: { 'payment-signature': await rig.pay(wallet, `${path}${query}`) },
    });
    expect([answer.status, charged(answer)]).toEqual([200, amount]);
    expect(spent()).toBe(BigInt(Number(amount) * 1e6));
  });

  it.each([
    ['rises', false, '0.600000'],
    ['falls', true, '0.450000'],
  ])('that %s with a newer slice is 402 price_changed, and nothing is settled', async (_, whole, amount) => {
    promote('2026-02-07', { whole });
    const payment = await rig.pay(wallet, path);
    promote('2026-02-08', { whole: !whole });
    const refused = await rig.ask(path, { headers: { 'payment-signature': payment } });
    expect(refused.json()).toMatchObject({
      status: 402,
      code: 'price_changed',
      previous_usd: whole ? 0.6 : 0.45,
      quoted_cost_usd: whole ? 0.45 : 0.6,
    });
    expect(spent()).toBe(0n);
    const fresh = signedPayment(wallet, challengeOf(refused), { nowMs: rig.clock.nowMs });
    const answer = await rig.ask(path, { headers: { 'payment-signature': fresh } });
    expect([answer.status, charged(answer)]).toEqual([200, amount]);
    expect(spent()).toBe(BigInt(Number(amount) * 1e6));
  });

  it('that did not change is taken for a newer slice too', async () => {
    promote('2026-02-07', { whole: true });
    const payment = await rig.pay(wallet, path);
    promote('2026-02-08', { whole: true });
    const answer = await rig.ask(path, { headers: { 'payment-signature': payment } });
    expect([answer.status, charged(answer)]).toEqual([200, '0.600000']);
  });

  it('is asked for one body alone: a payment for it buys no other depth (I5.24)', async () => {
    promote('2026-02-07', { whole: true });
    const asked = { ticker: 'MSTR', include_segments: true };
    const payment = signedPayment(wallet, challengeOf(await post(asked)), { nowMs: rig.clock.nowMs });
    const first = await post(asked, { 'payment-signature': payment });
    expect([first.status, charged(first)]).toEqual([200, '0.600000']);
    const other = await post({ ticker: 'MSTR' }, { 'payment-signature': payment });
    expect(other.json()).toMatchObject({ status: 409, code: 'payment_nonce_reused' });
    const deeper = await post({ ...asked, output_mode: 'full' }, { 'payment-signature': payment });
    expect(deeper.json()).toMatchObject({ status: 409, code: 'payment_nonce_reused' });
    // the same members in another order are the same request
    const again = await post({ include_segments: true, ticker: 'mstr' }, { 'payment-signature': payment });
    expect([again.status, again.headers.get('idempotent-replay')]).toEqual([200, 'true']);
    expect(spent()).toBe(600_000n);
  });

  it('is not paid by the scheme of the mirrors, which have no report (I4.M.1)', async () => {
    promote('2026-02-07', { whole: true });
    const answer = await rig.ask(path, { headers: { authorization: 'Payment abc' } });
    expect(answer.json()).toMatchObject({ status: 400, code: 'wrong_payment_rail' });
    expect((await rig.ask(`/mpp${path}`)).json()).toMatchObject({ status: 404, code: 'route_not_found' });
  });
});
