import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../../fixtures/rigs/virtualClock.ts';
import { tokenBucket } from './httpSession.ts';

async function grants(input: { ratePerSecond: number; capacity: number; count: number }): Promise<number[]> {
  const clock = virtualClock('2026-02-07T00:00:00Z');
  const bucket = tokenBucket({ ...input, clock });
  const start = clock.now().getTime();
  return Promise.all(
    Array.from({ length: input.count }, () => bucket.take().then(() => clock.now().getTime() - start)),
  );
}

describe('token bucket', () => {
  it('spaces 8 requests a second by 125 ms when the burst is one', async () => {
    expect(await grants({ ratePerSecond: 8, capacity: 1, count: 5 })).toEqual([0, 125, 250, 375, 500]);
  });

  it('lets a burst of its capacity through and then keeps the rate', async () => {
    expect(await grants({ ratePerSecond: 2, capacity: 3, count: 6 })).toEqual([0, 0, 0, 500, 1000, 1500]);
  });

  it('never grants more than capacity + rate · window in any window', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          ratePerSecond: fc.integer({ min: 1, max: 50 }),
          capacity: fc.integer({ min: 1, max: 10 }),
          count: fc.integer({ min: 1, max: 40 }),
        }),
        async (input) => {
          const at = await grants(input);
          expect([...at].sort((a, b) => a - b)).toEqual(at);
          for (const [i, from] of at.entries()) {
            for (let j = i; j < at.length; j += 1) {
              const windowSeconds = ((at[j] ?? 0) - from) / 1000;
              expect(j - i + 1).toBeLessThanOrEqual(
                input.capacity + input.ratePerSecond * windowSeconds + 1e-9,
              );
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('does not wait an hour when the clock is set back an hour', async () => {
    const clock = virtualClock('2026-02-07T12:00:00Z');
    const bucket = tokenBucket({ ratePerSecond: 8, capacity: 1, clock });
    await bucket.take();
    clock.advance(-3_600_000);
    await bucket.take();
    expect(Math.max(...clock.slept)).toBeLessThanOrEqual(125);
  });
});
