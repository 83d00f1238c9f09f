// @ts-expect-error: the package brings no types
import PDFDocument from 'pdfkit';
import type { Subset } from '../type/faces.ts';
import type { PdfFont } from './pdfFaces.ts';

// What the room uses of pdfkit 0.20, typed here: the one door to the package (V60).

/** An element of the structure tree; a function draws its content on the current page as it is added. */
export type StructureElement = {
  add(child: StructureElement | (() => void)): StructureElement;
  end(): void;
};

export type ElementOptions = {
  readonly alt?: string;
  readonly scope?: 'Row' | 'Column';
  /** Left, top, right and bottom in points from the top left corner of the page. */
  readonly bbox?: readonly [number, number, number, number];
};

/** A document that is being written; lengths are points from the top left corner of its page. */
export type PdfKitDocument = {
  /** Replaced by the hash of the file's own bytes once it is written. */
  _id: Uint8Array;
  /** The font that texts are set in; its runs are read and never changed. */
  readonly _font: FontOfPackage;
  readonly outline: {
    addItem(
      title: string,
      where: { readonly top: number; readonly left: number; readonly expanded?: boolean },
    ): unknown;
  };
  registerFont(name: string, font: Uint8Array): PdfKitDocument;
  font(name: string): PdfKitDocument;
  fontSize(size: number): PdfKitDocument;
  fillColor(colour: string): PdfKitDocument;
  text(
    text: string,
    x: number,
    y: number,
    options: {
      readonly lineBreak: false;
      readonly baseline: 'alphabetic';
      readonly features: Readonly<Record<string, boolean>>;
    },
  ): PdfKitDocument;
  save(): PdfKitDocument;
  restore(): PdfKitDocument;
  rect(x: number, y: number, w: number, h: number): PdfKitDocument;
  moveTo(x: number, y: number): PdfKitDocument;
  lineTo(x: number, y: number): PdfKitDocument;
  quadraticCurveTo(cx: number, cy: number, x: number, y: number): PdfKitDocument;
  bezierCurveTo(c1x: number, c1y: number, c2x: number, c2y: number, x: number, y: number): PdfKitDocument;
  closePath(): PdfKitDocument;
  lineWidth(width: number): PdfKitDocument;
  dash(length: number, options: { readonly space: number }): PdfKitDocument;
  fill(colour: string): PdfKitDocument;
  stroke(colour: string): PdfKitDocument;
  fillAndStroke(fill: string, stroke: string): PdfKitDocument;
  addPage(): PdfKitDocument;
  struct(type: string, options?: ElementOptions): StructureElement;
  addStructure(element: StructureElement): PdfKitDocument;
  markContent(tag: string, options: { readonly type?: string; readonly actual?: string }): PdfKitDocument;
  endMarkedContent(): PdfKitDocument;
  on(event: 'data', listener: (chunk: Uint8Array) => void): PdfKitDocument;
  on(event: 'end', listener: () => void): PdfKitDocument;
  on(event: 'error', listener: (cause: Error) => void): PdfKitDocument;
  end(): void;
};

type PdfFile = {
  readonly size: readonly [number, number];
  readonly title: string;
  /** UTC instant that the file states as its creation. */
  readonly createdAt: string;
};

/** Begins a document in these fonts. */
export function pdfKitDocument(
  { size, title, createdAt }: PdfFile,
  fonts: readonly PdfFont[],
): PdfKitDocument {
  const maker = 'Issuer Intelligence';
  const doc = new PDFDocument({
    ...{
      size,
      margin: 0,
      pdfVersion: '1.7',
      tagged: true,
      displayTitle: true,
      lang: 'en',
      autoFirstPage: false,
    },
    // no font until one is chosen: the library's own would be read from its files
    font: '',
    fontLayoutCache: false,
    info: {
      ...{ Title: title, Author: maker, Creator: maker, Producer: 'PDFKit' },
      // biome-ignore lint/style/noRestrictedGlobals: an argument in the form the package takes, no clock
      CreationDate: new Date(createdAt),
    },
  }) as PdfKitDocument;
  for (const { name, font } of fonts) doc.registerFont(name, font);
  return layingOut(doc, new Map(fonts.map(({ name, subset }) => [name, subset])));
}

type FontOfPackage = {
  layout: (text: string, features?: object) => GlyphRun;
  readonly font: { readonly unitsPerEm: number; glyphForCodePoint(codePoint: number): Glyph };
};

/**
 * The package has every text shaped three times: for its width, for its glyphs and for the place behind it. Here a font
 * lays texts out as they were measured, and what needs the shaper is shaped once.
 */
function layingOut(doc: PdfKitDocument, subsets: ReadonlyMap<string, Subset>): PdfKitDocument {
  const choose = doc.font.bind(doc);
  const chosen = new Set<object>();
  doc.font = (name) => {
    choose(name);
    const font = doc._font;
    const subset = subsets.get(name);
    if (subset === undefined || chosen.has(font)) return doc;
    chosen.add(font);
    const shape = font.layout.bind(font);
    const { unitsPerEm } = font.font;
    const measured = measuredLayout(subset, {
      unitsPerEm,
      glyphOf: (codePoint) => font.font.glyphForCodePoint(codePoint),
    });
    let last: { readonly text: string; readonly run: GlyphRun } | null = null;
    font.layout = (text, features) => {
      if (last?.text !== text) last = { text, run: measured(text) ?? shape(text, features) };
      return last.run;
    };
    return doc;
  };
  return doc;
}

type Glyph = {
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
type GlyphRun = {
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
