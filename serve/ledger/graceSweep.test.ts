import { expect, it } from 'vitest';
import { graceSweep } from './graceSweep.ts';

const start = Date.parse('2026-02-07T10:00:00Z');

/** The instants swept by runs at these seconds of the clock. */
async function sweptAt(seconds: readonly number[]): Promise<readonly number[]> {
  const swept: number[] = [];
  let shown = start;
  const run = graceSweep({
    clock: async () => shown,
    sweep: async (atMs = Number.NaN) => {
      swept.push((atMs - start) / 1000);
      return {} as never;
    },
  });
  for (const second of seconds) {
    shown = start + second * 1000;
    await run();
  }
  return swept;
}

it('graceSweep sweeps at each run what was over at the previous one, and nothing at the first (P7.11)', async () => {
  expect(await sweptAt([0, 30, 60])).toEqual([0, 30]);
});

it('graceSweep ends no hold at once after a leap forward, and none that began after a leap backward (S37)', async () => {
  expect(await sweptAt([0, 3630, 3660])).toEqual([0, 3630]);
  expect(await sweptAt([0, -3570, -3540])).toEqual([-3570, -3570]);
});
