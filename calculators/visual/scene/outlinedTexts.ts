// @ts-expect-error: the package brings no types
import { create } from 'fontkit';
import type { PathCommand } from '../geometry/segment.ts';
import { pdfFaces, pdfFontName } from '../pdf/pdfFaces.ts';
import { measuredFeatures, textRuns } from '../pdf/pdfPen.ts';
import type { Scene, SceneItem, TextItem } from './scene.ts';

// What the room uses of fontkit 2.0, typed here: the one door to the package (V10a).

type GlyphCommand = {
  readonly command: 'moveTo' | 'lineTo' | 'quadraticCurveTo' | 'closePath';
  readonly args: readonly number[];
};

type Layout = {
  readonly glyphs: readonly { readonly path: { readonly commands: readonly GlyphCommand[] } }[];
  readonly positions: readonly {
    readonly xAdvance: number;
    readonly xOffset: number;
    readonly yOffset: number;
  }[];
};

type Font = { readonly unitsPerEm: number; layout(text: string, features: object): Layout };

/**
 * A scene whose texts are paths of their glyphs, where V9 measured them: it looks alike in a viewer without the faces
 * (V10a). Title and description of the picture still say it in words.
 */
export async function outlinedTexts(scene: Scene): Promise<Scene> {
  const texts = scene.items.flatMap((item) => (item.type === 'text' ? [item.text] : []));
  const faces = await pdfFaces(texts);
  const fonts = new Map(faces.map(({ name, font }) => [name, create(font) as Font]));
  return {
    ...scene,
    items: scene.items.map((item) => (item.type === 'text' ? outlined(item, fonts) : item)),
  };
}

function outlined(
  { text, x, baseline, style, colour, subject }: TextItem,
  fonts: ReadonlyMap<string, Font>,
): SceneItem {
  const { runs } = textRuns(text, style);
  const commands = runs.flatMap((run) => {
    const font = fonts.get(pdfFontName(style.face, run.subset));
    return font === undefined ? [] : runPath(run.text, { font, size: style.size, x: x + run.x, baseline });
  });
  const paint = { fill: colour, stroke: null, strokeWidth: 0, dash: [] };
  return { type: 'path', commands, paint, subject };
}

/** A run of glyphs; the units of a font grow upwards, those of a picture down. */
function runPath(
  text: string,
  { font, size, x, baseline }: { font: Font; size: number; x: number; baseline: number },
): PathCommand[] {
  const scale = size / font.unitsPerEm;
  const { glyphs, positions } = font.layout(text, measuredFeatures);
  let advance = 0;
  return glyphs.flatMap((glyph, i) => {
    const place = positions[i] ?? { xAdvance: 0, xOffset: 0, yOffset: 0 };
    const across = (unit: number) => Math.round(x + (advance + place.xOffset + unit) * scale);
    const down = (unit: number) => Math.round(baseline - (place.yOffset + unit) * scale);
    const commands = glyph.path.commands.map((command) => placed(command, { across, down }));
    advance += place.xAdvance;
    return commands;
  });
}

type Axes = { readonly across: (unit: number) => number; readonly down: (unit: number) => number };

function placed({ command, args }: GlyphCommand, { across, down }: Axes): PathCommand {
  const [a = 0, b = 0, c = 0, d = 0] = args;
  switch (command) {
    case 'moveTo':
      return { to: 'move', x: across(a), y: down(b) };
    case 'lineTo':
      return { to: 'line', x: across(a), y: down(b) };
    case 'quadraticCurveTo':
      return { to: 'curve', cx: across(a), cy: down(b), x: across(c), y: down(d) };
    case 'closePath':
      return { to: 'close' };
  }
}
