import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CanonicalValue, canonicalJson } from '../../contract/values/canonicalJson.ts';
import { assembleObject } from './assembleObject.ts';
import { objectMembers } from './objectMembers.ts';

const open = (value: CanonicalValue) => Buffer.from(canonicalJson(value).slice(0, -1));
const object = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ noUnicodeString: false }));

describe('objectMembers', () => {
  it('cuts every object into the bytes of its members', () => {
    fc.assert(
      fc.property(object, (value) => {
        fc.pre(JSON.stringify(value).isWellFormed());
        const members = objectMembers(open(value as CanonicalValue));
        const names = Object.keys(value).filter((name) => name !== '__proto__');
        expect([...members.keys()].filter((name) => name !== '__proto__').sort()).toEqual(names.sort());
        for (const name of names)
          expect(members.get(name)?.toString()).toBe(canonicalJson(value[name] as CanonicalValue));
      }),
    );
  });

  it('gives back what assembleObject puts together, whatever the order it was given', () => {
    fc.assert(
      fc.property(object, (value) => {
        fc.pre(JSON.stringify(value).isWellFormed());
        const bytes = open(value as CanonicalValue);
        const members = [...objectMembers(bytes)].reverse();
        const again = assembleObject(new Map(members));
        expect(again.equals(bytes)).toBe(true);
      }),
    );
  });

  it('refuses what is not an object', () => {
    expect(() => objectMembers(Buffer.from('{"a":1,"b'))).toThrow(TypeError);
    expect(() => objectMembers(Buffer.from('{"a",1'))).toThrow(TypeError);
  });
});
