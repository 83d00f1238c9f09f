import { describe, expect, it } from 'vitest';
import { type ColourRole, colourOf, colourRoles, contrast } from './tokens.ts';

type Triple = readonly [number, number, number];
const tiers = ['critical', 'high', 'moderate', 'low', 'unclassified'] as const;
const judged = ['critical', 'high', 'moderate', 'low'] as const;

// Machado, Oliveira and Fernandes 2009, severity 1, on linear sRGB
const sights = {
  full: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
} as const;

const dot = (a: Triple, b: Triple): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const through = (rows: readonly [Triple, Triple, Triple], v: Triple): Triple => [
  dot(rows[0], v),
  dot(rows[1], v),
  dot(rows[2], v),
];

function linear(colour: string): Triple {
  const part = (at: number): number => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

/** OKLab of linear sRGB (Ottosson 2020). */
function oklab(rgb: Triple): Triple {
  const clipped: Triple = [clip(rgb[0]), clip(rgb[1]), clip(rgb[2])];
  const lms = through(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    clipped,
  ).map(Math.cbrt) as unknown as Triple;
  return through(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    lms,
  );
}
const clip = (value: number): number => Math.min(1, Math.max(0, value));

/** The closest pair, OKLab × 100. */
function closest(theme: 'light' | 'dark', sight: keyof typeof sights): number {
  const seen = tiers.map((tier) => oklab(through(sights[sight], linear(colourOf(`tier-${tier}`, theme)))));
  const distances = seen.flatMap((a, i) =>
    seen.slice(i + 1).map((b) => 100 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])),
  );
  return Math.min(...distances);
}

describe('the palette (V34)', () => {
  it.each([
    ['light', 'full', 13.9],
    ['light', 'protan', 12.1],
    ['light', 'deutan', 11.8],
    ['light', 'tritan', 12.6],
    ['dark', 'full', 17.6],
    ['dark', 'protan', 11.3],
    ['dark', 'deutan', 9.3],
    ['dark', 'tritan', 17.0],
  ] as const)('tiers in %s, %s sight: the closest pair is %d apart', (theme, sight, expected) => {
    const found = closest(theme, sight);
    expect(found).toBeGreaterThanOrEqual(9);
    expect(found).toBeCloseTo(expected, 0);
  });

  it.each(['light', 'dark', 'print'] as const)(
    'marks in %s have a contrast of 3, quiet text on bands 4.5',
    (theme) => {
      const of = (a: ColourRole, b: ColourRole) => contrast(colourOf(a, theme), colourOf(b, theme));
      for (const role of colourRoles.filter((name) => /^(tier|regime|series)-/.test(name)))
        for (const ground of ['ground', 'panel'] as const) expect(of(role, ground)).toBeGreaterThanOrEqual(3);
      for (const tier of judged) {
        expect(of('quiet', `band-${tier}`)).toBeGreaterThanOrEqual(theme === 'dark' ? 7.5 : 6.2);
        expect(of('text', `band-${tier}`)).toBeGreaterThanOrEqual(4.5);
        expect(of(`tier-${tier}`, `band-${tier}`)).toBeGreaterThanOrEqual(theme === 'dark' ? 4.4 : 3);
      }
    },
  );

  it('prints in the light values (V36)', () => {
    for (const role of colourRoles) expect(colourOf(role, 'print')).toBe(colourOf(role, 'light'));
  });
});
