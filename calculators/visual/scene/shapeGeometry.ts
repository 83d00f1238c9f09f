import type { Cpx, Rect } from '../geometry/rect.ts';
import type { NodeKind } from './scene.ts';

// what the outlines of V16 leave to text and edges
const point: Cpx = 1400;
const cap: Cpx = 500;
const fold: Cpx = 1000;
const ring: Cpx = 300;
export const shapeSizes = { point, cap, fold, ring, corner: 500 } as const;

/** Radius of the round ends of a pill or ring. */
export function endRadius(h: Cpx): Cpx {
  return Math.min(Math.floor(h / 2), 2_400);
}

/** The part of a node's box where its label may stand. */
export function textArea(kind: NodeKind, { x, y, w, h }: Rect): Rect {
  const [side, top, bottom] = insets(kind, h);
  return { x: x + side, y: y + top, w: w - 2 * side, h: h - top - bottom };
}

function insets(kind: NodeKind, h: Cpx): readonly [Cpx, Cpx, Cpx] {
  switch (kind) {
    case 'decision':
      return [point, 300, 300];
    case 'store':
      return [300, 2 * cap, cap];
    case 'actor':
      // inside the round ends at the height of a line of text
      return [Math.floor(endRadius(h) / 2), 200, 200];
    case 'event':
      return [Math.floor(endRadius(h) / 2) + ring, ring + 100, ring + 100];
    default:
      return [300, 200, 200];
  }
}

/** How far from a corner edges may begin on a side: `along` top and bottom, `up` the two others. */
export function portInsets(kind: NodeKind, h: Cpx): { readonly along: Cpx; readonly up: Cpx } {
  switch (kind) {
    case 'decision':
      return { along: point + 200, up: Math.floor(h / 4) };
    case 'store':
      return { along: 800, up: 2 * cap };
    case 'document':
      return { along: fold + 400, up: fold + 200 };
    case 'actor':
    case 'event':
      return { along: endRadius(h), up: Math.floor(endRadius(h) / 2) };
    default:
      return { along: 800, up: 800 };
  }
}

export type Side = 'top' | 'bottom' | 'left' | 'right';

/** How deep inside its box a node's outline lies at `at` along a side, so that a line touches it. */
export function outlineDepth(kind: NodeKind, { w, h }: Rect, { side, at }: { side: Side; at: Cpx }): Cpx {
  const level = side === 'top' || side === 'bottom';
  if (kind === 'decision') {
    if (level) return 0;
    return Math.floor((point * Math.abs(2 * at - h)) / h);
  }
  if (kind === 'store' && level) {
    const u = (2 * at - w) / w;
    return Math.floor(cap * (1 - Math.sqrt(Math.max(0, 1 - u * u))));
  }
  if (kind === 'actor' || kind === 'event') {
    const radius = endRadius(h);
    const fromEnd = level ? Math.min(at, w - at) : Math.min(at, h - at);
    if (fromEnd >= radius) return 0;
    const u = (radius - fromEnd) / radius;
    return Math.floor(radius * (1 - Math.sqrt(Math.max(0, 1 - u * u))));
  }
  return 0;
}
