import { randomFillSync } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const timeDigits = 10;
const ulidLength = 26;
const lastTimeMs = 2 ** 48 - 1;
const poolBytes = 4096;

/**
 * Makes ULIDs of 26 Crockford base32 characters (I1.20) that strictly grow within this generator: inside one
 * millisecond, or when the clock steps back, the last one is counted up (P8.23, S37).
 *
 * `fillRandom` defaults to node:crypto. The returned function throws RangeError when the clock is outside the
 * 48 bits of a ULID.
 */
export function ulidGenerator(input: {
  nowMs: () => number;
  fillRandom?: (bytes: Uint8Array) => void;
}): () => string {
  const fillRandom = input.fillRandom ?? randomFillSync;
  const digits = new Uint8Array(ulidLength);
  const pool = new Uint8Array(poolBytes);
  let used = poolBytes;
  let lastMs = Number.NEGATIVE_INFINITY;
  // inside a millisecond only the last digits change, so the text before them is made once
  const lastTwo = [...alphabet].flatMap((left) => [...alphabet].map((right) => left + right));
  let head = '';
  let stale = true;

  function startMillisecond(ms: number): void {
    if (!Number.isInteger(ms) || ms < 0 || ms > lastTimeMs)
      throw new RangeError(`no ULID for the time ${ms}`);
    lastMs = ms;
    stale = true;
    let rest = ms;
    for (let i = timeDigits - 1; i >= 0; i -= 1) {
      digits[i] = rest % 32;
      rest = Math.floor(rest / 32);
    }
    if (used + ulidLength - timeDigits > poolBytes) {
      fillRandom(pool);
      used = 0;
    }
    // five random bits a digit: a byte each wastes three and needs no shifting
    for (let i = timeDigits; i < ulidLength; i += 1) digits[i] = (pool[used++] ?? 0) & 31;
  }

  function countUp(): void {
    for (let i = ulidLength - 1; i >= timeDigits; i -= 1) {
      const digit = digits[i] ?? 0;
      if (digit < 31) {
        digits[i] = digit + 1;
        if (i < ulidLength - 2) stale = true;
        return;
      }
      digits[i] = 0;
    }
    // all 80 random bits were ones: borrow the next millisecond
    startMillisecond(lastMs + 1);
  }

  return () => {
    const now = input.nowMs();
    if (now > lastMs || Number.isNaN(now)) startMillisecond(now);
    else countUp();
    if (stale) {
      head = '';
      for (let i = 0; i < ulidLength - 2; i += 1) head += alphabet[digits[i] ?? 0];
      stale = false;
    }
    return head + lastTwo[(digits[ulidLength - 2] ?? 0) * 32 + (digits[ulidLength - 1] ?? 0)];
  };
}
