import { describe, expect, it } from 'vitest';
import { excerptOf } from './payload.ts';

const example = { date: '2026-02-07', rows: [{ ticker: 'MSTR', inner: { a: 1, b: 0 } }], none: null };

describe('excerptOf', () => {
  it('enters objects and arrays and keeps null and zero', () => {
    expect(excerptOf(example, ['none', 'rows[0].ticker', 'rows[0].inner.b'])).toEqual({
      none: null,
      rows: [{ ticker: 'MSTR', inner: { b: 0 } }],
    });
  });

  it('keeps the order of the paths', () => {
    expect(JSON.stringify(excerptOf(example, ['none', 'date']))).toBe('{"none":null,"date":"2026-02-07"}');
  });

  it.each(['absent', 'rows[1].ticker', 'rows[0].absent', 'none.member'])('refuses the path %s', (path) => {
    expect(() => excerptOf(example, [path])).toThrow(`the example has no member ${path}`);
  });
});
