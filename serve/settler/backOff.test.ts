import { describe, expect, it } from 'vitest';
import { backOffMs } from './settleJob.ts';

describe('the wait of a job whose node failed (P9.10)', () => {
  it.each([
    [1, 250, 375, 500],
    [2, 500, 750, 1000],
    [3, 1000, 1500, 2000],
    [4, 2000, 3000, 4000],
    [5, 4000, 6000, 8000],
    [6, 7500, 11_250, 15_000],
    [60, 7500, 11_250, 15_000],
  ])('after try %i is between %i and %i and %i ms', (attempts, least, middle, most) => {
    expect([0, 0.5, 1].map((drawn) => backOffMs(attempts, () => drawn))).toEqual([least, middle, most]);
  });
});
