import type { RiskTier } from '../../../data/contract/values/enums.ts';
import { type Point, pointAt } from '../geometry/segment.ts';
import type { PathItem } from '../scene/scene.ts';
import type { ColourRole } from '../theme/tokens.ts';
import { circle, type Fill, polygon } from './chartPen.ts';

/** The role a tier is painted with. */
export const tierRoles = {
  CRITICAL: 'tier-critical',
  HIGH: 'tier-high',
  MODERATE: 'tier-moderate',
  LOW: 'tier-low',
  UNCLASSIFIED: 'tier-unclassified',
} as const satisfies Record<RiskTier, ColourRole>;

type Mark = Point & {
  readonly tier: RiskTier;
  /** Half of its size; shapes are scaled to look equally large. */
  readonly r: number;
  /** The outline alone: where something was before. UNCLASSIFIED is always hollow. */
  readonly hollow?: boolean;
};

/** The shape of a tier, so that colour never speaks alone (V35): diamond, triangle, square, circle, ring. */
export function tierMark({ tier, x, y, r, hollow = false }: Mark): PathItem {
  const isHollow = hollow || tier === 'UNCLASSIFIED';
  const fill: Fill = isHollow
    ? { fill: 'ground', stroke: tierRoles[tier], strokeWidth: 150 }
    : { fill: tierRoles[tier], stroke: 'ground', strokeWidth: 75 };
  const size = isHollow ? Math.round(r * 0.92) : r;
  const through = (...all: readonly (readonly [dx: number, dy: number])[]) => {
    const points = all.map(([dx, dy]) => pointAt(x + dx, y + dy));
    return polygon(points, fill);
  };
  switch (tier) {
    case 'CRITICAL': {
      const q = Math.round(size * 1.25);
      return through([0, -q], [q, 0], [0, q], [-q, 0]);
    }
    case 'HIGH': {
      const q = Math.round(size * 1.15);
      const down = Math.round(q * 0.8);
      return through([0, -q], [q, down], [-q, down]);
    }
    case 'MODERATE': {
      const q = Math.round(size * 0.9);
      return through([-q, -q], [q, -q], [q, q], [-q, q]);
    }
    default:
      return circle({ x, y, r: size }, fill);
  }
}
