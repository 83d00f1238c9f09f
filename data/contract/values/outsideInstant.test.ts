import fc from 'fast-check';
import { expect, it } from 'vitest';
import { outsideInstant, outsideNumber, worded, wordedInstant } from './instant.ts';

it('words any value in one short line and never throws', () => {
  const hostile = [
    { toString: 5 },
    JSON.parse('{"toString":null,"toJSON":1,"__proto__":[]}'),
    10n,
    Symbol('x'),
    () => undefined,
    Object.create(null),
    new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
      },
    ),
    new Error('\u001b[2J'),
  ];
  for (const value of hostile) expect(worded(value)).toMatch(/^[^\n\u001b]{1,2000}$/);
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withNullPrototype: true }), (value) => {
      expect(worded(value)).not.toContain('\n');
    }),
  );
});

it('words any number of milliseconds, an instant where it is one', () => {
  expect(wordedInstant(Date.parse('2026-11-23T10:00:00Z'))).toBe('2026-11-23T10:00:00Z');
  expect(wordedInstant(-9e15)).toBe('-9000000000000000 ms since 1970');
  fc.assert(
    fc.property(fc.double(), (ms) => {
      expect(wordedInstant(ms)).toBeTypeOf('string');
    }),
  );
});

it('takes instants of this century alone, and numbers that stay exact enough to print', () => {
  fc.assert(
    fc.property(fc.double(), (value) => {
      if (outsideInstant.safeParse(value).success) expect(new Date(value).toISOString()).toMatch(/^20\d\d-/);
    }),
  );
  expect([Infinity, Number.NaN, 1e300, -1e19].map((n) => outsideNumber.safeParse(n).success)).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(outsideNumber.parse(1e-18)).toBe(1e-18);
});
