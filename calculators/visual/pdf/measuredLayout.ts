import type { Subset } from '../type/face.ts';

/** A glyph of the package's font. */
export type Glyph = {
  readonly id: number;
  readonly advanceWidth: number;
  readonly codePoints: readonly number[];
};

/** Where the package draws a glyph, in thousandths of the size. */
type Position = {
  readonly xAdvance: number;
  readonly yAdvance: 0;
  readonly xOffset: 0;
  readonly yOffset: 0;
  readonly advanceWidth: number;
};

/** A text as the package takes it: its glyphs in order, each with its place. */
export type GlyphRun = {
  readonly glyphs: readonly Glyph[];
  readonly positions: readonly Position[];
  readonly advanceWidth: number;
};

/** What the package's shaper does more with than set it beside its neighbour: marks, joiners, the slash of fractions. */
const shaped = /[\p{M}\p{Cf}\u2044]/u;

/**
 * Lays out texts of one subset by the advances and kerning they were measured with (V9), glyph for code point; null where
 * a text needs a shaper. Equal to the shaper's layout without ligatures (V60).
 *
 * @param glyphOf the font's glyph of a code point
 */
export function measuredLayout(
  { advances, kerning }: Pick<Subset, 'advances' | 'kerning'>,
  { unitsPerEm, glyphOf }: { readonly unitsPerEm: number; readonly glyphOf: (codePoint: number) => Glyph },
): (text: string) => GlyphRun | null {
  const scale = 1_000 / unitsPerEm;
  const glyphs = new Map<number, Glyph>();
  const kept = (codePoint: number): Glyph => {
    const known = glyphs.get(codePoint) ?? glyphOf(codePoint);
    glyphs.set(codePoint, known);
    return known;
  };
  return (text) => {
    if (shaped.test(text)) return null;
    const codePoints = Array.from(text, (character) => character.codePointAt(0) ?? 0);
    const positions = codePoints.map((codePoint, i) => {
      const advance = (advances.get(codePoint) ?? 0) * scale;
      const kern = kerning.get(codePoint)?.get(codePoints[i + 1] ?? -1) ?? 0;
      return {
        xAdvance: advance + kern * scale,
        yAdvance: 0,
        xOffset: 0,
        yOffset: 0,
        advanceWidth: advance,
      } as const;
    });
    const advanceWidth = positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
    return { glyphs: codePoints.map(kept), positions, advanceWidth };
  };
}
