import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { add, doubleOf, type Fraction, multiply, quotient, zero } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';

/** Relative filed fair values of the assets held; empty when no split is known (M2.7). Any positive scale. */
export type CoinMix = readonly { readonly asset: string; readonly amount: ExactDecimal }[];

export type WeightedAsset = { readonly asset: string; readonly weight: Fraction };

/** Weights that sum to one, in the order of the mix. */
export function weightsOf(mix: CoinMix): readonly WeightedAsset[] {
  const [first, ...rest] = mix;
  if (first === undefined) return [];
  const total = rest.reduce((sum, part) => sum.plus(part.amount), first.amount);
  return mix.map((part) => ({ asset: part.asset, weight: quotient(part.amount, total) }));
}

/** Σ wₐ·σₐ: annual volatility with the assets treated as perfectly correlated; `other` when the mix is unknown (M3.8). */
export function mixVolatility(mix: CoinMix, parameters: Parameters): number {
  const { volatility } = parameters;
  if (mix.length === 0) return volatility.other;
  return weightsOf(mix).reduce(
    (sum, { asset, weight }) => sum + doubleOf(weight) * (volatility[asset] ?? volatility.other),
    0,
  );
}

/** Σ wₐ·ratioₐ over the mix, exact. */
export function weightedSum(mix: CoinMix, ratioOf: (asset: string) => Fraction): Fraction {
  return weightsOf(mix).reduce((sum, { asset, weight }) => add(sum, multiply(weight, ratioOf(asset))), zero);
}
