import { divide, exactly, subtract } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { AlphaInputs } from './alphaInputs.ts';
import { pointsOf, remainder, weightedPoints } from './points.ts';

export type StressResilience = {
  readonly score: number;
  readonly parts: {
    readonly inverse_live_stress: number;
    readonly delta_stability_proxy: number;
    readonly debt_buffer_strength: number;
    readonly treasury_cushion: number;
  };
};

/** How much stress there is, how it moved, and what would absorb more; all 0 where stress is not present (M5.4). */
export function stressResilience(inputs: AlphaInputs, { alpha }: Parameters): StressResilience {
  const { delta24h, delta7d, ecs } = inputs;
  const { empty, full } = alpha.debtBuffer;
  const isPresent = inputs.isStressPresent;
  const parts = {
    inverse_live_stress: isPresent ? pointsOf(remainder(exactly(inputs.stress50))) : 0,
    delta_stability_proxy:
      isPresent && delta24h !== null && delta7d !== null
        ? pointsOf(remainder(divide(exactly(Math.max(delta24h, delta7d, 0)), exactly(alpha.deltaScale))))
        : 0,
    debt_buffer_strength: isPresent
      ? pointsOf(
          divide(subtract(exactly(empty), exactly(inputs.stress70)), subtract(exactly(empty), exactly(full))),
        )
      : 0,
    treasury_cushion: isPresent && ecs !== null ? pointsOf(exactly(ecs)) : 0,
  };
  return { score: weightedPoints(alpha.weights.stressResilience, parts), parts };
}
