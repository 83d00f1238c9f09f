import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { alteredCredential, type TempoBuyer, tempoBuyer } from '../../../fixtures/builders/tempoBuyer.ts';
import { type TempoReplica, tempoReplica } from '../../../fixtures/replicas/tempoReplica.ts';
import { keptMppLibrary } from '../../../fixtures/rigs/keptMppLibrary.ts';
import { type MppDoor, mirrorDoor } from '../../../fixtures/rigs/mppDoors.ts';
import { type PaidRig, paidRig, payTo } from '../../../fixtures/rigs/paidRig.ts';

const path = '/mpp/v1/readiness';
const send = 'eth_sendRawTransactionSync';
const { run: runLibrary, close: closeLibrary } = keptMppLibrary();
afterAll(closeLibrary);
let rig: PaidRig;
let node: TempoReplica;
let buyer: TempoBuyer;
let buyers = 100;

const environment = () => ({
  II_PAY_MPP_RECIPIENT: payTo,
  II_PAY_MPP_CURRENCY: '0x20c0000000000000000000000000000000000000',
  II_PAY_MPP_CHAIN_ID: '1337',
  II_PAY_MPP_RPC_URL: node.url,
  II_PAY_MPP_SECRET: 'the secret of the test deployment',
  II_RATE_BADPAY: '1000',
});

/** A server of one test. */
async function start(): Promise<void> {
  const clock = { nowMs: Date.now() };
  node = await tempoReplica({ nowMs: () => clock.nowMs });
  rig = await paidRig({ clock, runLibrary, environment: environment() });
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
  buyers += 1;
  buyer = tempoBuyer(buyers, node.url);
  node.balances.set(buyer.address, 1_000_000n);
}

async function stop(): Promise<void> {
  await rig.close();
  await node.close();
}

let door: MppDoor;
const pay = (credential: string) => door.pay(credential);
const signed = async () => buyer.sign((await door.ask()).headers.get('www-authenticate') ?? '');
const sends = () => node.methods.filter((method) => method === send).length;

describe('a credential that pays nothing', () => {
  beforeEach(async () => {
    await start();
    door = mirrorDoor((at, sent) => rig.ask(at, sent), path);
  });
  afterEach(stop);

  it.each([
    ['not base64url', () => 'Payment not/base64url', 'malformed_credential'],
    ['empty', () => 'Payment ', 'malformed_credential'],
    ['of four megabytes of nothing', () => `Payment ${'A'.repeat(8000)}`, 'malformed_credential'],
    ['an array', () => `Payment ${Buffer.from('[]').toString('base64url')}`, 'malformed_credential'],
    [
      'of repeated members',
      () => `Payment ${Buffer.from('{"challenge":{},"challenge":{}}').toString('base64url')}`,
      'malformed_credential',
    ],
    [
      'a depth bomb',
      () => `Payment ${Buffer.from('['.repeat(3000)).toString('base64url')}`,
      'malformed_credential',
    ],
    [
      'without a payload',
      (text: string) => alteredCredential(text, (json) => Object.assign(json, { payload: null })),
      'malformed_credential',
    ],
    [
      'for a challenge with a digest',
      (text: string) =>
        alteredCredential(text, ({ challenge }) => Object.assign(challenge, { digest: 'sha-256=x' })),
      'malformed_credential',
    ],
    [
      'for a challenge of nobody',
      (text: string) =>
        alteredCredential(text, ({ challenge }) => Object.assign(challenge, { id: 'A'.repeat(43) })),
      'invalid_challenge',
    ],
    [
      'for a challenge with a later end',
      (text: string) =>
        alteredCredential(text, ({ challenge }) =>
          Object.assign(challenge, { expires: '2099-01-01T00:00:00.000Z' }),
        ),
      'invalid_challenge',
    ],
    [
      'in push mode',
      (text: string) =>
        alteredCredential(text, (json) =>
          Object.assign(json, { payload: { type: 'hash', hash: `0x${'1'.repeat(64)}` } }),
        ),
      'payment_verification_failed',
    ],
    [
      'of other bytes than a transaction',
      (text: string) =>
        alteredCredential(text, ({ payload }) => Object.assign(payload, { signature: '0x76f900ff' })),
      'payment_verification_failed',
    ],
    [
      'of another kind of transaction',
      (text: string) =>
        alteredCredential(text, ({ payload }) => Object.assign(payload, { signature: '0x02f8ff' })),
      'payment_verification_failed',
    ],
    [
      'of a transaction with a changed byte',
      (text: string) =>
        alteredCredential(text, ({ payload }) =>
          Object.assign(payload, { signature: String(payload['signature']).replace('9c40', '9c41') }),
        ),
      'payment_verification_failed',
    ],
  ])('is 402 with a fresh challenge when it is %s (A5.16, P4.9, X58)', async (_, change, code) => {
    const answer = await pay(change(await signed()));
    expect([answer.status, answer.json()['code']]).toEqual([402, code]);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Payment id=/);
    expect(answer.headers.has('payment-receipt')).toBe(false);
    expect([sends(), (await rig.ledger.check()).payments]).toEqual([0, 0]);
  });

  it('is 400 when it names another method (I5.22)', async () => {
    const other = alteredCredential(await signed(), ({ challenge }) =>
      Object.assign(challenge, { method: 'other' }),
    );
    const answer = await pay(other);
    expect(answer.json()).toMatchObject({
      status: 400,
      code: 'method_unsupported',
      offered: ['tempo'],
      type: 'https://paymentauth.org/problems/method-unsupported',
    });
  });

  it('is payment_expired when its challenge has run out (P4.9)', async () => {
    const credential = await signed();
    rig.advance(300_001);
    expect((await pay(credential)).json()).toMatchObject({
      status: 402,
      code: 'payment_expired',
      type: 'https://paymentauth.org/problems/payment-expired',
    });
  });

  it('is not validated again and again for one address (I8.3 badpay)', async () => {
    await rig.close();
    rig = await paidRig({
      clock: { nowMs: Date.now() },
      runLibrary,
      environment: { ...environment(), II_RATE_BADPAY: '1' },
    });
    const release = rig.release({ sourceDate: '2026-02-07' });
    rig.promote(release, { '2026-02-07': release });
    const bad = alteredCredential(await signed(), ({ payload }) =>
      Object.assign(payload, { signature: '0x76f900ff' }),
    );
    expect((await pay(bad)).status).toBe(402);
    const refused = await pay(bad);
    expect(refused.json()).toMatchObject({ status: 429, policy: 'badpay' });
    // the headers show the bucket that refused, not that of all requests (I8.4)
    expect(refused.headers.get('ratelimit-policy')).toBe('"badpay";q=1;w=60');
  });
});
