import { quotient } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { AlphaInputs } from './alphaInputs.ts';
import { pointsOf, weightedPoints } from './points.ts';

export type TreasuryPoints = {
  readonly score: number;
  readonly parts: {
    readonly asset_ratio: number;
    readonly net_coverage: number;
    readonly disclosure: number;
  };
};

/** How much of the assets are coins, how much of them is free of debt, how well they are disclosed (M5.9). */
export function treasuryPoints(inputs: AlphaInputs, { alpha }: Parameters): TreasuryPoints {
  const { crypto, assets, debt } = inputs;
  if (crypto === null || crypto.sign <= 0) {
    return { score: 0, parts: { asset_ratio: 0, net_coverage: 0, disclosure: 0 } };
  }
  const parts = {
    asset_ratio: assets === null || assets.sign <= 0 ? 0 : pointsOf(quotient(crypto, assets)),
    net_coverage: debt === null ? 0 : pointsOf(quotient(crypto.minus(debt), crypto)),
    disclosure: alpha.disclosure[inputs.unitsBasis],
  };
  return { score: weightedPoints(alpha.weights.treasuryStrength, parts), parts };
}
