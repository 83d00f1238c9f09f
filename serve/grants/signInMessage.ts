import { randomBytes } from 'node:crypto';
import { grantMessageTemplate, grantSeconds } from '../../data/contract/billing/grants.ts';
import { instant } from '../../data/contract/values/instant.ts';
import { checksumAddress } from '../evm/checksumAddress.ts';

/** Where a grant session is opened; from configuration alone (P7.1, S21). */
export type SignInPlace = {
  /** Public host, as the first line shows it. */
  readonly host: string;
  readonly baseUrl: string;
  readonly chainId: number;
};

const nonceLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const nonceLength = 24;
// the largest multiple of 62 a byte can hold; what lies above would favour the first letters
const fairBytes = 248;

/** 24 random characters of `[A-Za-z0-9]`, each equally likely (I5.37). */
export function drawNonce(random: (bytes: number) => Uint8Array = randomBytes): string {
  let nonce = '';
  while (nonce.length < nonceLength) {
    for (const byte of random(nonceLength)) {
      if (byte < fairBytes && nonce.length < nonceLength) nonce += nonceLetters.charAt(byte % 62);
    }
  }
  return nonce;
}

/** The exact text to sign (I5.36), valid for 600 s from the second it is issued in. */
export function signInMessage(input: {
  place: SignInPlace;
  /** lower case */
  wallet: string;
  nonce: string;
  issuedMs: number;
}): { message: string; issuedAt: string; expiresAt: string; expiresMs: number } {
  const { host, baseUrl, chainId } = input.place;
  const issuedMs = Math.floor(input.issuedMs / 1000) * 1000;
  const expiresMs = issuedMs + grantSeconds.challenge * 1000;
  const [issuedAt, expiresAt] = [instant(issuedMs), instant(expiresMs)];
  const values: Readonly<Record<string, string>> = {
    host,
    wallet_checksum: checksumAddress(input.wallet),
    base_url: baseUrl,
    nonce: input.nonce,
    issued_at: issuedAt,
    expires_at: expiresAt,
  };
  const template = grantMessageTemplate.replace('Chain ID: 8453', `Chain ID: ${chainId}`);
  const message = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  return { message, issuedAt, expiresAt, expiresMs };
}
