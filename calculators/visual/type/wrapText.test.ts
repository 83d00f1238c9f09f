import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureText } from './measureText.ts';
import { wrapText } from './wrapText.ts';

const style = { face: 'sans-400', size: 1_300 } as const;

describe('a wrapped text', () => {
  it('breaks at spaces and is balanced: no narrower width keeps its lines', () => {
    const { lines, width } = wrapText('Filings’ XBRL: instance, schema, linkbases', {
      ...style,
      max: 17_000,
    });
    expect(lines).toEqual(['Filings’ XBRL: instance,', 'schema, linkbases']);
    expect(width).toBe(measureText('Filings’ XBRL: instance,', style));
  });

  it('breaks a word that is wider than a line, never before a mark or inside an emoji', () => {
    const word = `${'e\u0301'.repeat(40)}${'👩\u200d🚀'.repeat(8)}`;
    const { lines } = wrapText(word, { ...style, max: 6_000 });
    expect(lines.join('')).toBe(word);
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(line).not.toMatch(/^(\p{M}|\u200d)|\u200d$/u);
  });

  it('keeps every character, and every line within the width, for any text', () => {
    const text = fc.array(fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 3_000, max: 20_000 }), (parts, max) => {
        const words = parts.map((part) => part.replace(/\s/g, '_'));
        const { lines } = wrapText(words.join(' '), { ...style, max });
        expect(lines.join('').replaceAll(' ', '')).toBe(words.join(''));
        for (const line of lines)
          if ([...line].length > 1 && !/\p{M}|\u200d|\p{Emoji_Modifier}/u.test(line))
            expect(measureText(line, style)).toBeLessThanOrEqual(max);
      }),
      { numRuns: 200, seed: 3 },
    );
  });
});
