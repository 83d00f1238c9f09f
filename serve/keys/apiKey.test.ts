import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { issueApiKey, parseApiKey } from './keyRing.ts';

const fixed = (bytes: number) => new Uint8Array(bytes).fill(7);
// 32 bytes of 0x07 in base64url; base32 digit 7 is H
const fixedText = 'iik_HHHHHHHHHH_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc';

test('a key is iik_, ten base32 digits, and 43 base64url digits (I5.5)', () => {
  expect(issueApiKey({ random: fixed }).text).toBe(fixedText);
  expect(issueApiKey().text).toMatch(/^iik_[A-Z2-7]{10}_[A-Za-z0-9_-]{43}$/);
});

test('what is stored is SHA-256 over the salt and the secret bytes (P6.1)', () => {
  const issued = issueApiKey({ random: fixed });
  const expected = createHash('sha256').update(Buffer.alloc(48, 7)).digest();
  expect(Buffer.from(issued.secretHash)).toEqual(expected);
  expect(issued.salt).toHaveLength(16);
});

test('every issued key reads back as its id and 32 secret bytes', () => {
  for (let i = 0; i < 200; i += 1) {
    const issued = issueApiKey();
    const parsed = parseApiKey(issued.text);
    expect(parsed?.keyId).toBe(issued.keyId);
    expect(parsed?.secret).toHaveLength(32);
  }
});

test.each([
  '',
  'iik_',
  fixedText.slice(0, -1),
  `${fixedText}A`,
  ` ${fixedText}`,
  `${fixedText}\n`,
  fixedText.toLowerCase(),
  fixedText.replace('HHHH', 'HH1H'),
  fixedText.replace('_Bw', '_B+'),
  fixedText.replace('iik_', 'iik-'),
  // one of the unused last bits set: decodes to the same bytes and is not the key
  fixedText.replace(/c$/, 'd'),
])('refuses the spelling %j', (text) => {
  expect(parseApiKey(text)).toBeNull();
});

test('no text makes the reader throw', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((s) => `iik_${s}`),
      ),
      (text) => {
        const parsed = parseApiKey(text);
        return parsed === null || parsed.secret.length === 32;
      },
    ),
  );
});
