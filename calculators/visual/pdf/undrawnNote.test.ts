import { describe, expect, it } from 'vitest';
import { undrawnNote } from './writeReport.ts';

describe('the note on letters that a PDF cannot draw', () => {
  it.each([
    'Strategy Inc',
    'Société Générale, Ørsted A/S',
    'Łódź Bitcoin, Rīgas Kuģu, Škoda',
    'Яндекс',
    'A “B” – C’s €5 ½ ™ …',
    // a combining mark takes no room: nothing stands for it
    'e\u0331',
  ])('says nothing of %s', (text) => {
    expect(undrawnNote(text)).toBeNull();
  });

  it('names each letter once, by its code point: the seven of メタプラネット, an emoji', () => {
    expect(undrawnNote('メタプラネットトト')).toContain(
      'U+30E1, U+30BF, U+30D7, U+30E9, U+30CD, U+30C3, U+30C8. The file carries the true text',
    );
    expect(undrawnNote('To the 🚀')).toContain(' have: U+1F680. ');
  });

  it('counts those beyond twelve', () => {
    const many = String.fromCodePoint(...Array.from({ length: 15 }, (_, i) => 0x4e00 + i));
    expect(undrawnNote(many)).toMatch(/U\+4E0B and 3 more\./);
  });
});
