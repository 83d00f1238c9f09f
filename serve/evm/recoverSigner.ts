import { createRequire } from 'node:module';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hexOfBytes, keccak256 } from './ethereumBytes.ts';

/** Which code recovers signatures; the fallback is about twenty times slower (P2.23). */
export type SignatureBackend = {
  readonly name: 'native' | 'noble';
  /** Uncompressed public key of 65 bytes; null when no key fits. */
  recover(signature: Uint8Array, recovery: 0 | 1, digest: Uint8Array): Uint8Array | null;
};

type NativeBinding = {
  ecdsaRecover(signature: Uint8Array, recovery: number, digest: Uint8Array, compressed: boolean): Uint8Array;
};

const order = Buffer.from('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141', 'hex');
const halfOrder = Buffer.from('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0', 'hex');
const zero = Buffer.alloc(32);

/**
 * Loads the native binding by its explicit path: the package's own entry would fall back in silence to an older
 * curve library (P2.23). Where no prebuilt binary fits the platform, the audited JavaScript curve is used.
 */
export function loadSignatureBackend(
  loadNative: () => unknown = () => createRequire(import.meta.url)('secp256k1/bindings.js'),
): SignatureBackend {
  try {
    return nativeBackend(loadNative() as NativeBinding);
  } catch {
    return nobleBackend();
  }
}

function nativeBackend(binding: NativeBinding): SignatureBackend {
  if (typeof binding.ecdsaRecover !== 'function') throw new TypeError('no native binding');
  return {
    name: 'native',
    recover(signature, recovery, digest) {
      try {
        return binding.ecdsaRecover(signature, recovery, digest, false);
      } catch {
        return null;
      }
    },
  };
}

/** Recovery by `@noble/curves`. */
export function nobleBackend(): SignatureBackend {
  return {
    name: 'noble',
    recover(signature, recovery, digest) {
      try {
        const parsed = secp256k1.Signature.fromBytes(signature, 'compact').addRecoveryBit(recovery);
        return parsed.recoverPublicKey(digest).toBytes(false);
      } catch {
        return null;
      }
    },
  };
}

/**
 * Address that signed a digest, as lower-case hex; null unless the 65 bytes are a signature the token contract
 * would accept: `v` 27 or 28, `r` and `s` in range, `s` in the lower half (P2.22, S7).
 */
export function recoverSigner(
  { signature, digest }: { readonly signature: Uint8Array; readonly digest: Uint8Array },
  backend: SignatureBackend,
): string | null {
  if (signature.length !== 65) return null;
  const v = signature[64];
  if (v !== 27 && v !== 28) return null;
  const r = signature.subarray(0, 32);
  const s = signature.subarray(32, 64);
  if (Buffer.compare(r, zero) === 0 || Buffer.compare(r, order) >= 0) return null;
  if (Buffer.compare(s, zero) === 0 || Buffer.compare(s, halfOrder) > 0) return null;
  const key = backend.recover(signature.subarray(0, 64), v === 27 ? 0 : 1, digest);
  return key === null ? null : hexOfBytes(keccak256(key.subarray(1)).subarray(12));
}
