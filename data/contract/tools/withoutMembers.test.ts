import { describe, expect, it } from 'vitest';
import { withoutMembers } from './withoutMembers.ts';

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
