import { expect, it } from 'vitest';
import { instant } from './instant.ts';

it('an instant is printed in UTC and cut, not rounded, to its second (I1.8)', () => {
  expect(instant(Date.UTC(2026, 1, 7, 23, 59, 59, 999))).toBe('2026-02-07T23:59:59Z');
  expect(instant(0)).toBe('1970-01-01T00:00:00Z');
});
