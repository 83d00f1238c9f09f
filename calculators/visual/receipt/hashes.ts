import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type CanonicalValue, canonicalJson } from '../../../data/contract/values/canonicalJson.ts';

/** SHA-256 of a text's UTF-8 bytes, in hex. */
export function textHash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** SHA-256 of the RFC 8785 form, in hex (I4.VIS.9). */
export function jsonHash(value: CanonicalValue): string {
  return textHash(canonicalJson(value));
}
