import { describe, expect, it } from 'vitest';
import { type ColourRole, colourOf, contrast } from './tokens.ts';

/** The formula of WCAG 2.2 with the runtime's own power. */
function reference(one: string, other: string): number {
  const luminance = (colour: string): number => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

describe('contrast', () => {
  it('is that of WCAG without a power of the runtime (V3)', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 10);
    for (let grey = 0; grey < 256; grey++) {
      const colour = `#${grey.toString(16).padStart(2, '0').repeat(3)}`;
      expect(contrast(colour, '#ad400b')).toBeCloseTo(reference(colour, '#ad400b'), 9);
    }
  });

  it.each(['light', 'dark', 'print'] as const)(
    'in %s is enough: text 4.5 on every ground, lines of nodes 3',
    (theme) => {
      const of = (a: ColourRole, b: ColourRole) => contrast(colourOf(a, theme), colourOf(b, theme));
      for (const ground of ['ground', 'lane', 'panel', 'primary', 'warning', 'critical'] as const)
        for (const text of ['text', 'quiet'] as const) expect(of(text, ground)).toBeGreaterThanOrEqual(4.5);
      for (const line of [
        'edge',
        'node-line',
        'series-a',
        'series-b',
        'series-c',
        'series-d',
        'series-e',
      ] as const)
        for (const ground of ['ground', 'panel'] as const) expect(of(line, ground)).toBeGreaterThanOrEqual(3);
      for (const emphasis of ['primary', 'warning', 'critical'] as const) {
        expect(of(`${emphasis}-line`, emphasis)).toBeGreaterThanOrEqual(5.3);
        expect(of(`${emphasis}-line`, 'ground')).toBeGreaterThanOrEqual(3);
      }
    },
  );
});
