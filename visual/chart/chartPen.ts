import type { Cpx } from '../geometry/cpx.ts';
import type { PathCommand } from '../geometry/polyline.ts';
import type { Rect } from '../geometry/rect.ts';
import type { Point } from '../geometry/segment.ts';
import { paint } from '../scene/pen.ts';
import type { PathItem, RectItem, Subject, TextItem } from '../scene/scene.ts';
import type { ColourRole } from '../theme/tokens.ts';
import { cleanText } from '../type/cleanText.ts';
import { measureText, type TextStyle } from '../type/measureText.ts';

/** The three sizes of text in charts (V37): names and values, notes and scales, extremes. */
export const chartSizes = { base: 1_250, small: 1_150, tiny: 1_050 } as const;

export const styles = {
  base: { face: 'sans-400', size: chartSizes.base },
  strong: { face: 'sans-600', size: chartSizes.base },
  small: { face: 'sans-400', size: chartSizes.small },
  smallStrong: { face: 'sans-600', size: chartSizes.small },
  tiny: { face: 'sans-400', size: chartSizes.tiny },
} as const satisfies Record<string, TextStyle>;

const subject: Subject = { of: 'axis', id: 'chart' };
type Fill = NonNullable<Parameters<typeof paint>[0]>;

export type Label = {
  readonly text: string;
  /** Where the run starts, ends or has its middle, as `align` says. */
  readonly x: Cpx;
  readonly baseline: Cpx;
  readonly style?: TextStyle;
  readonly colour?: ColourRole;
  readonly align?: 'start' | 'middle' | 'end';
};

/** One line of text, placed by its measured left edge (V2). */
export function label({
  text,
  x,
  baseline,
  style = styles.small,
  colour = 'quiet',
  align = 'start',
}: Label): TextItem {
  const clean = cleanText(text);
  const width = measureText(clean, style);
  const before = align === 'start' ? 0 : align === 'end' ? width : Math.ceil(width / 2);
  return {
    type: 'text',
    text: clean,
    x: x - before,
    baseline,
    width,
    style,
    colour,
    subject,
    part: 0,
    cut: false,
  };
}

export function bar(box: Rect, fill: Fill): RectItem {
  return { type: 'rect', box, radius: 0, paint: paint(fill), subject };
}

/** A straight line through points; runs of one point are drawn by the caller as a dot. */
export function rule(points: readonly Point[], stroke: Fill): PathItem {
  const commands = points.map(({ x, y }, i): PathCommand => ({ to: i === 0 ? 'move' : 'line', x, y }));
  return { type: 'path', commands, paint: paint(stroke), subject };
}

/** Baseline of a line of text whose capitals are centred on `y`. */
export function centredOn(y: Cpx, { size }: TextStyle): Cpx {
  // capitals are 698 of 1000 units high
  return y + Math.round((size * 349) / 1_000);
}
