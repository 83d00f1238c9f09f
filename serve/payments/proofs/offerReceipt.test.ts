import { generateKeyPairSync, verify } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { testWallet } from '../../../fixtures/builders/testWallet.ts';
import { type PaidRig, paidRig, payTo, signedPayment } from '../../../fixtures/rigs/paidRig.ts';
import { resultOf, toolClient } from '../../../fixtures/rigs/toolCalls.ts';
import { openProofKey } from '../../keys/proofKey.ts';
import { offerSigner } from './signedOffers.ts';

// what a buyer may show to others: signed offers in a challenge, a signed receipt in a settlement (P2.57)

type Json = Readonly<Record<string, unknown>>;
const path = '/v1/covenant-stress/MSTR';
const wallet = testWallet(91);
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
let root: string;
let keyFile: string;
let rig: PaidRig;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'issuer-proof-'));
  keyFile = join(root, 'proof.pem');
  writeFileSync(keyFile, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
});
afterAll(() => rmSync(root, { recursive: true }));
afterEach(async () => rig?.close());

async function server(environment: Readonly<Record<string, string>> = {}): Promise<PaidRig> {
  rig = await paidRig({ environment: { II_PAY_PROOF_KEY_FILE: keyFile, ...environment } });
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
  rig.facilitator.balances.set(wallet.address, 10_000_000n);
  return rig;
}

/** The payload of a JWS, once its signature is good. */
function opened(jws: string): Json {
  const [header = '', payload = '', signature = ''] = jws.split('.');
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
    alg: 'EdDSA',
    kid: `did:web:127.0.0.1%3A8402#${openProofKey({ path: keyFile, baseUrl: 'http://127.0.0.1:8402' }).published.keyId}`,
  });
  expect(
    verify(null, Buffer.from(`${header}.${payload}`), publicKey, Buffer.from(signature, 'base64url')),
  ).toBe(true);
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Json;
}

type Offers = { info: { offers: { format: string; acceptIndex: number; signature: string }[] } };
type Receipt = { info: { receipt: { format: string; signature: string } } };
const decoded = (header: string | null | undefined): Json & { extensions: { 'offer-receipt': unknown } } =>
  JSON.parse(Buffer.from(String(header), 'base64').toString('utf8'));

describe('signed offers', () => {
  it('commit to each entry of a challenge, for longer than five minutes and not more than ten', async () => {
    await server();
    const challenge = (await rig.ask(path)).json() as ReturnType<typeof decoded>;
    const accepts = challenge['accepts'] as { network: string; asset: string; amount: string }[];
    const { offers } = (challenge.extensions['offer-receipt'] as Offers).info;
    expect(offers.map(({ format, acceptIndex }) => [format, acceptIndex])).toEqual([
      ['jws', 0],
      ['jws', 1],
    ]);
    for (const { acceptIndex, signature } of offers) {
      const { network, asset, amount } = accepts[acceptIndex] ?? { network: '', asset: '', amount: '' };
      expect(opened(signature)).toEqual({
        version: 1,
        resourceUrl: `http://127.0.0.1:8402${path}`,
        scheme: 'exact',
        network,
        asset,
        payTo,
        amount,
        // the clock is at 10:00
        validUntil: Date.parse('2026-02-07T10:10:00Z') / 1000,
      });
    }
  });

  it('are shown until full five minutes are over, and then signed anew', async () => {
    await server();
    const validity = async (): Promise<unknown> => {
      const { extensions } = (await rig.ask(path)).json() as ReturnType<typeof decoded>;
      return opened((extensions['offer-receipt'] as Offers).info.offers[0]?.signature ?? '')['validUntil'];
    };
    const first = await validity();
    rig.advance(299_999);
    expect(await validity()).toBe(first);
    rig.advance(1);
    expect(await validity()).toBe(Number(first) + 300);
  });

  it('are in the header too where it has room for them (P2.6)', async () => {
    await server({ II_PAY_BAZAAR: 'off' });
    const unpaid = await rig.ask(path);
    const { extensions } = decoded(unpaid.headers.get('payment-required'));
    expect(extensions).toEqual((unpaid.json() as { extensions: unknown }).extensions);
    expect(extensions['offer-receipt']).toBeDefined();
  });

  it('sign a payload once in that time, however often it is asked for', () => {
    let count = 0;
    const sign = offerSigner({ jws: () => `signed ${++count}` });
    const accepts = [{ scheme: 'exact', network: 'n', asset: 'a', payTo: 'p', amount: '1' }] as never;
    for (let i = 0; i < 1000; i++) sign({ resourceUrl: 'u', accepts, nowMs: i });
    expect(count).toBe(1);
    sign({ resourceUrl: 'u', accepts, nowMs: 300_000 });
    expect(count).toBe(2);
  });

  it('stand in the challenge of a tool call as well', async () => {
    await server();
    const { structuredContent } = resultOf(
      await toolClient(rig.ask).call('intel_readiness', {}, { 'mcp-protocol-version': '2025-11-25' }),
    );
    const { info } = (structuredContent['extensions'] as Json)['offer-receipt'] as Offers;
    expect(opened(info.offers[0]?.signature ?? '')).toMatchObject({
      resourceUrl: 'http://127.0.0.1:8402/mcp',
      amount: '40000',
    });
  });
});

