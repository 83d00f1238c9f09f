import type { Resonance } from '../../data/contract/values/enums.ts';
import type { Parameters } from '../parameters/parameters.ts';

/**
 * Whether the issuer's own stress and the market-wide pressure reinforce each other, by their published z-scores
 * (M3.17). A missing or zero score is Neutral.
 */
export function resonance(
  z: { readonly own: number | null; readonly market: number | null },
  { resonanceAbsM }: Parameters,
): Resonance {
  if (z.own === null || z.market === null || Math.abs(z.market) < resonanceAbsM) return 'Neutral';
  const sign = Math.sign(z.own) * Math.sign(z.market);
  if (sign === 0) return 'Neutral';
  return sign > 0 ? 'Aligned' : 'Dissonant';
}
