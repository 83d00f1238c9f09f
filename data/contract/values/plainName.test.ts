import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainName, printable } from './printable.ts';

describe('plainName', () => {
  it.each([
    ['\u001b[31mSTRATEGY\u001b[0m INC', '[31mSTRATEGY [0m INC'],
    ['Riot\r\nPlatforms,\tInc.', 'Riot Platforms, Inc.'],
    ['\u202eCNI\u202c ACME \u200b', 'CNI ACME'],
    [' A\u0000B\u009b2J\u2028C ', 'A B 2J C'],
    ['\u0007', ''],
    ['Société Générale – 中国 & Co. (The) #1', 'Société Générale – 中国 & Co. (The) #1'],
  ])('makes %j to %j', (given, stored) => {
    expect(plainName(given)).toBe(stored);
  });

  it('has at most 300 characters, whole ones, and says with an ellipsis that there were more', () => {
    expect(plainName('A'.repeat(300))).toBe('A'.repeat(300));
    expect(plainName('A'.repeat(301))).toBe(`${'A'.repeat(299)}…`);
    expect(plainName('😀'.repeat(300))).toBe('😀'.repeat(300));
    expect(plainName('😀'.repeat(1_000_000))).toBe(`${'😀'.repeat(299)}…`);
    expect(plainName(`${'A'.repeat(298)} and more`)).toBe(`${'A'.repeat(298)}…`);
  });

  it('leaves nothing that a terminal shows as an escape, and nothing to do a second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const name = plainName(text);
        expect(printable(name)).toBe(name);
        expect(plainName(name)).toBe(name);
      }),
    );
  });
});
