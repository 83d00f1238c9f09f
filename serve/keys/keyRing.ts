import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApiKeyRecord, KeyAdmin, KeyScope, LedgerLog, LedgerTime } from '../ledger/port/ledger.ts';
import { steadyClock } from '../steadyClock.ts';

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

/** How often the map is read again, and how often the last use of a key may be written (P6.3, P6.5). */
export const keyRingBounds = {
  // the reading has to end within the 5 s in which a revocation takes effect
  refreshMs: 4500,
  // after one that failed
  againMs: 250,
  // what was read before may hold a key that is revoked by now
  oldestMs: 5000,
  lastUsedMs: 60_000,
} as const;

/**
 * What a presented key came to. `invalid` covers wrong, unknown, expired and revoked alike (P6.4); `unread`: the keys
 * could not be read for 5 s, so this one may have been revoked meanwhile (P6.3).
 */
export type KeyCheck =
  | {
      readonly kind: 'valid';
      readonly keyId: string;
      readonly label: string;
      readonly scopes: readonly KeyScope[];
    }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'unread' };

/** The work of one check, apart so that a test can count it (S15). */
export type SecretWork = {
  hash(salt: Uint8Array, secret: Uint8Array): Uint8Array;
  equal(a: Uint8Array, b: Uint8Array): boolean;
};

/** The API keys of the ledger, in memory for the request path. */
export type KeyRing = {
  /** Reads the keys and keeps reading them. */
  start(): Promise<void>;
  /** Stops reading and hands the last uses over. */
  stop(): void;
  /** Reads the keys now; a failure keeps the ones known and is logged. */
  refresh(): Promise<void>;
  check(presented: string): KeyCheck;
};

type Known = {
  readonly record: ApiKeyRecord;
  readonly valid: Extract<KeyCheck, { kind: 'valid' }>;
};

const invalid: KeyCheck = { kind: 'invalid' };
const unread: KeyCheck = { kind: 'unread' };

/**
 * Builds the check of API keys (P6.3): look-up in memory, one hash, one constant-time comparison. An unknown id
 * is hashed against a dummy row and fails the same way; expiry is evaluated on every check; a revocation takes
 * effect with the next reading, and no reading serves longer than 5 s from its begin.
 */
export function keyRing(input: {
  keys: Pick<KeyAdmin, 'records' | 'noteUsed' | 'onChange'>;
  time: LedgerTime;
  log: LedgerLog;
  work?: SecretWork;
}): KeyRing {
  const work = input.work ?? { hash: hashSecret, equal: timingSafeEqual };
  const dummy = { salt: randomBytes(16), secretHash: randomBytes(32) };
  const nowMs = steadyClock(() => input.time.nowMs());
  let known = new Map<string, Known>();
  const usedMs = new Map<string, number>();
  let lastNotedMs = 0;
  let running = false;
  let tooOld = false;
  let begun = 0;
  let taken = 0;
  let cancelRefresh = () => {};
  let cancelTooOld = () => {};
  let stopListening = () => {};

  async function refresh(): Promise<boolean> {
    begun += 1;
    const reading = begun;
    let late = false;
    const cancel = input.time.after(keyRingBounds.oldestMs, () => {
      late = true;
      if (running && taken === reading) tooOld = true;
    });
    try {
      const records = await input.keys.records();
      // a reading that began later has come already, and knows more
      if (reading < taken) {
        cancel();
        return true;
      }
      cancelTooOld();
      cancelTooOld = cancel;
      taken = reading;
      tooOld = running && late;
      known = new Map(records.map((record) => [record.keyId, knownOf(record)]));
      return !late;
    } catch (error) {
      cancel();
      const message = error instanceof Error ? error.message : 'unknown';
      input.log({ level: 'error', event: 'api_keys_not_read', fields: { message } });
      return false;
    }
  }

  function noteUsed(): void {
    if (usedMs.size === 0) return;
    input.keys.noteUsed([...usedMs].map(([keyId, atMs]) => ({ keyId, atMs })));
    usedMs.clear();
  }

  function scheduleRefresh(afterMs: number = keyRingBounds.refreshMs): void {
    cancelRefresh = input.time.after(afterMs, async () => {
      if (input.time.nowMs() - lastNotedMs >= keyRingBounds.lastUsedMs) {
        lastNotedMs = input.time.nowMs();
        noteUsed();
      }
      const read = await refresh();
      if (running) scheduleRefresh(read ? keyRingBounds.refreshMs : keyRingBounds.againMs);
    });
  }

  return {
    refresh: async () => {
      await refresh();
    },
    start: async () => {
      running = true;
      lastNotedMs = input.time.nowMs();
      stopListening = input.keys.onChange?.(() => void refresh()) ?? stopListening;
      await refresh();
      scheduleRefresh();
    },
    stop: () => {
      running = false;
      cancelRefresh();
      cancelTooOld();
      stopListening();
      noteUsed();
    },
    check: (presented) => {
      const key = parseApiKey(presented);
      if (key === null) return invalid;
      const found = known.get(key.keyId);
      const row = found?.record ?? dummy;
      const same = work.equal(work.hash(row.salt, key.secret), row.secretHash);
      if (!same || found === undefined) return invalid;
      if (tooOld) return unread;
      const now = nowMs();
      const { revokedMs, expiresMs } = found.record;
      // the boundary itself is expired (X68)
      if (revokedMs !== null || (expiresMs !== null && now >= expiresMs)) return invalid;
      usedMs.set(key.keyId, now);
      return found.valid;
    },
  };
}

function knownOf(record: ApiKeyRecord): Known {
  const { keyId, label, scopes } = record;
  return { record, valid: { kind: 'valid', keyId, label, scopes } };
}
