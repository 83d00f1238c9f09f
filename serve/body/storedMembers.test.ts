import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CanonicalValue, canonicalJson } from '../../contract/values/canonicalJson.ts';
import { assembleObject, closed, type MemberValue } from './assembleObject.ts';
import { openBodies } from './openBodies.ts';
import { storedMembers } from './storedMembers.ts';

const open = (value: CanonicalValue) => Buffer.from(canonicalJson(value).slice(0, -1));
const object = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ noUnicodeString: false }));

describe('storedMembers', () => {
  it('cuts every object into the bytes of its members', () => {
    fc.assert(
      fc.property(object, (value) => {
        fc.pre(JSON.stringify(value).isWellFormed());
        const members = storedMembers(openBodies({ open: open(value as CanonicalValue) }));
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
        const members = [...storedMembers(openBodies({ open: bytes }))].reverse();
        const again = assembleObject(
          new Map(members.map(([name, stored]): [string, MemberValue] => [name, { stored }])),
        );
        expect(again.equals(bytes)).toBe(true);
      }),
    );
  });

  it('refuses what is not an object', () => {
    expect(() => storedMembers(openBodies({ open: Buffer.from('{"a":1,"b') }))).toThrow(TypeError);
    expect(() => storedMembers(openBodies({ open: Buffer.from('{"a",1') }))).toThrow(TypeError);
  });
});

describe('assembleObject', () => {
  it('prints stored, listed and made members in canonical order (I4.32)', () => {
    const bytes = assembleObject(
      new Map<string, MemberValue>([
        ['meta', { made: { total: 2, count: 2 } }],
        ['data', { rows: [Buffer.from('{"a":1}'), Buffer.from('{"a":2}')] }],
        ['E', { stored: Buffer.from('1.50') }],
      ]),
    );
    expect(closed(bytes).toString()).toBe('{"E":1.50,"data":[{"a":1},{"a":2}],"meta":{"count":2,"total":2}}');
    expect(closed(assembleObject(new Map())).toString()).toBe('{}');
  });
});
