import { type Cpx, px } from '../geometry/rect.ts';
import type { PathCommand } from '../geometry/segment.ts';
import { type ColourRole, colourOf, roleClass, type ThemeName } from '../theme/tokens.ts';
import { cssFamilies, type FaceFamily, type FaceName } from '../type/faces.ts';
import { cleanText, faceRules, isRightToLeft } from '../type/measureText.ts';
import type { Paint, Scene, SceneItem, TextItem } from './scene.ts';
import { itemPaths } from './shapePath.ts';

export type SvgRoot = {
  /** Prefix of every id in the file. */
  readonly id: string;
  readonly language: string;
  readonly title: string;
  readonly description: string;
  readonly theme: ThemeName;
  readonly family: FaceFamily;
  /** Left out where the page around the picture carries the faces (V13). */
  readonly faces?: 'embedded' | 'none';
  /** Whether elements name their roles as classes, so that the sheet of a page wins over the colours (V54). */
  readonly roleClasses?: boolean;
};

/** How roles are written: as a colour of the theme, and as a class where a sheet may win. */
type Ink = Pick<SvgRoot, 'theme' | 'roleClasses'>;

const fallbacks: Readonly<Record<FaceFamily, string>> = {
  sans: 'system-ui,sans-serif',
  serif: 'Georgia,serif',
  mono: 'ui-monospace,monospace',
};

/** Writes a scene as an SVG file, with the faces its texts need unless the page around it has them (V13, V20). */
export function writeSvg(scene: Scene, svgRoot: SvgRoot): string {
  const { id, language, title, description, family, faces = 'embedded' } = svgRoot;
  const { width, height } = svgSize(scene);
  const root = [
    'xmlns="http://www.w3.org/2000/svg"',
    `viewBox="0 0 ${px(scene.width)} ${px(scene.height)}"`,
    `width="${width}" height="${height}"`,
    `role="img" lang="${escaped(language)}" aria-labelledby="${id}-title ${id}-desc"`,
    `font-family="&quot;${cssFamilies[family]}&quot;,${fallbacks[family]}" text-rendering="geometricPrecision"`,
  ].join(' ');
  // a px more on every side: a scaled picture is rounded to whole px
  const [across, below] = [px(scene.width + 200), px(scene.height + 200)];
  const ground = `<rect x="-1" y="-1" width="${across}" height="${below}"${inked({ fill: 'ground' }, svgRoot)}/>`;
  const style = `<style>${sceneFaces(scene, family)}text{font-variant-ligatures:none;font-kerning:normal}</style>`;
  // read aloud instead of rendered, they may hold no more than what is rendered (V12)
  const [named, described] = [title, description].map((text) => escaped(cleanText(text)));
  return [
    `<svg ${root}><title id="${id}-title">${named}</title><desc id="${id}-desc">${described}</desc>`,
    ...(faces === 'none' ? [] : [style]),
    ground,
    ...scene.items.map((item) => written(item, svgRoot)),
    '</svg>\n',
  ].join('\n');
}

/** Width and height of the picture in whole px, scaled. */
export function svgSize({ width, height, scale }: Scene): { width: number; height: number } {
  const scaled = (value: Cpx) => Math.round((value * scale) / 100_000_000);
  return { width: scaled(width), height: scaled(height) };
}

function sceneFaces({ items }: Scene, family: FaceFamily): string {
  const texts = items.filter((item) => item.type === 'text');
  return ([400, 600] as const)
    .map((weight) => {
      const face: FaceName = `${family}-${weight}`;
      const set = texts.filter(({ style }) => style.face === face).map(({ text }) => text);
      return faceRules(set, face);
    })
    .join('');
}

function written(item: SceneItem, ink: Ink): string {
  if (item.type === 'text') return textElement(item, ink);
  if (item.type === 'rect') {
    const { x, y, w, h } = item.box;
    return `<rect x="${px(x)}" y="${px(y)}" width="${px(w)}" height="${px(h)}"${painted(item.paint, ink)}/>`;
  }
  return itemPaths(item)
    .map(({ commands, paint }) => `<path d="${commands.map(step).join('')}"${painted(paint, ink)}/>`)
    .join('');
}

function textElement({ text, x, baseline, width, style, colour }: TextItem, ink: Ink): string {
  const rightToLeft = isRightToLeft(text);
  // a run that reads from the right is placed by its right edge
  const at = rightToLeft ? x + width : x;
  const weight = style.face.endsWith('600') ? ' font-weight="600"' : '';
  const direction = rightToLeft ? ' direction="rtl"' : '';
  return (
    `<text x="${px(at)}" y="${px(baseline)}" font-size="${px(style.size)}"${weight}${direction}` +
    `${inked({ fill: colour }, ink)} textLength="${px(width)}" lengthAdjust="spacingAndGlyphs">${escaped(text)}</text>`
  );
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

function painted({ fill, stroke, strokeWidth, dash }: Paint, ink: Ink): string {
  if (stroke === null) return inked({ fill }, ink);
  const dashes = dash.length === 0 ? '' : ` stroke-dasharray="${dash.map(px).join(' ')}"`;
  return `${inked({ fill, stroke }, ink)} stroke-width="${px(strokeWidth)}"${dashes}`;
}

function inked(uses: { fill: ColourRole | null; stroke?: ColourRole }, { theme, roleClasses }: Ink): string {
  const { fill, stroke } = uses;
  const filled = ` fill="${fill === null ? 'none' : colourOf(fill, theme)}"`;
  const stroked = stroke === undefined ? '' : ` stroke="${colourOf(stroke, theme)}"`;
  const classes = [
    ...(fill === null ? [] : [roleClass('fill', fill)]),
    ...(stroke === undefined ? [] : [roleClass('stroke', stroke)]),
  ];
  const named = roleClasses && classes.length > 0 ? ` class="${classes.join(' ')}"` : '';
  return `${filled}${stroked}${named}`;
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
