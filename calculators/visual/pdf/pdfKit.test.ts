import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FaceName, faces } from '../type/faces.ts';
import { pdfFaces } from './pdfFaces.ts';
import { measuredLayout, pdfKitDocument } from './pdfKit.ts';
import { measuredFeatures } from './pdfPen.ts';

const options = { size: [600, 800], title: 'x', createdAt: '2026-02-07T00:00:00Z' } as const;
const needsShaper = /[\p{M}\p{Cf}\u2044]/u;
const charactersOf = (face: FaceName) =>
  faces[face].subsets.map(({ name, advances }) => ({
    name: `${face} ${name}`,
    characters: [...advances.keys()].map((one) => String.fromCodePoint(one)),
  }));
const subsets = [...charactersOf('sans-400'), ...charactersOf('sans-600')];

const fonts = await pdfFaces(subsets.flatMap(({ characters }) => characters));
/** A document that lays out as the reports do, and one that has each text shaped by the package. */
const [measured, shaped] = [pdfKitDocument(options, fonts), pdfKitDocument(options, [])];
for (const { name, font } of fonts) shaped.registerFont(name, font);

/** Glyph and advance of each character, which is all that is written of a text. */
function written(doc: typeof measured, { font, text }: { font: string; text: string }): string[] {
  doc.font(font);
  const { glyphs, positions } = doc._font.layout(text, measuredFeatures);
  return positions.map(
    ({ xAdvance, advanceWidth, xOffset, yOffset }, i) =>
      `${glyphs[i]?.id} ${xAdvance} ${advanceWidth} ${xOffset} ${yOffset}`,
  );
}

describe('a layout by measured widths', () => {
  it.each(subsets)('of $name is what the shaper makes of any text', ({ name: font, characters }) => {
    const plain = characters.filter((one) => !needsShaper.test(one));
    expect(plain.length).toBeGreaterThan(70);
    const text = fc
      .array(fc.constantFrom(...plain), { minLength: 1, maxLength: 40 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (one) => {
        expect(written(measured, { font, text: one })).toEqual(written(shaped, { font, text: one }));
      }),
      { numRuns: 60 },
    );
    // each character once, beside two others
    for (const one of [plain.join(''), plain.toReversed().join('')])
      expect(written(measured, { font, text: one })).toEqual(written(shaped, { font, text: one }));
  });

  it('adds to each advance the kerning with what follows, in thousandths of the size', () => {
    const [a, v] = [65, 86];
    const layout = measuredLayout(
      {
        advances: new Map([
          [a, 1_300],
          [v, 1_200],
        ]),
        kerning: new Map([[a, new Map([[v, -80]])]]),
      },
      {
        unitsPerEm: 2_000,
        glyphOf: (codePoint) => ({ id: codePoint + 1, advanceWidth: 0, codePoints: [codePoint] }),
      },
    );
    const run = layout('AVA');
    expect(run?.glyphs.map(({ id }) => id)).toEqual([66, 87, 66]);
    expect(run?.positions.map(({ xAdvance, advanceWidth }) => [xAdvance, advanceWidth])).toEqual([
      [610, 650],
      [600, 600],
      [650, 650],
    ]);
    expect(run?.advanceWidth).toBe(1_860);
  });

  it.each(['e\u0301', 'a\u00adb', '1\u20442'])('leaves %j to the shaper', (text) => {
    const font = 'sans-400 latin';
    expect(written(measured, { font, text })).toEqual(written(shaped, { font, text }));
  });
});
