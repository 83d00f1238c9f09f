import type { Cpx } from '../geometry/cpx.ts';
import type { Face, FaceName, Subset } from './face.ts';
import { faces } from './faces.ts';

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

const marks = /^[\p{M}\u200b-\u200d\u2060\ufeff]$/u;
const emoji = /^\p{Emoji_Presentation}$/u;

// East Asian Width W and F, by block
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe4f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x17000, 0x18aff],
  [0x1b000, 0x1b2ff],
  [0x20000, 0x3fffd],
];

/** Width in hundredths of an em that a code point outside the faces is given (V12). */
function fallbackEm(character: string): number {
  if (marks.test(character)) return 0;
  if (emoji.test(character)) return 130;
  const codePoint = character.codePointAt(0) ?? 0;
  return wide.some(([from, to]) => from <= codePoint && codePoint <= to) ? 100 : 75;
}
