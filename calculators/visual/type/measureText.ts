import type { Cpx } from '../geometry/cpx.ts';
import type { Face, FaceName, Subset } from './face.ts';
import { faces } from './faces.ts';
import { fallbackEm } from './fallbackEm.ts';

export type TextStyle = { readonly face: FaceName; readonly size: Cpx };

/**
 * Width of one line, rounded up: advances and the kerning of neighbours in the same subset (V9).
 * Code points outside the faces count as V12 says.
 */
export function measureText(text: string, { face: name, size }: TextStyle): Cpx {
  const face = faces[name];
  let units = 0;
  let left = 0;
  let leftSubset: Subset | null = null;
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    const subset = subsetFor(face, codePoint);
    if (subset === null) {
      units += Math.round((fallbackEm(character) * face.unitsPerEm) / 100);
    } else {
      units += subset.advances.get(codePoint) ?? 0;
      if (subset === leftSubset) units += subset.kerning.get(left)?.get(codePoint) ?? 0;
    }
    left = codePoint;
    leftSubset = subset;
  }
  return Math.ceil((units * size) / face.unitsPerEm);
}

/** The first subset that has the code point; null when none has. */
export function subsetFor(face: Face, codePoint: number): Subset | null {
  for (const subset of face.subsets) if (subset.advances.has(codePoint)) return subset;
  return null;
}
