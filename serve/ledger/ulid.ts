import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_DIGITS = 10;
const DIGITS = 26;
const LAST_TIME = 2 ** 48 - 1;
const POOL_BYTES = 4096;

/**
 * Makes ULIDs of 26 Crockford base32 characters (I1.20) that strictly grow within this generator: inside one
 * millisecond, or when the clock steps back, the last one is counted up (P8.23, S37).
 *
 * `fillRandom` defaults to node:crypto. The returned function throws RangeError when the clock is outside the
 * 48 bits of a ULID.
 */
export function ulidGenerator(o: {
  nowMs: () => number;
  fillRandom?: (bytes: Uint8Array) => void;
}): () => string {
  const fillRandom = o.fillRandom ?? randomFillSync;
  const digits = new Uint8Array(DIGITS);
  const pool = new Uint8Array(POOL_BYTES);
  let used = POOL_BYTES;
  let lastMs = Number.NEGATIVE_INFINITY;
  // inside a millisecond only the last digits change, so the text before them is made once
  const lastTwo = [...ALPHABET].flatMap((left) => [...ALPHABET].map((right) => left + right));
  let head = '';
  let stale = true;

  function startMillisecond(ms: number): void {
    if (!Number.isInteger(ms) || ms < 0 || ms > LAST_TIME) throw new RangeError(`no ULID for the time ${ms}`);
    lastMs = ms;
    stale = true;
    let rest = ms;
    for (let i = TIME_DIGITS - 1; i >= 0; i -= 1) {
      digits[i] = rest % 32;
      rest = Math.floor(rest / 32);
    }
    if (used + DIGITS - TIME_DIGITS > POOL_BYTES) {
      fillRandom(pool);
      used = 0;
    }
    // five random bits a digit: a byte each wastes three and needs no shifting
    for (let i = TIME_DIGITS; i < DIGITS; i += 1) digits[i] = (pool[used++] ?? 0) & 31;
  }

  function countUp(): void {
    for (let i = DIGITS - 1; i >= TIME_DIGITS; i -= 1) {
      const digit = digits[i] ?? 0;
      if (digit < 31) {
        digits[i] = digit + 1;
        if (i < DIGITS - 2) stale = true;
        return;
      }
      digits[i] = 0;
    }
    // all 80 random bits were ones: borrow the next millisecond
    startMillisecond(lastMs + 1);
  }

  return () => {
    const now = o.nowMs();
    if (now > lastMs || Number.isNaN(now)) startMillisecond(now);
    else countUp();
    if (stale) {
      head = '';
      for (let i = 0; i < DIGITS - 2; i += 1) head += ALPHABET[digits[i] ?? 0];
      stale = false;
    }
    return head + lastTwo[(digits[DIGITS - 2] ?? 0) * 32 + (digits[DIGITS - 1] ?? 0)];
  };
}
