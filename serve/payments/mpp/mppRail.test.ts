import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { billingEnvelope } from '../../../data/contract/billing/billingEnvelope.ts';
import { alteredCredential, type TempoBuyer, tempoBuyer } from '../../../fixtures/builders/tempoBuyer.ts';
import { testWallet } from '../../../fixtures/builders/testWallet.ts';
import { type TempoReplica, tempoReplica } from '../../../fixtures/replicas/tempoReplica.ts';
import { keptMppLibrary } from '../../../fixtures/rigs/keptMppLibrary.ts';
import { type PaidRig, paidRig, payTo } from '../../../fixtures/rigs/paidRig.ts';

const path = '/mpp/v1/covenant-stress/MSTR';
const currency = '0x20c0000000000000000000000000000000000000';
const secret = 'the secret of the test deployment';
const { run: runLibrary, close: closeLibrary } = keptMppLibrary();
afterAll(closeLibrary);
let rig: PaidRig;
let node: TempoReplica;
let buyer: TempoBuyer;
let buyers = 0;

async function start(environment: Record<string, string> = {}): Promise<void> {
  // the library reads the system's clock
  const clock = { nowMs: Date.now() };
  node = await tempoReplica({ nowMs: () => clock.nowMs });
  rig = await paidRig({
    clock,
    runLibrary,
    environment: {
      II_PAY_MPP_RECIPIENT: payTo,
      II_PAY_MPP_CURRENCY: currency,
      II_PAY_MPP_CHAIN_ID: '1337',
      II_PAY_MPP_RPC_URL: node.url,
      II_PAY_MPP_SECRET: secret,
      ...environment,
    },
  });
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
  buyer = freshBuyer();
}
beforeEach(() => start());
afterEach(async () => {
  await rig.close();
  await node.close();
});

function freshBuyer(): TempoBuyer {
  buyers += 1;
  const fresh = tempoBuyer(buyers, node.url);
  node.balances.set(fresh.address, 1_000_000n);
  return fresh;
}

const challengeOf = async (at = path) => (await rig.ask(at)).headers.get('www-authenticate') ?? '';
const pay = (credential: string, at = path) => rig.ask(at, { headers: { authorization: credential } });
const signed = async (at = path) => buyer.sign(await challengeOf(at));
const result = (text: string | undefined) =>
  JSON.parse(Buffer.from(text ?? '', 'base64url').toString('utf8')) as Record<string, unknown>;
const balanced = async () => expect((await rig.ledger.check()).problems).toEqual([]);
const sends = () => node.methods.filter((method) => method === 'eth_sendRawTransactionSync').length;

