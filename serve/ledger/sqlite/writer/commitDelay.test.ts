import { expect, test } from 'vitest';
import { commitDelay } from './groupCommitState.ts';

function rig() {
  const timers: { ms: number; act: () => void; on: boolean }[] = [];
  const time = {
    nowMs: () => 0,
    after: (ms: number, act: () => void) => {
      const timer = { ms, act, on: true };
      timers.push(timer);
      return () => {
        timer.on = false;
      };
    },
  };
  const overs: number[] = [];
  return { group: commitDelay(time), timers, over: () => void overs.push(1), overs };
}

test('a lone caller never waits, nor do three (P8.7)', () => {
  const { group, timers, over } = rig();
  expect(group.awaits(1, over)).toBe(false);
  group.committed(3);
  expect(group.awaits(1, over)).toBe(false);
  expect(timers).toEqual([]);
});

test('after a commit for several callers the next waits until as many have come', () => {
  const { group, timers, over } = rig();
  group.committed(5);
  expect([1, 2, 4, 5].map((callers) => group.awaits(callers, over))).toEqual([true, true, true, false]);
  expect(timers.map(({ ms }) => ms)).toEqual([2]);
  group.committed(5);
  expect(timers[0]?.on).toBe(false);
});

test('a commit delay ends after two milliseconds, and a smaller group is awaited next', () => {
  const { group, timers, over, overs } = rig();
  group.committed(9);
  expect(group.awaits(4, over)).toBe(true);
  timers[0]?.act();
  expect(overs).toEqual([1]);
  expect(group.awaits(4, over)).toBe(false);
  group.committed(4);
  expect(group.awaits(3, over)).toBe(true);
  expect(group.awaits(4, over)).toBe(false);
});
