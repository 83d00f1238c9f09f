import type { ColourRole } from '../theme/tokens.ts';

/** Cut-offs of the tiers on stress_50pct (M3.6), and the reference covenant (M3.4). */
export type StressBands = {
  readonly moderate: number;
  readonly high: number;
  readonly critical: number;
  readonly covenant: number;
};

type Band = { readonly fill: ColourRole; readonly from: number; readonly to: number };

/** The ground of each tier between the ends of an axis; a tier without room has none. */
export function tierBandsOf(
  { moderate, high, critical }: StressBands,
  { from, to }: { from: number; to: number },
): Band[] {
  const all: readonly Band[] = [
    { fill: 'band-low', from, to: moderate },
    { fill: 'band-moderate', from: moderate, to: high },
    { fill: 'band-high', from: high, to: critical },
    { fill: 'band-critical', from: critical, to },
  ];
  return all.filter((band) => band.to > band.from);
}
