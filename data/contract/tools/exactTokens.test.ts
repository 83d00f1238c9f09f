import { describe, expect, it } from 'vitest';
import { exactTokens, type TokenObject, tokenJson, withoutMembers, withShortRows } from './exactTokens.ts';

const read = (text: string) => exactTokens(text) as TokenObject;

describe('members that are cut out of an object', () => {
  const text = '{"a":1.50,"b":{"c":"}, \\"d\\":","e":[1,{"f":2}]},"g":"h,i","j":null,"token":true}';
  const without = (...names: string[]) => {
    const { data, cut } = withoutMembers(read(text), (name) => names.includes(name));
    return { text: tokenJson(data), cut };
  };

  it('leave the others as they stand, digit by digit, whatever is inside them', () => {
    expect(without('b')).toEqual({ text: '{"a":1.50,"g":"h,i","j":null,"token":true}', cut: ['b'] });
    expect(without('a', 'j')).toEqual({
      text: '{"b":{"c":"}, \\"d\\":","e":[1,{"f":2}]},"g":"h,i","token":true}',
      cut: ['a', 'j'],
    });
  });

  it('are none where the object has none of the names, nor inside another member', () => {
    expect(without('c', 'f', 'x')).toEqual({ text, cut: [] });
    expect(without('a', 'b', 'g', 'j', 'token').text).toBe('{}');
  });
});

describe('rows that are shortened', () => {
  const text = '{"data":[{"a":1.50,"b":[{"a":2}],"c":"]"},{"c":null,"a":3}],"meta":{"data":[{"b":1}]}}';
  const shortened = (list: string, ...keep: string[]) => {
    const { data, cut } = withShortRows(read(text), { list, keep });
    return { text: tokenJson(data), cut };
  };

  it('have the members that stay, digit by digit, and nothing else of the answer changes', () => {
    expect(shortened('data', 'a', 'c')).toEqual({
      text: '{"data":[{"a":1.50,"c":"]"},{"c":null,"a":3}],"meta":{"data":[{"b":1}]}}',
      cut: ['b'],
    });
  });

  it('are as they were where they have no more, and where there is no such list', () => {
    expect(shortened('data', 'a', 'b', 'c')).toEqual({ text, cut: [] });
    expect(shortened('rows')).toEqual({ text, cut: [] });
  });
});
