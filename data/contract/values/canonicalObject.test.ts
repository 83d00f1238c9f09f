import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CanonicalValue, canonicalJson, canonicalObject, printedMembers } from './canonicalJson.ts';

describe('canonicalObject', () => {
  it('prints members that are printed already as canonicalJson prints the object (I4.32)', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), (value) => {
        expect(canonicalObject(printedMembers(value))).toBe(canonicalJson(value as CanonicalValue));
      }),
    );
  });

  it('puts members of two objects in one order', () => {
    const shared = printedMembers({ z_scores: { breadth: null }, factors: { breadth: 0.7 } });
    expect(canonicalObject({ ...shared, ...printedMembers({ lineage: 'binance' }) })).toBe(
      '{"factors":{"breadth":0.7},"lineage":"binance","z_scores":{"breadth":null}}',
    );
  });
});
