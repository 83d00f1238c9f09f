import { expect, it } from 'vitest';
import { secondLook } from './secondLook.ts';

const start = Date.parse('2026-02-07T10:00:00Z');

/** The instants that were swept at looks by a clock that shows these seconds. */
async function sweptAt(seconds: readonly number[]): Promise<readonly number[]> {
  const swept: number[] = [];
  let shown = start;
  const look = secondLook({
    clock: async () => shown,
    sweep: async (atMs = Number.NaN) => {
      swept.push((atMs - start) / 1000);
      return {} as never;
    },
  });
  for (const second of seconds) {
    shown = start + second * 1000;
    await look();
  }
  return swept;
}

it('what was over at one look is swept at the next, and nothing at the first (P7.11)', async () => {
  expect(await sweptAt([0, 30, 60])).toEqual([0, 30]);
});

it('a leap forward ends no hold at once, a leap backward none that began after it (S37)', async () => {
  expect(await sweptAt([0, 3630, 3660])).toEqual([0, 3630]);
  expect(await sweptAt([0, -3570, -3540])).toEqual([-3570, -3570]);
});