describe('a signed receipt', () => {
  it('says who paid for what, and is the same when the same payment comes again', async () => {
    await server();
    const header = await rig.pay(wallet, path);
    const [first, again] = [
      await rig.ask(path, { headers: { 'payment-signature': header } }),
      await rig.ask(path, { headers: { 'payment-signature': header } }),
    ];
    const response = decoded(first.headers.get('payment-response'));
    const { receipt } = (response.extensions['offer-receipt'] as Receipt).info;
    expect(opened(receipt.signature)).toEqual({
      version: 1,
      network: 'eip155:8453',
      resourceUrl: `http://127.0.0.1:8402${path}`,
      payer: response['payer'],
      issuedAt: Date.parse('2026-02-07T10:00:00Z') / 1000,
      transaction: response['transaction'],
    });
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect(again.headers.get('payment-response')).toBe(first.headers.get('payment-response'));
  });

  it('is in the metadata of a paid tool call', async () => {
    await server();
    const client = toolClient(rig.ask);
    const revision = { 'mcp-protocol-version': '2025-11-25' };
    const { structuredContent } = resultOf(await client.call('intel_readiness', {}, revision));
    const text = signedPayment(wallet, structuredContent as never, { nowMs: rig.clock.nowMs });
    const meta = { 'x402/payment': JSON.parse(Buffer.from(text, 'base64').toString('utf8')) };
    const paid = resultOf(await client.call('intel_readiness', {}, revision, meta));
    const response = paid._meta?.['x402/payment-response'] as Json & { extensions: Json };
    const { receipt } = (response.extensions['offer-receipt'] as Receipt).info;
    expect(opened(receipt.signature)).toMatchObject({
      resourceUrl: 'http://127.0.0.1:8402/mcp',
      payer: response['payer'],
    });
  });
});

describe('the key of proofs', () => {
  it('is taken from a file of its owner alone, named by its variable when it is none, and never shown', async () => {
    const baseUrl = 'https://api.example.com';
    const details = { variable: 'II_PAY_PROOF_KEY_FILE' };
    const failing = expect.objectContaining({ code: 'configuration', details });
    expect(() => openProofKey({ path: join(root, 'nowhere'), baseUrl })).toThrow(failing);
    const other = join(root, 'other.pem');
    writeFileSync(other, 'abandon abandon', { mode: 0o600 });
    expect(() => openProofKey({ path: other, baseUrl })).toThrow(failing);
    chmodSync(other, 0o644);
    expect(() => openProofKey({ path: other, baseUrl })).toThrow('others may read');
    const { x = '' } = publicKey.export({ format: 'jwk' });
    const { published } = openProofKey({ path: keyFile, baseUrl });
    expect(Buffer.from(published.publicKey, 'base64')).toEqual(Buffer.from(x, 'base64url'));
  });

  it('is not needed: without one a challenge has no offers, and a settlement no receipt', async () => {
    await server({ II_PAY_PROOF_KEY_FILE: '' });
    const challenge = decoded((await rig.ask(path)).headers.get('payment-required'));
    expect(Object.keys(challenge.extensions)).toEqual(['payment-identifier', 'bazaar']);
    const header = await rig.pay(wallet, path);
    const paid = await rig.ask(path, { headers: { 'payment-signature': header } });
    expect(decoded(paid.headers.get('payment-response'))).not.toHaveProperty('extensions');
  });
});
