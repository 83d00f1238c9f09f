import { describe, expect, it } from 'vitest';
import { withoutMembers, withShortRows } from './withoutMembers.ts';

describe('members that are cut out of a text', () => {
  const open = '{"a":1.50,"b":{"c":"}, \\"d\\":","e":[1,{"f":2}]},"g":"h,i","j":null';

  it('leave the others as they stand, digit by digit, whatever is inside them', () => {
    expect(withoutMembers(open, ['b'])).toEqual({ open: '{"a":1.50,"g":"h,i","j":null', cut: ['b'] });
    expect(withoutMembers(open, ['a', 'j'])).toEqual({
      open: '{"b":{"c":"}, \\"d\\":","e":[1,{"f":2}]},"g":"h,i"',
      cut: ['a', 'j'],
    });
  });

  it('are none where the text has none of the names, nor inside another member', () => {
    expect(withoutMembers(open, ['c', 'f', 'x'])).toEqual({ open, cut: [] });
    expect(withoutMembers('{', ['a'])).toEqual({ open: '{', cut: [] });
    expect(withoutMembers('{"a":1', ['a'])).toEqual({ open: '{', cut: ['a'] });
  });
});

describe('rows that are shortened', () => {
  const open = '{"data":[{"a":1.50,"b":[{"a":2}],"c":"]"},{"c":null,"a":3}],"meta":{"data":[{"b":1}]}';

  it('have the members that stay, digit by digit, and nothing else of the answer changes', () => {
    expect(withShortRows(open, { list: 'data', keep: ['a', 'c'] })).toEqual({
      open: '{"data":[{"a":1.50,"c":"]"},{"c":null,"a":3}],"meta":{"data":[{"b":1}]}',
      cut: ['b'],
    });
  });

  it('are as they were where they have no more, and where there is no such list', () => {
    expect(withShortRows(open, { list: 'data', keep: ['a', 'b', 'c'] })).toEqual({ open, cut: [] });
    expect(withShortRows(open, { list: 'rows', keep: [] })).toEqual({ open, cut: [] });
    expect(withShortRows('{"data":[],"meta":1', { list: 'data', keep: [] })).toEqual({
      open: '{"data":[],"meta":1',
      cut: [],
    });
  });
});
