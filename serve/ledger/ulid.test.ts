import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ulidGenerator } from './ulid.ts';

test('writes the time in ten digits and the random bits in sixteen', () => {
  // 1469918176385 is 2016-07-30T22:36:16.385Z; its ten digits, worked out by hand in base 32: 01ARYZ6S41
  const next = ulidGenerator({ nowMs: () => 1_469_918_176_385, fillRandom: (bytes) => bytes.fill(0) });
  expect(next()).toBe('01ARYZ6S410000000000000000');
});

test('counts up inside one millisecond', () => {
  const next = ulidGenerator({ nowMs: () => 1, fillRandom: (bytes) => bytes.fill(0) });
  expect([next(), next()]).toEqual(['00000000010000000000000000', '00000000010000000000000001']);
});

test('borrows the next millisecond when all random bits are ones', () => {
  const fills = [255, 255];
  const next = ulidGenerator({ nowMs: () => 1, fillRandom: (bytes) => bytes.fill(fills.shift() ?? 0) });
  expect(next()).toBe('0000000001ZZZZZZZZZZZZZZZZ');
  expect(next()).toBe('0000000002ZZZZZZZZZZZZZZZZ');
});

test('grows strictly under every change of the clock, backward steps included (S37)', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 2 ** 48 - 2 }), { minLength: 2, maxLength: 60 }),
      (times) => {
        let turn = 0;
        const next = ulidGenerator({ nowMs: () => times[Math.min(turn++, times.length - 1)] ?? 0 });
        const ids = times.map(() => next());
        for (let i = 1; i < ids.length; i += 1) expect((ids[i] ?? '') > (ids[i - 1] ?? '')).toBe(true);
        for (const id of ids) expect(id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
      },
    ),
  );
});

test('two generators on one millisecond do not meet', () => {
  const a = ulidGenerator({ nowMs: () => 5 });
  const b = ulidGenerator({ nowMs: () => 5 });
  expect(a()).not.toBe(b());
});

test('refuses a time that no ULID can carry', () => {
  for (const time of [-1, 2 ** 48, 1.5, Number.NaN]) {
    expect(ulidGenerator({ nowMs: () => time })).toThrow(RangeError);
  }
});
