import type { visualThemes } from '../../../data/contract/visual/visualContract.ts';

export type ThemeName = (typeof visualThemes)[number];

// light value, dark value; print uses the light ones (V36)
const values = {
  ground: ['#ffffff', '#141414'],
  panel: ['#f6f6f4', '#1e1e1d'],
  text: ['#1a1a1a', '#ececea'],
  'text-strongest': ['#000000', '#ffffff'],
  quiet: ['#55554f', '#b4b4ae'],
  line: ['#d6d6d0', '#3c3c39'],
  edge: ['#5c5c56', '#a3a39c'],
  lane: ['#fafaf8', '#191918'],
  'node-line': ['#7d7d76', '#8a8a84'],
  primary: ['#e3edf9', '#16283f'],
  'primary-line': ['#0b4f9e', '#9cc6ff'],
  warning: ['#fdf0dc', '#33240f'],
  'warning-line': ['#864000', '#f6b95a'],
  critical: ['#fbe4e1', '#3a1a17'],
  'critical-line': ['#b3261e', '#ff9a90'],
  'series-a': ['#295aab', '#7aa7f5'],
  'series-b': ['#d2531f', '#f3a613'],
  'series-c': ['#028a79', '#89cba1'],
  'series-d': ['#8a3362', '#e66bae'],
  'series-e': ['#322e22', '#e8e8e8'],
  'tier-critical': ['#7a0c22', '#f4364a'],
  'tier-high': ['#ad400b', '#f19b6d'],
  'tier-moderate': ['#b98100', '#f0e277'],
  'tier-low': ['#1e5a82', '#2fc4f0'],
  'tier-unclassified': ['#7d7d78', '#8a8a84'],
  'band-critical': ['#f6e6e8', '#2e1518'],
  'band-high': ['#fbece2', '#2a1c14'],
  'band-moderate': ['#fbf4e0', '#26230f'],
  'band-low': ['#eef4f8', '#13202a'],
  'regime-bullish-low': ['#065b87', '#6499ff'],
  'regime-bullish-rising': ['#1590cd', '#73e4fc'],
  'regime-neutral': ['#808080', '#7a7a73'],
  'regime-bearish-falling': ['#bf8307', '#fae494'],
  'regime-bearish-high': ['#ad300d', '#f99f53'],
  'regime-synchronized': ['#4c0c49', '#fe5ac0'],
} as const;

/** What a scene paints with; only an outlet turns it into a colour (V5). */
export type ColourRole = keyof typeof values;

/** The colour of a role in a theme, as `#rrggbb`. */
export function colourOf(role: ColourRole, theme: ThemeName): string {
  return values[role][theme === 'dark' ? 1 : 0];
}

/** Every role, in the order of the palette. */
export const colourRoles = Object.keys(values) as ColourRole[];

/** The class that names what an element fills or strokes with: `f-tier-high`, `s-quiet` (V54). */
export function roleClass(use: 'fill' | 'stroke', role: ColourRole): string {
  return `${use === 'fill' ? 'f' : 's'}-${role}`;
}

/** The rules of a page's sheet that give the pictures in it the colours of a theme (V54). */
export function roleRules(theme: ThemeName): string {
  return colourRoles
    .map((role) => {
      const colour = colourOf(role, theme);
      return `.${roleClass('fill', role)}{fill:${colour}}.${roleClass('stroke', role)}{stroke:${colour}}`;
    })
    .join('');
}

/** The WCAG 2.2 contrast ratio of two colours written `#rrggbb`, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(colour.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(channel: number): number {
  if (channel <= 0.04045) return channel / 12.92;
  const base = (channel + 0.055) / 1.055;
  // base ** 2.4 by allowed arithmetic alone (V3): base squared times the fifth root of base squared
  return base * base * fifthRoot(base * base);
}

function fifthRoot(value: number): number {
  let root = 1;
  for (let round = 0; round < 40; round++) root = (4 * root + value / (root * root * root * root)) / 5;
  return root;
}
