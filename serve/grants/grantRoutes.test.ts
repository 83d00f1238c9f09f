import { expect, it } from 'vitest';
import { testWallet } from '../../fixtures/builders/testWallet.ts';
import { loadSignatureBackend } from '../evm/recoverSigner.ts';
import { drawNonce, personalDigest, signedByWallet } from './grantRoutes.ts';

it('hashes a message as every wallet does (EIP-191)', () => {
  // the example of the Ethereum JSON-RPC and web3.js documentation: hashMessage("Hello World"), "Some data"
  expect(Buffer.from(personalDigest('Hello World')).toString('hex')).toBe(
    'a1de988600a42c4b4ab089b619297c17d53cffae5d5120d82d8a92d0bb3b78f2',
  );
  expect(Buffer.from(personalDigest('Some data')).toString('hex')).toBe(
    '1da44b586eb0729ff70a73c326926f6ed5a25f5b056e7f47fbc6e58d86871655',
  );
});

it('knows the wallet that signed, and no other', () => {
  const [wallet, other] = [testWallet(1), testWallet(2)];
  const message = 'line one\nline twö';
  const signature = wallet.signDigest(personalDigest(message));
  const backend = loadSignatureBackend();
  expect(signedByWallet({ message, signature, wallet: wallet.address }, backend)).toBe(true);
  expect(signedByWallet({ message, signature, wallet: other.address }, backend)).toBe(false);
  expect(signedByWallet({ message: `${message} `, signature, wallet: wallet.address }, backend)).toBe(false);
  const v = `${signature.slice(0, -2)}1d`;
  expect(signedByWallet({ message, signature: v, wallet: wallet.address }, backend)).toBe(false);
});

it('draws nonces of 24 letters and digits, each value of a byte equally likely (I5.37)', () => {
  expect(drawNonce()).toMatch(/^[A-Za-z0-9]{24}$/);
  let next = 0;
  // 248 to 255 would favour the first eight letters: they are drawn again
  const nonce = drawNonce((bytes) => Uint8Array.from({ length: bytes }, () => (next++ % 2 === 0 ? 255 : 61)));
  expect(nonce).toBe('9'.repeat(24));
});
