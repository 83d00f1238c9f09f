import type { DominantAsset } from '../../data/contract/values/enums.ts';
import { compare, exactly } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { type CoinMix, weightsOf } from '../stress/coinMix.ts';

/** The coin that stands for a treasury by fair value; a dominant coin outside the list is noted (M5.10). */
export function dominantAsset(
  mix: CoinMix,
  { dominantAsset: from }: Parameters,
): { readonly asset: DominantAsset; readonly notes: readonly string[] } {
  const weights = weightsOf(mix);
  const atLeast = (share: number) =>
    weights.filter(({ weight }) => compare(weight, exactly(share)) >= 0).map(({ asset }) => asset);
  const [dominant] = atLeast(from.dominantShare);
  if (dominant === 'BTC') return { asset: 'bitcoin', notes: [] };
  if (dominant === 'ETH') return { asset: 'ethereum', notes: [] };
  if (dominant !== undefined) return { asset: 'unknown', notes: [`dominant_asset:${dominant}`] };
  return { asset: atLeast(from.mixedShare).length >= 2 ? 'mixed' : 'unknown', notes: [] };
}
