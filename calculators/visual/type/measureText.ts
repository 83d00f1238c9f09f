import type { Cpx } from '../geometry/rect.ts';
import { cssFamilies, type Face, type FaceFamily, type FaceName, faces, type Subset } from './faces.ts';

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

function fallbackEm(character: string): number {
  if (marks.test(character)) return 0;
  if (emoji.test(character)) return 130;
  const codePoint = character.codePointAt(0) ?? 0;
  return wide.some(([from, to]) => from <= codePoint && codePoint <= to) ? 100 : 75;
}

// C0 and C1 controls, direction marks and embeddings, noncharacters that XML does not allow
const unsafe =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]/g;
const breaks = /[\t\n\u000b\f\r ]+/g;

/** A text as it is rendered: white space is one space, control and direction-turning characters are U+FFFD (V12). */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(breaks, ' ').replace(unsafe, '\ufffd').trim();
}

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const leftToRight = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}]/u;

/** Whether a run reads from right to left: its first letter of a strong direction decides (V12). */
export function isRightToLeft(text: string): boolean {
  for (const character of text) {
    if (rightToLeft.test(character)) return true;
    if (leftToRight.test(character)) return false;
  }
  return false;
}

/** What texts in a face need: its subset files in the face's order, and the characters that none of them has. */
export function subsetsOf(texts: Iterable<string>, name: FaceName): { subsets: Subset[]; outside: string[] } {
  const face = faces[name];
  const used = new Set<Subset>();
  const outside = new Set<string>();
  for (const text of texts)
    for (const character of text) {
      const subset = subsetFor(face, character.codePointAt(0) ?? 0);
      if (subset === null) outside.add(character);
      else used.add(subset);
    }
  return { subsets: face.subsets.filter((subset) => used.has(subset)), outside: [...outside] };
}

/** Writes the `@font-face` rules of the subsets that texts in one face need, as data URIs (V8, V13). */
export function faceRules(texts: Iterable<string>, face: FaceName): string {
  const [family, weight] = face.split('-') as [FaceFamily, string];
  // of overlapping ranges the last rule wins in CSS, the first subset here
  return subsetsOf(texts, face)
    .subsets.reverse()
    .map(
      ({ range, woff2 }) =>
        `@font-face{font-family:"${cssFamilies[family]}";font-weight:${weight};` +
        `src:url(data:font/woff2;base64,${woff2}) format("woff2");unicode-range:${range}}`,
    )
    .join('');
}

// faces of one width in English text, by the names that their makers gave them; the mean of letters and figures says how
// far they are stretched to be as wide as ours
const localFaces = {
  'sans-400': {
    stretch: 1.03,
    names: ['Arial', 'ArialMT', 'Helvetica', 'Liberation Sans', 'LiberationSans', 'Arimo', 'Roboto'],
  },
  'sans-600': {
    stretch: 0.99,
    names: [
      'Arial Bold',
      'Arial-BoldMT',
      'Helvetica-Bold',
      'Liberation Sans Bold',
      'LiberationSans-Bold',
      'Arimo Bold',
      'Roboto Medium',
    ],
  },
} as const;

/** Writes an `@font-face` rule that sets a family of the sheet in a face of the reader's machine, at our widths (V53a). */
export function localFaceRule(face: keyof typeof localFaces): string {
  const { stretch, names } = localFaces[face];
  const { ascent, descent, unitsPerEm } = faces[face];
  const [family, weight] = face.split('-') as ['sans', string];
  const percent = (ratio: number) => `${Math.round(ratio * 1000) / 10}%`;
  return (
    `@font-face{font-family:"${cssFamilies[family]}";font-weight:${weight};` +
    `src:${names.map((name) => `local("${name}")`).join()};size-adjust:${percent(stretch)};` +
    `ascent-override:${percent(ascent / unitsPerEm / stretch)};descent-override:${percent(descent / unitsPerEm / stretch)};line-gap-override:0%}`
  );
}
