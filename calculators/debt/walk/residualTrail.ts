import type { TrailCheck } from '../../trail/resolutionTrail.ts';
import type { SideResidual } from './sideResiduals.ts';

/** `residual us-gaap:LiabilitiesCurrent = 0` (M1.18b). */
export function residualDetail({ concept, residual }: SideResidual): string {
  return `residual ${concept} = ${residual}`;
}

/** The residuals of a side as checks of the trail. */
export function residualChecks({ residuals }: { readonly residuals: readonly SideResidual[] }): TrailCheck[] {
  return residuals.map(({ concept, total, residual, result }) => ({
    check: 'M1.18b',
    result,
    detail: `${concept} of ${total} is ${residual} above its items`,
  }));
}
