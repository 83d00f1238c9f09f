import { hash, randomBytes } from 'node:crypto';

const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
// 43 digits carry two bits more than 32 bytes: only the spelling with both zero is the key
const presentedKey = /^iik_([A-Z2-7]{10})_([A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])$/;
export const keyIdPattern = /^[A-Z2-7]{10}$/;
const saltBytes = 16;
const secretBytes = 32;

/** A key as its holder presents it: the id is public, the 32 secret bytes are not. */
export type PresentedKey = { readonly keyId: string; readonly secret: Uint8Array };

/** A new key: `text` is shown once and stored nowhere, `salt` and `secretHash` are stored (P6.1). */
export type IssuedKey = {
  readonly text: string;
  readonly keyId: string;
  readonly salt: Uint8Array;
  readonly secretHash: Uint8Array;
};

/** Draws a key `iik_<10 base32>_<43 base64url>` of 50 id bits and 256 secret bits (I5.5, P6.1). */
export function issueApiKey(input: { random?: (bytes: number) => Uint8Array } = {}): IssuedKey {
  const random = input.random ?? randomBytes;
  let keyId = '';
  for (const byte of random(10)) keyId += base32Alphabet[byte & 31];
  const secret = random(secretBytes);
  const salt = random(saltBytes);
  const text = `iik_${keyId}_${Buffer.from(secret).toString('base64url')}`;
  return { text, keyId, salt, secretHash: hashSecret(salt, secret) };
}

/** Reads a presented key; null for anything but the one spelling of P1.9, which is never repaired. */
export function parseApiKey(text: string): PresentedKey | null {
  const match = presentedKey.exec(text);
  const keyId = match?.[1];
  const encoded = match?.[2];
  if (keyId === undefined || encoded === undefined) return null;
  return { keyId, secret: Buffer.from(encoded, 'base64url') };
}

/** SHA-256(salt ‖ secret bytes) (P6.1). */
export function hashSecret(salt: Uint8Array, secret: Uint8Array): Uint8Array {
  return hash('sha256', Buffer.concat([salt, secret]), 'buffer');
}
