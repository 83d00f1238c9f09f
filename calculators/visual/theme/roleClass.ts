import type { ColourRole } from './tokens.ts';

/** The class that names what an element fills or strokes with: `f-tier-high`, `s-quiet` (V54). */
export function roleClass(use: 'fill' | 'stroke', role: ColourRole): string {
  return `${use === 'fill' ? 'f' : 's'}-${role}`;
}
