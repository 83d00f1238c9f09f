import { getHashes, hash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';

// the runtime's own OpenSSL has Keccak and is five times faster; a runtime linked to another one may not have it
const native = getHashes().includes('keccak-256');

/** Keccak-256 with the padding of Ethereum, not of SHA-3 (FIPS 202 came later). */
export const keccak256: (bytes: Uint8Array) => Uint8Array = native
  ? (bytes) => hash('keccak-256', bytes, 'buffer')
  : keccak_256;
