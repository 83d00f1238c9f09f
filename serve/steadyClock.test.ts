import { expect, test } from 'vitest';
import { steadyClock } from './steadyClock.ts';

const hour = 3_600_000;

test('stands still while the clock behind it is back by an hour, and goes on when that has caught up (S37)', () => {
  let wallMs = 10 * hour;
  const nowMs = steadyClock(() => wallMs);
  expect(nowMs()).toBe(10 * hour);
  wallMs -= hour;
  expect(nowMs()).toBe(10 * hour);
  wallMs += hour + 1;
  expect(nowMs()).toBe(10 * hour + 1);
});

test('follows a clock that was far ahead by mistake', () => {
  let wallMs = 1000 * hour;
  const nowMs = steadyClock(() => wallMs);
  expect(nowMs()).toBe(1000 * hour);
  wallMs = 10 * hour;
  expect(nowMs()).toBe(10 * hour);
});
