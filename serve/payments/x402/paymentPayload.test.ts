import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { claimKeyOf, decodePayment, payloadHashOf } from './paymentPayload.ts';

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const good = {
  x402Version: 2,
  accepted: {
    scheme: 'exact',
    network: 'eip155:8453',
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    amount: '100000',
    payTo: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    maxTimeoutSeconds: 60,
    extra: { name: 'USD Coin', version: '2' },
  },
  payload: {
    signature: `0x${'AB'.repeat(65)}`,
    authorization: {
      from: address,
      to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
      value: '100000',
      validAfter: '0',
      validBefore: '1795236568',
      nonce: `0x${'CD'.repeat(32)}`,
    },
  },
};
const encoded = (text: string | Uint8Array) => Buffer.from(text).toString('base64');
const reasonOf = (base64: string): unknown => {
  try {
    decodePayment(base64);
    return null;
  } catch (error) {
    if (error instanceof IssuerError && error.code === 'invalid_payment') return error.details['reason'];
    throw error;
  }
};

describe('decodePayment', () => {
  it('reads the payment of P2.8 and writes everything in lower case (P0.3)', () => {
    const payload = decodePayment(encoded(JSON.stringify(good)));
    expect(payload.authorization).toEqual({
      from: address.toLowerCase(),
      to: good.accepted.payTo.toLowerCase(),
      value: 100_000n,
      validAfter: 0n,
      validBefore: 1_795_236_568n,
      nonce: `0x${'cd'.repeat(32)}`,
    });
    expect(payload.signature).toBe(`0x${'ab'.repeat(65)}`);
  });

  it('answers any bytes with a payment or invalid_payment, and with nothing else (X58, S19)', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.uint8Array({ maxLength: 400 }).map(encoded), fc.json().map(encoded)),
        (header) => {
          expect(reasonOf(header)).not.toBeNull();
        },
      ),
      { numRuns: 500 },
    );
  });

  it('stays with one meaning under any change of one member (X58, X64)', () => {
    const paths = [
      'x402Version',
      'accepted',
      'payload',
      'signature',
      'authorization',
      'from',
      'nonce',
      'value',
    ];
    const values = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('１', '0x', '-1', '1e3', '01', `0x${'g'.repeat(40)}`),
    );
    fc.assert(
      fc.property(fc.constantFrom(...paths), values, (name, value) => {
        const text = JSON.stringify(good, (key, found) => (key === name ? value : found));
        const reason = reasonOf(encoded(text));
        const kept =
          ['value'].includes(name) && typeof value === 'string' && /^(0|[1-9]\d{0,77})$/.test(value);
        if (!kept && value !== 2) expect(reason).not.toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['a repeated member', '{"x402Version":2,"x402Version":2}', 'not_json'],
    ['a repeated member in disguise', '{"x402Version":2,"x\\u003402Version":2}', 'not_json'],
    ['a depth bomb', `${'['.repeat(200_000)}`, 'too_complex'],
    ['nine levels below the payment', `${'{"a":'.repeat(10)}1${'}'.repeat(10)}`, 'too_complex'],
    [
      'eight levels below something that is no payment',
      `${'{"a":'.repeat(9)}1${'}'.repeat(9)}`,
      'x402_version',
    ],
    [
      'sixty-five members',
      JSON.stringify(Object.fromEntries([...Array(65)].map((_, i) => [i, i]))),
      'too_complex',
    ],
    ['sixty-five elements', JSON.stringify([...Array(65).keys()]), 'too_complex'],
    ['an array', '[]', 'bad_payment'],
    ['null', 'null', 'bad_payment'],
    ['trailing text', `${JSON.stringify(good)}x`, 'not_json'],
  ])('refuses %s', (_, text, reason) => {
    expect(reasonOf(encoded(text))).toBe(reason);
  });

  it('refuses bytes that are no UTF-8, and a byte order mark', () => {
    expect(reasonOf(encoded(new Uint8Array([0xff, 0xfe, 0x7b])))).toBe('not_utf8');
    expect(reasonOf(encoded(`\ufeff${JSON.stringify(good)}`))).toBe('not_json');
  });

  it('takes no harm from names of the object prototype (S19)', () => {
    const text = JSON.stringify(good).replace('{', '{"__proto__":{"x402Version":1},"constructor":1,');
    expect(reasonOf(encoded(text))).toBeNull();
    expect(({} as Record<string, unknown>)['x402Version']).toBeUndefined();
  });
});

describe('the identity of an authorization', () => {
  it('is SHA-256 over the RFC 8785 form with addresses in lower case (I5.23, P8.20)', () => {
    const { authorization } = decodePayment(encoded(JSON.stringify(good)));
    const asset = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
    const key = claimKeyOf(authorization, { network: 'eip155:8453', asset, verifyingContract: asset });
    const form =
      '{"asset":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","from":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8",' +
      `"network":"eip155:8453","nonce":"0x${'cd'.repeat(32)}","rail":"x402",` +
      '"verifying_contract":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"}';
    expect(Buffer.from(key).toString('hex')).toBe(createHash('sha256').update(form).digest('hex'));
  });

  it('of the whole payment changes with its signature and not with its spelling (P8.31, P2.33)', () => {
    const one = decodePayment(encoded(JSON.stringify(good)));
    const spelled = decodePayment(encoded(JSON.stringify(good, null, 2)));
    const other = { ...one, signature: `0x${'ac'.repeat(65)}` };
    expect(payloadHashOf(spelled)).toEqual(payloadHashOf(one));
    expect(payloadHashOf(other)).not.toEqual(payloadHashOf(one));
  });
});
