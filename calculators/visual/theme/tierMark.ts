import type { RiskTier } from '../../../data/contract/values/enums.ts';
import type { Cpx } from '../geometry/rect.ts';
import type { PathCommand } from '../geometry/segment.ts';
import { paint } from '../scene/pen.ts';
import type { PathItem, Subject } from '../scene/scene.ts';
import type { ColourRole } from './tokens.ts';

const roles = {
  CRITICAL: 'tier-critical',
  HIGH: 'tier-high',
  MODERATE: 'tier-moderate',
  LOW: 'tier-low',
  UNCLASSIFIED: 'tier-unclassified',
} as const satisfies Record<RiskTier, ColourRole>;

/** The role a tier is painted with. */
export function tierRole(tier: RiskTier): ColourRole {
  return roles[tier];
}

type Mark = {
  readonly tier: RiskTier;
  readonly x: Cpx;
  readonly y: Cpx;
  /** Half of its size; shapes are scaled to look equally large. */
  readonly r: Cpx;
  /** The outline alone: where something was before. UNCLASSIFIED is always hollow. */
  readonly hollow?: boolean;
  readonly subject: Subject;
};

/** The shape of a tier, so that colour never speaks alone (V35): diamond, triangle, square, circle, ring. */
export function tierMark({ tier, x, y, r, hollow = false, subject }: Mark): PathItem {
  const isHollow = hollow || tier === 'UNCLASSIFIED';
  return {
    type: 'path',
    commands: outline(tier, { x, y, r: isHollow ? Math.round(r * 0.92) : r }),
    paint: isHollow
      ? paint({ fill: 'ground', stroke: tierRole(tier), strokeWidth: 150 })
      : paint({ fill: tierRole(tier), stroke: 'ground', strokeWidth: 75 }),
    subject,
  };
}

function outline(tier: RiskTier, { x, y, r }: { x: Cpx; y: Cpx; r: Cpx }): PathCommand[] {
  const through = (...points: readonly (readonly [Cpx, Cpx])[]): PathCommand[] => [
    ...points.map(([px, py], i): PathCommand => ({ to: i === 0 ? 'move' : 'line', x: px, y: py })),
    { to: 'close' },
  ];
  switch (tier) {
    case 'CRITICAL': {
      const q = Math.round(r * 1.25);
      return through([x, y - q], [x + q, y], [x, y + q], [x - q, y]);
    }
    case 'HIGH': {
      const q = Math.round(r * 1.15);
      const down = Math.round(q * 0.8);
      return through([x, y - q], [x + q, y + down], [x - q, y + down]);
    }
    case 'MODERATE': {
      const q = Math.round(r * 0.9);
      return through([x - q, y - q], [x + q, y - q], [x + q, y + q], [x - q, y + q]);
    }
    default: {
      const half = (toX: Cpx): PathCommand => ({ to: 'arc', rx: r, ry: r, clockwise: true, x: toX, y });
      return [{ to: 'move', x: x - r, y }, half(x + r), half(x - r), { to: 'close' }];
    }
  }
}
