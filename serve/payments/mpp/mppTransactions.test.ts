import { Account, Transaction } from 'viem/tempo';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alteredCredential, type TempoBuyer, tempoBuyer } from '../../../fixtures/builders/tempoBuyer.ts';
import { type TempoReplica, tempoReplica } from '../../../fixtures/replicas/tempoReplica.ts';
import { type PaidRig, paidRig, payTo } from '../../../fixtures/rigs/paidRig.ts';

// what a buyer may have signed, and what it may not (P4.5, P4.6, P4.12)

const path = '/mpp/v1/readiness';
const number = 900;
let rig: PaidRig;
let node: TempoReplica;
let buyer: TempoBuyer;

beforeAll(async () => {
  const clock = { nowMs: Date.now() };
  node = await tempoReplica({ nowMs: () => clock.nowMs });
  rig = await paidRig({
    clock,
    environment: {
      II_PAY_MPP_RECIPIENT: payTo,
      II_PAY_MPP_CURRENCY: '0x20c0000000000000000000000000000000000000',
      II_PAY_MPP_CHAIN_ID: '1337',
      II_PAY_MPP_RPC_URL: node.url,
      II_PAY_MPP_SECRET: 'the secret of the test deployment',
    },
  });
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
  buyer = tempoBuyer(number, node.url);
  node.balances.set(buyer.address, 1_000_000n);
});
afterAll(async () => {
  await rig.close();
  await node.close();
});

const challenge = async () => (await rig.ask(path)).headers.get('www-authenticate') ?? '';
const pay = (credential: string) => rig.ask(path, { headers: { authorization: credential } });

/** The buyer's transaction, changed and signed again by the buyer's own key. */
async function resigned(change: { validBefore?: number | undefined }): Promise<string> {
  const credential = await buyer.sign(await challenge());
  const account = Account.fromSecp256k1(`0x${number.toString(16).padStart(64, '7')}`);
  const json = JSON.parse(Buffer.from(credential.slice('Payment '.length), 'base64url').toString('utf8'));
  const unsigned = { signature: undefined, from: undefined };
  const signed: object = Transaction.deserialize(json.payload.signature);
  const transaction = await account.signTransaction({ ...signed, ...unsigned, ...change } as never);
  return alteredCredential(credential, ({ payload }) => Object.assign(payload, { signature: transaction }));
}

describe('a transaction of the buyer', () => {
  it('pays when it is signed again as it was', async () => {
    expect((await pay(await resigned({}))).status).toBe(200);
  });

  it.each([
    ['without an end', undefined, 'valid_before_missing'],
    ['that outlives its challenge', 4_000_000_000, 'valid_before_after_expiry'],
  ])('%s is refused: an open outcome could never be decided (P4.12)', async (_, validBefore, reason) => {
    const { methods } = node;
    const before = methods.length;
    const answer = await pay(await resigned({ validBefore }));
    expect(answer.json()).toMatchObject({
      status: 402,
      code: 'payment_verification_failed',
      error_reason: reason,
    });
    expect(methods.slice(before)).not.toContain('eth_sendRawTransactionSync');
  });

  it.each(['hash', 'proof'])('paid before it was asked for is not a payment: %s (P4.5)', async (type) => {
    const credential = await buyer.sign(await challenge());
    const pushed = alteredCredential(credential, ({ payload }) =>
      Object.assign(payload, { type, hash: `0x${'11'.repeat(32)}` }),
    );
    expect((await pay(pushed)).json()).toMatchObject({
      status: 402,
      code: 'payment_verification_failed',
      error_reason: 'mode_not_offered',
    });
  });
});

it('a client that accepts nothing of ours still gets the one challenge there is (P4.6)', async () => {
  for (const accepted of ['stripe/charge', 'tempo/charge;q=0', '*/*;q=0', '\u0000'.repeat(3)]) {
    const answer = await rig.ask(path, { headers: { 'accept-payment': accepted } });
    expect(answer.status).toBe(402);
    expect(answer.headers.get('www-authenticate')).toMatch(
      /^Payment id="[^"]{43}", realm="127\.0\.0\.1", method="tempo"/,
    );
  }
});
