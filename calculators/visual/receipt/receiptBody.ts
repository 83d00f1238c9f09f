import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type CanonicalValue, canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import faces from '../type/faces/hash.json' with { type: 'json' };

/** SHA-256 of a text's UTF-8 bytes, in hex. */
export function textHash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** SHA-256 of the RFC 8785 form, in hex (I4.VIS.9). */
export function jsonHash(value: CanonicalValue): string {
  return textHash(canonicalJson(value));
}

/** What a picture's bytes depend on beside its contract; a change that moves a byte bumps its owner (V22). */
export const visualVersions = {
  renderer_version: 'ii-visual-1.0',
  layout_engine_version: 'ii-layout-1.0',
  font_metrics_version: `plex-5.3.0-${faces.sha256.slice(0, 8)}`,
} as const;
