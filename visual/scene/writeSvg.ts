import { type Cpx, px } from '../geometry/cpx.ts';
import { distance, type PathCommand, roundedPath, towards } from '../geometry/polyline.ts';
import { colourOf, type ThemeName } from '../theme/tokens.ts';
import type { FaceFamily, FaceName } from '../type/face.ts';
import { isRightToLeft } from '../type/isRightToLeft.ts';
import { subsetsOf } from '../type/subsetsOf.ts';
import type { LineItem, Paint, Scene, SceneItem, TextItem } from './scene.ts';
import { shapePath } from './shapePath.ts';

export type SvgRoot = {
  /** Prefix of every id in the file. */
  readonly id: string;
  readonly language: string;
  readonly title: string;
  readonly description: string;
  readonly theme: ThemeName;
  readonly family: FaceFamily;
};

const fallbacks: Readonly<Record<FaceFamily, string>> = {
  sans: '&quot;II Sans&quot;,system-ui,sans-serif',
  serif: '&quot;II Serif&quot;,Georgia,serif',
  mono: '&quot;II Mono&quot;,ui-monospace,monospace',
};
const familyNames: Readonly<Record<FaceFamily, string>> = {
  sans: 'II Sans',
  serif: 'II Serif',
  mono: 'II Mono',
};

/** Writes a scene as an SVG file that stands alone, with the faces its texts need (V13, V20). */
export function writeSvg(scene: Scene, { id, language, title, description, theme, family }: SvgRoot): string {
  const { width, height } = svgSize(scene);
  const root = [
    'xmlns="http://www.w3.org/2000/svg"',
    `viewBox="0 0 ${px(scene.width)} ${px(scene.height)}"`,
    `width="${width}" height="${height}"`,
    `role="img" lang="${escaped(language)}" aria-labelledby="${id}-title ${id}-desc"`,
    `font-family="${fallbacks[family]}" text-rendering="geometricPrecision"`,
  ].join(' ');
  // a px more on every side: a scaled picture is rounded to whole px
  const [across, below] = [px(scene.width + 200), px(scene.height + 200)];
  const ground = `<rect x="-1" y="-1" width="${across}" height="${below}" fill="${colourOf('ground', theme)}"/>`;
  return [
    `<svg ${root}><title id="${id}-title">${escaped(title)}</title><desc id="${id}-desc">${escaped(description)}</desc>`,
    `<style>${faceRules(scene, family)}text{font-variant-ligatures:none;font-kerning:normal}</style>`,
    ground,
    ...scene.items.map((item) => written(item, theme)),
    '</svg>\n',
  ].join('\n');
}

/** Width and height of the picture in whole px, scaled. */
export function svgSize({ width, height, scale }: Scene): { width: number; height: number } {
  const scaled = (value: Cpx) => Math.round((value * scale) / 100_000_000);
  return { width: scaled(width), height: scaled(height) };
}

function faceRules(scene: Scene, family: FaceFamily): string {
  const texts = scene.items.filter((item) => item.type === 'text');
  return ([400, 600] as const)
    .flatMap((weight) => {
      const face: FaceName = `${family}-${weight}`;
      const set = texts.filter(({ style }) => style.face === face).map(({ text }) => text);
      // of overlapping ranges the last rule wins in CSS, the first subset here
      return subsetsOf(set, face)
        .subsets.reverse()
        .map(
          ({ range, woff2 }) =>
            `@font-face{font-family:"${familyNames[family]}";font-weight:${weight};` +
            `src:url(data:font/woff2;base64,${woff2}) format("woff2");unicode-range:${range}}`,
        );
    })
    .join('');
}

function written(item: SceneItem, theme: ThemeName): string {
  switch (item.type) {
    case 'text':
      return textElement(item, theme);
    case 'rect': {
      const { x, y, w, h } = item.box;
      const radius = item.radius === 0 ? '' : ` rx="${px(item.radius)}"`;
      return `<rect x="${px(x)}" y="${px(y)}" width="${px(w)}" height="${px(h)}"${radius}${painted(item.paint, theme)}/>`;
    }
    case 'shape':
      return shapePath(item.kind, item.box)
        .map(({ commands, filled, stroked }) => {
          const fill = filled ? item.paint.fill : null;
          const stroke = stroked ? item.paint.stroke : null;
          return pathElement(commands, { ...item.paint, fill, stroke }, theme);
        })
        .join('');
    case 'line':
      return pathElement(roundedPath(trimmed(item), item.radius), item.paint, theme);
    case 'path':
      return pathElement(item.commands, item.paint, theme);
  }
}

function trimmed({ points, trim }: LineItem) {
  const [last, before] = [points.at(-1), points.at(-2)];
  if (last === undefined || before === undefined) return points;
  return [...points.slice(0, -1), towards(last, before, trim, distance(last, before))];
}

function textElement({ text, x, baseline, width, style, colour }: TextItem, theme: ThemeName): string {
  const rightToLeft = isRightToLeft(text);
  // a run that reads from the right is placed by its right edge
  const at = rightToLeft ? x + width : x;
  const weight = style.face.endsWith('600') ? ' font-weight="600"' : '';
  const direction = rightToLeft ? ' direction="rtl"' : '';
  return (
    `<text x="${px(at)}" y="${px(baseline)}" font-size="${px(style.size)}"${weight}${direction} ` +
    `fill="${colourOf(colour, theme)}" textLength="${px(width)}" lengthAdjust="spacingAndGlyphs">${escaped(text)}</text>`
  );
}

function pathElement(commands: readonly PathCommand[], paint: Paint, theme: ThemeName): string {
  return `<path d="${commands.map(step).join('')}"${painted(paint, theme)}/>`;
}

function step(command: PathCommand): string {
  switch (command.to) {
    case 'move':
      return `M${px(command.x)} ${px(command.y)}`;
    case 'line':
      return `L${px(command.x)} ${px(command.y)}`;
    case 'curve':
      return `Q${px(command.cx)} ${px(command.cy)} ${px(command.x)} ${px(command.y)}`;
    case 'arc': {
      const { rx, ry, clockwise, x, y } = command;
      return `A${px(rx)} ${px(ry)} 0 0 ${clockwise ? 1 : 0} ${px(x)} ${px(y)}`;
    }
    case 'close':
      return 'Z';
  }
}

function painted({ fill, stroke, strokeWidth, dash }: Paint, theme: ThemeName): string {
  const filled = ` fill="${fill === null ? 'none' : colourOf(fill, theme)}"`;
  if (stroke === null) return filled;
  const dashes = dash.length === 0 ? '' : ` stroke-dasharray="${dash.map(px).join(' ')}"`;
  return `${filled} stroke="${colourOf(stroke, theme)}" stroke-width="${px(strokeWidth)}"${dashes}`;
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