describe('the MPP challenge', () => {
  it('is one header and no member of the other family (P4.1, P4.7, I7.7)', async () => {
    const answer = await rig.ask(path);
    expect(answer.status).toBe(402);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.has('payment-required')).toBe(false);
    const body = answer.json();
    expect(body).toMatchObject({
      type: 'https://paymentauth.org/problems/payment-required',
      code: 'payment_required',
      quoted_micro_usd: 100_000,
      payment: { rail: 'mpp', request_header: 'Authorization', response_header: 'Payment-Receipt' },
      artifact: { source_date: '2026-02-07' },
    });
    for (const name of ['accepts', 'extensions', 'x402Version', 'grant_auth'])
      expect(body).not.toHaveProperty(name);
    const header = answer.headers.get('www-authenticate') ?? '';
    expect(header).toMatch(
      /^Payment id="[A-Za-z0-9_-]{43}", realm="127\.0\.0\.1", method="tempo", intent="charge", request="[A-Za-z0-9_-]+", expires="[0-9T:.-]+Z", opaque="[A-Za-z0-9_-]+"$/,
    );
    const value = (name: string) => new RegExp(`${name}="([^"]+)"`).exec(header)?.[1];
    expect(Buffer.from(value('request') ?? '', 'base64url').toString()).toBe(
      `{"amount":"100000","currency":"${currency}","methodDetails":{"chainId":1337,"supportedModes":["pull"]},"recipient":"${payTo}"}`,
    );
    expect(Buffer.from(value('opaque') ?? '', 'base64url').toString()).toMatch(/^\{"f":"[0-9a-f]{64}"\}$/);
    expect(Date.parse(value('expires') ?? '')).toBe(rig.clock.nowMs + 300_000);
  });

  it('is another for every caller, also within a millisecond (P4.13)', async () => {
    const headers = await Promise.all([challengeOf(), challengeOf(), challengeOf()]);
    expect(new Set(headers).size).toBe(3);
  });

  it('says that a grant token is ignored (I5.12)', async () => {
    const answer = await rig.ask(path, { headers: { 'x-svc-grant-token': 'ii1.abc.def' } });
    expect(answer.status).toBe(402);
    expect(answer.json()['detail']).toContain('the grant token was ignored');
  });

  it('never appears on the other family, whose credential is refused here (P4.7, X65)', async () => {
    const other = await rig.ask('/v1/covenant-stress/MSTR');
    expect(other.headers.get('www-authenticate')).toBeUndefined();
    expect(other.headers.has('payment-required')).toBe(true);
    const crossed = await rig.ask(path, { headers: { 'payment-signature': 'AAAA' } });
    expect(crossed.json()).toMatchObject({ status: 400, code: 'wrong_payment_rail', expected_rail: 'mpp' });
    const back = await pay(await signed(), '/v1/covenant-stress/MSTR');
    expect(back.json()).toMatchObject({ status: 400, code: 'wrong_payment_rail', expected_rail: 'x402' });
    expect(sends()).toBe(0);
  });

  it('is 503 where the family is off, paid or not; keys and the other family go on (P1.17)', async () => {
    const credential = await signed();
    await rig.close();
    rig = await paidRig();
    const release = rig.release({ sourceDate: '2026-02-07' });
    rig.promote(release, { '2026-02-07': release });
    for (const answer of [await rig.ask(path), await pay(credential)]) {
      expect(answer.json()).toMatchObject({ status: 503, code: 'settlement_unavailable', rail: 'mpp' });
      expect(answer.headers.has('www-authenticate')).toBe(false);
    }
    expect((await rig.ask('/v1/covenant-stress/MSTR')).status).toBe(402);
  });

  it('settles nothing in shadow mode (I5.19)', async () => {
    const environment = {
      II_PAY_MPP_RECIPIENT: payTo,
      II_PAY_MPP_CURRENCY: currency,
      II_PAY_MPP_CHAIN_ID: '1337',
      II_PAY_MPP_RPC_URL: node.url,
      II_PAY_MPP_SECRET: secret,
      II_PAY_SHADOW: 'on',
    };
    await rig.close();
    rig = await paidRig({ clock: { nowMs: Date.now() }, runLibrary, environment });
    const release = rig.release({ sourceDate: '2026-02-07' });
    rig.promote(release, { '2026-02-07': release });
    expect((await pay(await signed())).json()).toMatchObject({ code: 'settlement_unavailable' });
    expect(sends()).toBe(0);
  });

  it('is refused over plain HTTP (P4.8, I9.33)', async () => {
    const credential = await signed();
    const answer = await rig.ask(path, { headers: { authorization: credential }, secureTransport: false });
    expect(answer.json()).toMatchObject({ code: 'invalid_payment', reason: 'insecure_transport' });
  });
});

