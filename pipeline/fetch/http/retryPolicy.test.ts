import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideRetry, defaultRetryLimits as limits, parseRetryAfter } from './retryPolicy.ts';

const now = new Date('2026-02-07T00:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Sat, 07 Feb 2026 00:01:30 GMT', 90_000],
    ['Saturday, 07-Feb-26 00:00:10 GMT', 10_000],
    ['Sat Feb  7 00:00:05 2026', 5_000],
    ['Fri, 06 Feb 2026 23:00:00 GMT', 0],
  ])('reads %s', (value, ms) => {
    expect(parseRetryAfter(value, now)).toBe(ms);
  });

  it.each([null, '', '-5', '1.5', 'soon', '2026-02-07', '99999999999', 'Sat, 99 Foo 2026 00:00:00 GMT'])(
    'takes %j as not given',
    (value) => {
      expect(parseRetryAfter(value, now)).toBeNull();
    },
  );
});

describe('retry decision', () => {
  const base = { failuresInARow: 1, failures: 1, retryAfterMs: null, random: () => 0.5, limits };

  it('draws the delay between zero and the doubled ceiling', () => {
    const delays = [1, 2, 3, 4].map((n) => decideRetry({ ...base, failuresInARow: n, failures: n }));
    expect(delays).toEqual([500, 1000, 2000, 4000].map((delayMs) => ({ kind: 'wait', delayMs })));
  });

  it('waits exactly what the server asked for', () => {
    expect(decideRetry({ ...base, retryAfterMs: 7000 })).toEqual({ kind: 'wait', delayMs: 7000 });
  });

  it('backs off when the server asks for zero seconds', () => {
    expect(decideRetry({ ...base, retryAfterMs: 0 })).toEqual({ kind: 'wait', delayMs: 500 });
  });

  it('leaves rather than retry before a Retry-After beyond the cap', () => {
    expect(decideRetry({ ...base, retryAfterMs: limits.maxRetryAfterMs + 1 })).toEqual({
      kind: 'give_up',
      why: 'retry_after_too_long',
    });
  });

  it('always ends: delays stay under the cap and failures are bounded', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 0, max: 100 }),
        fc.double({ min: 0, max: 0.999999, noNaN: true }),
        (failuresInARow, more, r) => {
          const failures = failuresInARow + more;
          const decision = decideRetry({ ...base, failuresInARow, failures, random: () => r });
          if (failuresInARow >= limits.maxFailuresInARow || failures >= limits.maxFailures) {
            expect(decision.kind).toBe('give_up');
          } else {
            expect(decision).toMatchObject({ kind: 'wait' });
            expect(decision.kind === 'wait' && decision.delayMs <= limits.maxDelayMs).toBe(true);
          }
        },
      ),
    );
  });
});
