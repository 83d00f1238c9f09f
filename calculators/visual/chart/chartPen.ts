import type { Cpx, Rect } from '../geometry/rect.ts';
import { type PathCommand, type Point, pointAt } from '../geometry/segment.ts';
import { paint } from '../scene/pen.ts';
import type { PathItem, RectItem, SceneItem, Subject, TextItem } from '../scene/scene.ts';
import type { ColourRole } from '../theme/tokens.ts';
import { cleanText, measureText, type TextStyle } from '../type/measureText.ts';

/** The three sizes of text in charts (V37): names and values, notes and scales, extremes. */
export const chartSizes = { base: 1_250, small: 1_150, tiny: 1_050 } as const;

/** Faces that a viewer puts in place of the embedded ones are at most that much wider: what stands beside words starts there. */
export const fallbackWidth = 1.2;

export const styles = {
  base: { face: 'sans-400', size: chartSizes.base },
  strong: { face: 'sans-600', size: chartSizes.base },
  small: { face: 'sans-400', size: chartSizes.small },
  smallStrong: { face: 'sans-600', size: chartSizes.small },
  tiny: { face: 'sans-400', size: chartSizes.tiny },
} as const satisfies Record<string, TextStyle>;

const subject: Subject = { of: 'axis', id: 'chart' };
export type Fill = Parameters<typeof paint>[0];

export type Label = {
  readonly text: string;
  /** Where the run starts, ends or has its middle, as `align` says. */
  readonly x: Cpx;
  /** What the capitals are centred on, where no baseline is given. */
  readonly y?: Cpx;
  readonly baseline?: Cpx;
  readonly style?: TextStyle;
  /** Heavy text is `text`, other `quiet`, where nothing is said. */
  readonly colour?: ColourRole;
  readonly align?: 'start' | 'middle' | 'end';
};

/** One line of text, placed by its measured left edge (V2). */
export function label({ text, x, y = 0, style = styles.small, align = 'start', ...given }: Label): TextItem {
  const { baseline = centredOn(y, style), colour = style.face.endsWith('600') ? 'text' : 'quiet' } = given;
  const clean = cleanText(text);
  const width = measureText(clean, style);
  const before = align === 'start' ? 0 : align === 'end' ? width : Math.ceil(width / 2);
  return { type: 'text', text: clean, x: x - before, baseline, width, style, colour, subject };
}

/** The text as it is where it is no wider than `most`, else cut at a character with an ellipsis. */
export function shortened(text: string, { most, style }: { most: Cpx; style: TextStyle }): string {
  const clean = cleanText(text);
  if (measureText(clean, style) <= most) return clean;
  const characters = [...clean].slice(0, 200);
  let [fits, fails] = [0, characters.length];
  while (fails - fits > 1) {
    const middle = Math.floor((fits + fails) / 2);
    if (measureText(`${characters.slice(0, middle).join('')}…`, style) <= most) fits = middle;
    else fails = middle;
  }
  return `${characters.slice(0, fits).join('').trimEnd()}…`;
}

export function bar(box: Rect, fill: Fill): RectItem {
  return { type: 'rect', box, paint: paint(fill), subject };
}

const path = (commands: readonly PathCommand[], fill: Fill): PathItem => ({
  type: 'path',
  commands,
  paint: paint(fill),
  subject,
});
const through = (points: readonly Point[]) =>
  points.map(({ x, y }, i): PathCommand => ({ to: i === 0 ? 'move' : 'line', x, y }));

/** A straight line through points; the caller paints a run of one point as a dot. */
export function rule(points: readonly Point[], stroke: Fill): PathItem {
  return path(through(points), stroke);
}

/** A level line. */
export function level(y: Cpx, [from, to]: readonly [Cpx, Cpx], stroke: Fill): PathItem {
  return rule([pointAt(from, y), pointAt(to, y)], stroke);
}

/** A line down the picture. */
export function upright(x: Cpx, [from, to]: readonly [Cpx, Cpx], stroke: Fill): PathItem {
  return rule([pointAt(x, from), pointAt(x, to)], stroke);
}

/** A closed outline. */
export function polygon(points: readonly Point[], fill: Fill): PathItem {
  return path([...through(points), { to: 'close' }], fill);
}

export function circle({ x, y, r }: Point & { readonly r: Cpx }, fill: Fill): PathItem {
  const half = (toX: Cpx): PathCommand => ({ to: 'arc', rx: r, ry: r, clockwise: true, x: toX, y });
  return path([{ to: 'move', x: x - r, y }, half(x + r), half(x - r), { to: 'close' }], fill);
}

/** Baseline of a line of text whose capitals are centred on `y`. */
export function centredOn(y: Cpx, { size }: TextStyle): Cpx {
  // capitals are 698 of 1000 units high
  return y + Math.round((size * 349) / 1_000);
}

/** A sample with its name, which begins `lead` behind it. */
export type LegendEntry = {
  readonly name: string;
  readonly lead?: Cpx;
  readonly sample: (x: Cpx, y: Cpx) => readonly SceneItem[];
};

/** Samples with their names from `left` on, in lines `step` apart and no wider than the picture; the first on `y`. */
export function legendLines(
  entries: readonly LegendEntry[],
  place: { left: Cpx; width: Cpx; y: Cpx; step: Cpx; gap: Cpx; stretch?: number },
): { items: SceneItem[]; end: Cpx } {
  const { left, width, step, gap, stretch = 1 } = place;
  const items: SceneItem[] = [];
  let [x, y] = [left, place.y];
  for (const { name, lead = 1_300, sample } of entries) {
    const taken = lead + Math.round(stretch * measureText(name, styles.small));
    if (x > left && x + taken > width) [x, y] = [left, y + step];
    items.push(...sample(x, y), label({ text: name, x: x + lead, y }));
    x += taken + gap;
  }
  return { items, end: y };
}

/** A square of 9 px in the middle of a line, the sample of a colour. */
export const swatch =
  (fill: ColourRole) =>
  (x: Cpx, y: Cpx): SceneItem[] => [bar({ x, y: y - 450, w: 900, h: 900 }, { fill })];
