import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonicalJson.ts';
import { ExactDecimal } from './exactDecimal.ts';

describe('canonicalJson', () => {
  it('prints the published test vector (I4.32)', () => {
    const text = canonicalJson({ v: ExactDecimal.parse('9007199254740993') });
    expect(text).toBe('{"v":9007199254740993}');
    expect(createHash('sha256').update(text).digest('hex')).toBe(
      'b33840c3287663f6da0c495884bd8d587474de0391f249e29a4115fd1229b6e1',
    );
  });

  it('sorts members by UTF-16 code unit and prints numbers as ECMAScript does (RFC 8785 §3.2)', () => {
    expect(
      canonicalJson({
        '\u20ac': 1,
        '\r': 2,
        '\ufb33': 3,
        '1': 4,
        '\ud83d\ude00': 5,
        '\u0080': 6,
        '\u00f6': 7,
      }),
    ).toBe('{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}');
    expect(canonicalJson([333333333.3333333, 1e30, 4.5, 0.002, 1e-27, -0])).toBe(
      '[333333333.3333333,1e+30,4.5,0.002,1e-27,0]',
    );
  });

  it('leaves undefined members out and refuses what JSON cannot say', () => {
    expect(canonicalJson({ a: undefined, b: null })).toBe('{"b":null}');
    expect(() => canonicalJson(Number.NaN)).toThrow(TypeError);
    expect(() => canonicalJson('\ud800')).toThrow('lone surrogate');
  });

  it('does not depend on the order of members (M15.2)', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.integer()), (members) => {
        const reversed = Object.fromEntries(Object.entries(members).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(members));
        expect(JSON.parse(canonicalJson(members))).toEqual(JSON.parse(JSON.stringify(members)));
      }),
    );
  });
});
