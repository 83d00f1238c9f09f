import type { Cpx } from '../geometry/cpx.ts';
import { capHeight } from '../scene/pen.ts';
import type { ColourRole } from '../theme/tokens.ts';
import { measureText, type TextStyle } from '../type/measureText.ts';
import { breakLines, wrapText } from '../type/wrapText.ts';
import type { DrawnText } from './pdfPen.ts';

export type Setting = {
  readonly style: TextStyle;
  readonly colour: ColourRole;
  readonly width: Cpx;
  readonly x: Cpx;
  readonly top: Cpx;
  readonly align?: 'start' | 'end';
  /** Lines of one length, for headings. */
  readonly balanced?: boolean;
};

/** Height of a line: 1.3 of the size in headings, 1.45 else. */
export function lineHeight({ face, size }: TextStyle): Cpx {
  return Math.round((size * (face.endsWith('600') && size > 1_200 ? 130 : 145)) / 100);
}

/** Sets a clean text in lines of at most `width` below `top`. */
export function setLines(text: string, setting: Setting): DrawnText[] {
  const { style, colour, width, x, top, align = 'start', balanced = false } = setting;
  if (text === '') return [];
  const height = lineHeight(style);
  const room = { ...style, max: width };
  const lines = balanced ? wrapText(text, room).lines : breakLines(text, room);
  return lines.map((line, i) => ({
    text: line,
    x: align === 'start' ? x : x + width - measureText(line, style),
    baseline: top + i * height + Math.floor((height + capHeight(style)) / 2),
    style,
    colour,
  }));
}
