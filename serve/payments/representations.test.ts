import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dailyBrief } from '../../data/contract/payloads/reports/dailyBrief.ts';
import { testWallet } from '../../fixtures/builders/testWallet.ts';
import type { Answer } from '../../fixtures/rigs/askServer.ts';
import { challengeOf, type PaidRig, paidRig, payTo, signedPayment } from '../../fixtures/rigs/paidRig.ts';
import { sampleRest } from '../../fixtures/rigs/sampleHistory.ts';
import { sampleIssuers } from '../../fixtures/rigs/serveRig.ts';
import { damageArtifact } from '../../fixtures/rigs/storedArtifacts.ts';

// an answer with several representations is paid for once, for the one that was asked for, or not at all (P1.3, I5.24)

const slice = '2026-02-07';
const brief = '/v1/daily-brief/public';
const price = 4_500_000n;
const wallet = testWallet(12);
const page = Buffer.from(dailyBrief.example.html);
let rig: PaidRig;
let release: string;

function promote(sourceDate: string, { without = '' } = {}): string {
  const rest = sampleRest({ sourceDate, issuers: sampleIssuers, backfilled: false });
  const name = rig.release({ sourceDate, more: rest.filter(({ key }) => key !== without) });
  rig.promote(name, { [sourceDate]: name });
  return name;
}
beforeEach(async () => {
  rig = await paidRig();
  rig.facilitator.balances.set(wallet.address, 100_000_000n);
  release = promote(slice);
});
afterEach(async () => {
  const { problems, chargedMicro } = await rig.ledger.check();
  expect([problems, chargedMicro]).toEqual([[], Number(taken())]);
  await rig.close();
});

const taken = () => rig.facilitator.taken(payTo);
const paying = (path: string, payment: string, headers: Readonly<Record<string, string>> = {}) =>
  rig.ask(path, { headers: { ...headers, 'payment-signature': payment } });
const buy = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  paying(path, await rig.pay(wallet, path), headers);

describe('a payment for the daily brief', () => {
  it('buys the representation it was signed for, at one price, and no other (I5.25)', async () => {
    const payment = await rig.pay(wallet, `${brief}?format=html`);
    const first = await paying(`${brief}?format=html`, payment);
    expect([first.status, first.bytes, taken()]).toEqual([200, page, price]);
    for (const other of [brief, `${brief}?format=pdf`, `${brief}?format=html&date=${slice}`]) {
      const answer = await paying(other, payment);
      expect(answer.json(), other).toMatchObject({ status: 409, code: 'payment_nonce_reused' });
    }
    // another spelling of the same request
    const again = await paying(`${brief}?format=HTML`, payment);
    expect([again.status, again.bytes, taken()]).toEqual([200, page, price]);
    expect(again.headers.get('x-receipt-id')).toBe(first.headers.get('x-receipt-id'));
  });

  it('brings the page that was bought when a newer night is served (I5.26)', async () => {
    const payment = await rig.pay(wallet, `${brief}?format=pdf`);
    const first = await paying(`${brief}?format=pdf`, payment);
    const later = promote('2026-02-08');
    rig.promote(later, { [slice]: release, '2026-02-08': later });
    const again = await paying(`${brief}?format=pdf`, payment);
    expect(again.headers.get('x-source-date')).toBe(slice);
    expect([again.bytes, taken()]).toEqual([first.bytes, price]);
  });

  it('is not charged where its file is missing, and the page beside it is sold (I4.R28.6)', async () => {
    promote(slice, { without: dailyBrief.stored.pdf.key({ slice }) });
    const payment = await rig.pay(wallet, `${brief}?format=html`);
    for (const headers of [{}, { 'payment-signature': payment }]) {
      const missing = await rig.ask(`${brief}?format=pdf`, { headers });
      expect(missing.json()).toMatchObject({ status: 404, reason_code: 'not_published' });
    }
    expect(rig.facilitator.received).toEqual([]);
    expect((await paying(`${brief}?format=html`, payment)).bytes).toEqual(page);
  });

  it('is not charged where the bytes of its page were damaged (X57)', async () => {
    const root = join(rig.root, 'artifacts');
    damageArtifact({ root, release, key: dailyBrief.stored.html.key({ slice }) });
    // signed for what the 402 of the page would have said
    const resourceUrl = `http://127.0.0.1:8402${brief}?format=html`;
    const payment = await rig.pay(wallet, brief, { resourceUrl });
    const answer = await paying(`${brief}?format=html`, payment);
    expect(answer.json()).toMatchObject({ status: 503, code: 'artifact_unavailable' });
    expect(rig.facilitator.received).toEqual([]);
  });
});

describe('a call that asks for less than the whole answer', () => {
  it('costs the same on 304, and the tag of one representation matches no other (I4.19, I9.12)', async () => {
    const tagOf = async (path: string) => (await rig.ask(path)).headers.get('x-artifact-etag') ?? '';
    const tag = await tagOf(`${brief}?format=html`);
    for (const [path, other] of [
      [`${brief}?format=html`, await tagOf(brief)],
      [brief, tag],
      [`${brief}?format=pdf`, tag],
    ] as const) {
      const whole = await buy(path, { 'if-none-match': other });
      expect([whole.status, whole.bytes.length > 0], path).toEqual([200, true]);
    }
    const unchanged = await buy(`${brief}?format=html`, { 'if-none-match': tag });
    expect([unchanged.status, unchanged.bytes.length]).toEqual([304, 0]);
    expect(unchanged.headers.get('x-cost-usd')).toBe('4.500000');
    expect(taken()).toBe(4n * price);
  });

  it('has a range that is ignored: the whole file comes (I9.12)', async () => {
    const answer = await buy(`${brief}?format=pdf`, { range: 'bytes=0-3', 'if-range': '"x"' });
    expect([answer.status, answer.bytes.toString()]).toEqual([200, '%PDF-1.7\n%%EOF\n']);
    expect(answer.headers.get('accept-ranges')).toBe('none');
  });

  it('takes no payment on HEAD and sends no body (P1.15)', async () => {
    const path = `${brief}?format=html`;
    const payment = await rig.pay(wallet, path);
    const head = await rig.ask(path, { method: 'HEAD', headers: { 'payment-signature': payment } });
    expect([head.status, head.bytes.length, rig.facilitator.received]).toEqual([402, 0, []]);
  });

  it('by POST gets what it paid for, whatever it says it has (I9.12)', async () => {
    const call = (headers: Readonly<Record<string, string>>) =>
      rig.ask('/v1/bundles/company-report', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: Buffer.from('{"ticker":"MSTR"}'),
      });
    const unpaid = await call({});
    const payment = signedPayment(wallet, challengeOf(unpaid), { nowMs: rig.clock.nowMs });
    for (const field of ['*', unpaid.headers.get('x-artifact-etag') ?? '']) {
      const answer = await call({ 'payment-signature': payment, 'if-none-match': field });
      expect([answer.status, answer.json()['quoted_cost_usd']], field).toEqual([200, 0.6]);
    }
    expect(taken()).toBe(600_000n);
  });
});
