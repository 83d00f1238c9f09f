import { bytesOfHex } from '../evm/hex.ts';
import { keccak256 } from '../evm/keccak256.ts';
import { recoverSigner, type SignatureBackend } from '../evm/recoverSigner.ts';

/** What a wallet signs for `personal_sign` (EIP-191, version 0x45): prefix, byte length, message. */
export function personalDigest(message: string): Uint8Array {
  const bytes = Buffer.from(message, 'utf8');
  return keccak256(Buffer.concat([Buffer.from(`\u0019Ethereum Signed Message:\n${bytes.length}`), bytes]));
}

/**
 * True when a wallet's own key signed a message: 65 bytes, `v` of 0, 1, 27 or 28, `s` in the lower half (P7.4, S7).
 * Signatures of contract wallets are not taken.
 */
export function signedByWallet(
  input: { readonly message: string; readonly signature: string; readonly wallet: string },
  backend: SignatureBackend,
): boolean {
  const signature = Uint8Array.from(bytesOfHex(input.signature));
  const v = signature[64];
  if (v === 0 || v === 1) signature[64] = v + 27;
  return recoverSigner({ signature, digest: personalDigest(input.message) }, backend) === input.wallet;
}