describe('an MPP payment', () => {
  it('is settled once and answered with its receipt (P4.4, I5.46 column mpp)', async () => {
    const answer = await pay(await signed());
    expect(answer.status).toBe(200);
    const envelope = billingEnvelope.parse(answer.json());
    expect(envelope).toMatchObject({
      billing_mode: 'mpp',
      billing_status: 'charged',
      payment_status: 'mpp_credential',
      cost_usd: 0.1,
      credits_charged: 10,
      settlement_receipt: {
        charge_status: 'settled',
        settlement_mode: 'mpp',
        provider: 'mpp',
        charged_amount_usdc: '0.100000',
        network: 'eip155:1337',
        quality_flags: [],
      },
    });
    expect(envelope.settlement_receipt.payer_identity?.toLowerCase()).toBe(
      `did:pkh:eip155:1337:${buyer.address}`,
    );
    const receipt = result(answer.headers.get('payment-receipt'));
    expect(receipt).toEqual({
      method: 'tempo',
      reference: envelope.settlement_receipt.settlement_tx_hash,
      status: 'success',
      timestamp: new Date(rig.clock.nowMs).toISOString(),
    });
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    expect(answer.headers.has('payment-response')).toBe(false);
    expect(answer.headers.has('www-authenticate')).toBe(false);
    expect(node.taken(payTo)).toBe(100_000n);
    const journal = await rig.ledger.journal(envelope.settlement_receipt.receipt_id);
    expect(journal.map((row) => row.to)).toEqual(['authorized', 'submitted', 'settled']);
    await balanced();
  });

  it('gives the payload of its twin, byte for byte (I4.M.2)', async () => {
    const wallet = testWallet(11);
    rig.facilitator.balances.set(wallet.address, 1_000_000n);
    const twinPath = '/v1/covenant-stress/MSTR';
    const twin = await rig.ask(twinPath, {
      headers: { 'payment-signature': await rig.pay(wallet, twinPath) },
    });
    const answer = await pay(await signed());
    const payload = ({ bytes, headers }: typeof answer) =>
      bytes.subarray(0, Number(headers.get('x-payload-length')));
    expect(payload(answer).equals(payload(twin))).toBe(true);
    expect(payload(answer).length).toBeGreaterThan(100);
    const facts = (one: typeof answer) => one.json()['response_metadata'] as Record<string, unknown>;
    expect(facts(answer)['payload_sha256']).toBe(facts(twin)['payload_sha256']);
    expect(facts(answer)['route_uri']).toBe('GET /mpp/v1/covenant-stress/{ticker}');
  });

  it('is served again with one transfer, after its challenge and its secret too (X27, P4.17)', async () => {
    const credential = await signed();
    const first = (await pay(credential)).json()['settlement_receipt'];
    rig.clock.nowMs += 3_600_000;
    const again = await pay(credential);
    expect(again.status).toBe(200);
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect(again.headers.get('payment-receipt')).toBeDefined();
    expect(again.json()['settlement_receipt']).toMatchObject({
      ...(first as object),
      quality_flags: ['replayed'],
    });
    expect(sends()).toBe(1);
    await balanced();
  });

  it('outlives the rotation of its secret, and once settled also the loss of it (P4.19, I5.26)', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'issuer-mpp-'));
    const environment = {
      II_PAY_MPP_RECIPIENT: payTo,
      II_PAY_MPP_CURRENCY: currency,
      II_PAY_MPP_CHAIN_ID: '1337',
      II_PAY_MPP_RPC_URL: node.url,
    };
    const credential = await signed();
    const restart = async (secrets: Record<string, string>) => {
      await rig.close();
      rig = await paidRig({
        clock: { nowMs: Date.now() },
        runLibrary,
        ledgerPath: join(folder, 'ledger.db'),
        environment: { ...environment, ...secrets },
      });
      const release = rig.release({ sourceDate: '2026-02-07' });
      rig.promote(release, { '2026-02-07': release });
    };
    await restart({ II_PAY_MPP_SECRET: 'n'.repeat(32), II_PAY_MPP_SECRET_PREVIOUS: secret });
    expect((await pay(credential)).status).toBe(200);
    await restart({ II_PAY_MPP_SECRET: 'o'.repeat(32) });
    const replay = await pay(credential);
    expect([replay.status, replay.headers.get('idempotent-replay')]).toEqual([200, 'true']);
    const unpaid = await buyer.sign(await challengeOf());
    await restart({ II_PAY_MPP_SECRET: 'p'.repeat(32) });
    expect((await pay(unpaid)).json()).toMatchObject({
      code: 'invalid_challenge',
      reason: 'not_issued_here',
    });
    expect(sends()).toBe(1);
    rmSync(folder, { recursive: true });
  });

  it('opens one answer when it comes ten times at once (X21)', async () => {
    const credential = await signed();
    const answers = await Promise.all(Array.from({ length: 10 }, () => pay(credential)));
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 10 }, () => 200));
    const ids = answers.map(
      (answer) => (answer.json()['settlement_receipt'] as { receipt_id: string }).receipt_id,
    );
    expect(new Set(ids).size).toBe(1);
    expect(node.taken(payTo)).toBe(100_000n);
    await balanced();
  });

  it('opens no other route, query or issuer, before and after it was used (A5.17, S4)', async () => {
    const credential = await signed();
    const others = ['/mpp/v1/covenant-stress/MARA', `${path}?source_date=2026-02-07`, '/mpp/v1/readiness'];
    for (const other of others) {
      const answer = await pay(credential, other);
      expect(answer.json(), other).toMatchObject({
        status: 402,
        code: 'invalid_challenge',
        type: 'https://paymentauth.org/problems/invalid-challenge',
      });
      expect(answer.headers.get('www-authenticate')).toMatch(/^Payment id=/);
    }
    expect((await pay(credential)).status).toBe(200);
    for (const other of others) {
      const answer = await pay(credential, other);
      expect(answer.json(), other).toMatchObject({ status: 409, code: 'payment_nonce_reused' });
      expect(answer.headers.has('www-authenticate')).toBe(false);
    }
    expect(sends()).toBe(1);
  });

  it('pays one challenge: the same transaction under another is refused (P8.22a)', async () => {
    const credential = await signed();
    expect((await pay(credential)).status).toBe(200);
    const later = await challengeOf();
    const laterValue = (name: string) => new RegExp(`${name}="([^"]+)"`).exec(later)?.[1];
    const other = alteredCredential(credential, ({ challenge }) => {
      for (const name of ['id', 'expires']) challenge[name] = laterValue(name);
    });
    expect((await pay(other)).json()).toMatchObject({
      status: 402,
      code: 'payment_verification_failed',
      error_reason: 'memo_is_not_bound_to_this_challenge',
    });
    expect(sends()).toBe(1);
  });

  it('serves the copy of a credential that was settled while the chain looked at it (S9, X21)', async () => {
    node.balances.set(buyer.address, 100_000n);
    const credential = await signed();
    expect((await pay(credential)).status).toBe(200);
    // the copy looked its claim up before there was one; now the payer's balance is gone
    vi.spyOn(rig.ledger, 'findClaim').mockResolvedValueOnce(null);
    const copy = await pay(credential);
    expect(copy.status).toBe(200);
    expect(copy.headers.get('idempotent-replay')).toBe('true');
    expect(sends()).toBe(1);
    await balanced();
  });
});
