import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import { hashTypedData } from 'viem';
import { describe, expect, it } from 'vitest';
import { testWallet } from '../../fixtures/builders/testWallet.ts';
import { bytesOfHex, checksumAddress, hexOfBytes, keccak256 } from './ethereumBytes.ts';
import { loadSignatureBackend, nobleBackend, recoverSigner } from './recoverSigner.ts';
import { domainSeparator, type SigningDomain, transferDigest } from './transferDigest.ts';

const usdc: SigningDomain = {
  name: 'USD Coin',
  version: '2',
  chainId: 8453n,
  verifyingContract: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
};
const gateway: SigningDomain = {
  name: 'GatewayWalletBatched',
  version: '1',
  chainId: 8453n,
  verifyingContract: '0x77777777dcc4d5a8b6e418fd04d8997ef11000ee',
};
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const uint256 = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n });
const transfers = fc.record({
  from: bytes(20).map(hexOfBytes),
  to: bytes(20).map(hexOfBytes),
  value: uint256,
  validAfter: uint256,
  validBefore: uint256,
  nonce: bytes(32).map(hexOfBytes),
});

describe('Keccak-256', () => {
  it('hashes the empty text as Ethereum does, in both implementations', () => {
    const empty = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';
    expect(hexOfBytes(keccak256(new Uint8Array(0)))).toBe(empty);
    expect(hexOfBytes(keccak_256(new Uint8Array(0)))).toBe(empty);
  });

  it('names the type hash of EIP-3009', () => {
    const type =
      'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)';
    expect(hexOfBytes(keccak256(Buffer.from(type)))).toBe(
      '0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267',
    );
  });
});

describe('checksumAddress', () => {
  it('spells the examples of EIP-55', () => {
    for (const spelled of [
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
      '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
      '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    ]) {
      expect(checksumAddress(spelled.toLowerCase())).toBe(spelled);
    }
  });
});

describe('transferDigest', () => {
  it('equals the typed-data hash of an independent library (EIP-712)', () => {
    fc.assert(
      fc.property(transfers, fc.constantFrom(usdc, gateway), (transfer, domain) => {
        const expected = hashTypedData({
          domain: {
            ...domain,
            chainId: Number(domain.chainId),
            verifyingContract: domain.verifyingContract as `0x${string}`,
          },
          types: {
            TransferWithAuthorization: [
              { name: 'from', type: 'address' },
              { name: 'to', type: 'address' },
              { name: 'value', type: 'uint256' },
              { name: 'validAfter', type: 'uint256' },
              { name: 'validBefore', type: 'uint256' },
              { name: 'nonce', type: 'bytes32' },
            ],
          },
          primaryType: 'TransferWithAuthorization',
          message: transfer as never,
        });
        expect(hexOfBytes(transferDigest(domain)(transfer))).toBe(expected);
      }),
      { numRuns: 50 },
    );
  });

  it('separates the domains of token and gateway (S5)', () => {
    expect(hexOfBytes(domainSeparator(usdc))).not.toBe(hexOfBytes(domainSeparator(gateway)));
  });

  it('keeps nothing of the payment before', () => {
    const digestOf = transferDigest(usdc);
    fc.assert(
      fc.property(transfers, transfers, (first, second) => {
        const alone = hexOfBytes(digestOf(first));
        digestOf(second);
        expect(hexOfBytes(digestOf(first))).toBe(alone);
      }),
      { numRuns: 50 },
    );
  });
});

describe('recoverSigner', () => {
  const native = loadSignatureBackend();
  const backends = [native, nobleBackend()];
  const wallet = testWallet(7);
  const digest = keccak256(Buffer.from('a digest'));
  const signature = bytesOfHex(wallet.signDigest(digest));

  it('has a prebuilt native binding on this platform, or says that it has not', () => {
    expect(loadSignatureBackend(() => ({})).name).toBe('noble');
    expect(
      loadSignatureBackend(() => {
        throw new Error('No native build was found');
      }).name,
    ).toBe('noble');
    if (process.platform === 'linux' && process.arch === 'x64') expect(native.name).toBe('native');
  });

  it('finds the address that signed, with either backend alike', () => {
    fc.assert(
      fc.property(bytes(32), fc.integer({ min: 1, max: 1e6 }), (message, number) => {
        const signer = testWallet(number);
        const signed = bytesOfHex(signer.signDigest(message));
        for (const backend of backends) {
          expect(recoverSigner({ signature: signed, digest: message }, backend)).toBe(signer.address);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('answers alike on any bytes', () => {
    fc.assert(
      fc.property(bytes(64), fc.constantFrom(27, 28), bytes(32), (rs, v, message) => {
        const forged = Buffer.concat([rs, Buffer.from([v])]);
        const [one, other] = backends.map((backend) =>
          recoverSigner({ signature: forged, digest: message }, backend),
        );
        expect(one).toBe(other);
      }),
      { numRuns: 100 },
    );
  });

  it('refuses what the token contract refuses: v, zero and out-of-range halves, high s, other lengths (P2.22, S7)', () => {
    const order = secp256k1.Point.Fn.ORDER;
    const word = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
    const r = signature.subarray(0, 32);
    const s = signature.subarray(32, 64);
    const highS = word(order - BigInt(hexOfBytes(s)));
    const flipped = signature[64] === 27 ? 28 : 27;
    const bad = [
      Buffer.concat([r, s, Buffer.from([0])]),
      Buffer.concat([r, s, Buffer.from([1])]),
      Buffer.concat([r, s, Buffer.from([29])]),
      Buffer.concat([word(0n), s, Buffer.from([27])]),
      Buffer.concat([r, word(0n), Buffer.from([27])]),
      Buffer.concat([word(order), s, Buffer.from([27])]),
      Buffer.concat([r, word(order), Buffer.from([27])]),
      Buffer.concat([r, highS, Buffer.from([flipped])]),
      signature.subarray(0, 64),
      Buffer.concat([signature, Buffer.from([27])]),
      Buffer.alloc(0),
    ];
    for (const backend of backends) {
      for (const forged of bad) expect(recoverSigner({ signature: forged, digest }, backend)).toBeNull();
      expect(recoverSigner({ signature, digest }, backend)).toBe(wallet.address);
    }
  });
});
