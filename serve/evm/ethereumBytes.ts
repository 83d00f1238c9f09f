import { getHashes, hash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';

/** Bytes of a text of `0x` and an even number of hex digits whose syntax was checked before. */
export function bytesOfHex(hex: string): Buffer {
  return Buffer.from(hex.slice(2), 'hex');
}

/** `0x` and lower-case hex digits. */
export function hexOfBytes(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}

// the runtime's own OpenSSL has Keccak and is five times faster; a runtime linked to another one may not have it
const native = getHashes().includes('keccak-256');

/** Keccak-256 with the padding of Ethereum, not of SHA-3 (FIPS 202 came later). */
export const keccak256: (bytes: Uint8Array) => Uint8Array = native
  ? (bytes) => hash('keccak-256', bytes, 'buffer')
  : keccak_256;

/** An address in the mixed-case spelling of EIP-55, as the wire shows a payer (P2.10). Takes lower-case hex. */
export function checksumAddress(lowerCase: string): string {
  const digits = lowerCase.slice(2);
  const hash = keccak256(Buffer.from(digits, 'ascii'));
  let spelled = '0x';
  for (let i = 0; i < digits.length; i += 1) {
    const nibble = ((hash[i >> 1] ?? 0) >> (i % 2 === 0 ? 4 : 0)) & 15;
    const digit = digits.charAt(i);
    spelled += nibble >= 8 ? digit.toUpperCase() : digit;
  }
  return spelled;
}
