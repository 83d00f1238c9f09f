import type { AlphaScores } from './alphaScores.ts';

const names = {
  debt_cleanliness: 'debt cleanliness',
  stress_resilience: 'stress resilience',
  regime_fit: 'regime fit',
  treasury_strength: 'treasury strength',
} as const satisfies Record<keyof AlphaScores['breakdown'], string>;
const order = Object.keys(names) as (keyof typeof names)[];

/** Names the two largest pillars, in their fixed order, and the smallest; of equal ones the earlier is larger (M5.12). */
export function alphaInterpretation(breakdown: AlphaScores['breakdown']): string {
  const ranked = order.toSorted((a, b) => breakdown[b] - breakdown[a]);
  const weakest = ranked.at(-1);
  const [first = '', second = ''] = order
    .filter((name) => ranked.indexOf(name) < 2)
    .map((name) => names[name]);
  const weak = weakest === undefined ? '' : names[weakest];
  return `${first.charAt(0).toUpperCase()}${first.slice(1)} and ${second} carry the score; ${weak} is the weakest part.`;
}
