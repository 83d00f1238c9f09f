import type { Cpx } from '../geometry/rect.ts';
import type { PathCommand, Point } from '../geometry/segment.ts';
import type { Paint, RectItem, TextItem } from '../scene/scene.ts';
import { colourOf } from '../theme/tokens.ts';
import { faces } from '../type/faces.ts';
import { measureText, subsetFor, type TextStyle } from '../type/measureText.ts';
import { pdfFontName } from './pdfFaces.ts';
import type { PdfKitDocument } from './pdfKit.ts';

/** Where a drawing stands on its page, and how much smaller it is. */
export type Placement = { readonly x: Cpx; readonly y: Cpx; readonly scale: number };

/** The painted part of a text. */
export type DrawnText = Pick<TextItem, 'text' | 'x' | 'baseline' | 'style' | 'colour'>;

/** The measured widths of V9 know kerning and no ligatures. */
export const measuredFeatures = { liga: false, clig: false, calt: false, kern: true };

/** Hundredths of a px as points, at most three decimals (V2). */
export const points = (value: Cpx) => Math.round(value * 7.5) / 1_000;

/** Draws a text at its measured place, in the colours of print (V36). */
export function drawText(doc: PdfKitDocument, item: DrawnText, at: Placement): void {
  const { text, x, baseline, style, colour } = item;
  const { runs, replaced } = textRuns(text, style);
  if (replaced) doc.markContent('Span', { actual: text });
  doc.fillColor(colourOf(colour, 'light')).fontSize(points(style.size * at.scale));
  for (const run of runs)
    doc
      .font(pdfFontName(style.face, run.subset))
      .text(run.text, points(at.x + (x + run.x) * at.scale), points(at.y + baseline * at.scale), {
        lineBreak: false,
        baseline: 'alphabetic',
        features: measuredFeatures,
      });
  if (replaced) doc.endMarkedContent();
}

/** Draws a rectangle. */
export function drawRect(
  doc: PdfKitDocument,
  { box, paint }: Pick<RectItem, 'box' | 'paint'>,
  at: Placement,
): void {
  const [x, y] = [points(at.x + box.x * at.scale), points(at.y + box.y * at.scale)];
  const [w, h] = [points(box.w * at.scale), points(box.h * at.scale)];
  doc.save();
  doc.rect(x, y, w, h);
  painted(doc, paint, at);
  doc.restore();
}

/** Draws a path of lines, curves and arcs. */
export function drawPath(
  doc: PdfKitDocument,
  { commands, paint }: { readonly commands: readonly PathCommand[]; readonly paint: Paint },
  at: Placement,
): void {
  const place = ({ x, y }: Point): [number, number] => [
    points(at.x + x * at.scale),
    points(at.y + y * at.scale),
  ];
  doc.save();
  let from: Point = { x: 0, y: 0 };
  for (const command of commands) {
    switch (command.to) {
      case 'move':
        doc.moveTo(...place(command));
        break;
      case 'line':
        doc.lineTo(...place(command));
        break;
      case 'curve':
        doc.quadraticCurveTo(...place({ x: command.cx, y: command.cy }), ...place(command));
        break;
      case 'arc': {
        const { rx, ry, clockwise, x, y } = command;
        for (const { first, second, to } of arcCurves(from, { rx, ry, clockwise, to: { x, y } }))
          doc.bezierCurveTo(...place(first), ...place(second), ...place(to));
        break;
      }
      case 'close':
        doc.closePath();
    }
    if (command.to !== 'close') from = { x: command.x, y: command.y };
  }
  painted(doc, paint, at);
  doc.restore();
}

function painted(
  doc: PdfKitDocument,
  { fill, stroke, strokeWidth, dash }: Paint,
  { scale }: Placement,
): void {
  if (stroke !== null) doc.lineWidth(points(strokeWidth * scale));
  const [length, space = length] = dash;
  if (length !== undefined && space !== undefined)
    doc.dash(points(length * scale), { space: points(space * scale) });
  if (fill !== null && stroke !== null) doc.fillAndStroke(colourOf(fill, 'light'), colourOf(stroke, 'light'));
  else if (fill !== null) doc.fill(colourOf(fill, 'light'));
  else if (stroke !== null) doc.stroke(colourOf(stroke, 'light'));
}

type TextRun = { readonly text: string; readonly subset: string; readonly x: Cpx };

const substitute = '?';

/**
 * A line of text as runs of single subsets, each where V9 measures it. What no subset has is painted as a question mark
 * and `replaced` says so: the file then carries the true text beside the painted one (V12).
 */
export function textRuns(text: string, style: TextStyle): { runs: readonly TextRun[]; replaced: boolean } {
  const runs: { text: string; subset: string; x: Cpx }[] = [];
  let replaced = false;
  let before = '';
  for (const character of text) {
    const own = subsetFor(faces[style.face], character.codePointAt(0) ?? 0);
    const last = runs.at(-1);
    if (own === null) {
      replaced = true;
      const x = measureText(before, style);
      // marks and joiners take no room and are skipped
      if (measureText(before + character, style) > x) runs.push({ text: substitute, subset: 'latin', x });
    } else if (last !== undefined && last.subset === own.name) {
      last.text += character;
    } else {
      runs.push({ text: character, subset: own.name, x: measureText(before, style) });
    }
    before += character;
  }
  return { runs, replaced };
}

type Curve = { readonly first: Point; readonly second: Point; readonly to: Point };

/**
 * An arc of at most half an ellipse, its axes level and upright, as two cubic curves (V3: square roots alone).
 *
 * @param clockwise as seen with y growing downwards
 */
export function arcCurves(
  from: Point,
  { rx, ry, clockwise, to }: { rx: number; ry: number; clockwise: boolean; to: Point },
): readonly Curve[] {
  if (rx === 0 || ry === 0 || (from.x === to.x && from.y === to.y)) return [{ first: from, second: to, to }];
  // on the circle of radius 1
  const [a, b] = [from, to].map(({ x, y }) => ({ x: x / rx, y: y / ry })) as [Point, Point];
  const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  const half = { x: (a.x - b.x) / 2, y: (a.y - b.y) / 2 };
  const square = half.x * half.x + half.y * half.y;
  const away = square >= 1 ? 0 : Math.sqrt((1 - square) / square);
  const turn = clockwise ? 1 : -1;
  const centre = { x: middle.x + turn * away * half.y, y: middle.y - turn * away * half.x };
  const [dx, dy] = [a.x - centre.x, a.y - centre.y];
  const radius = Math.sqrt(dx * dx + dy * dy);
  // the top of the bow lies at right angles to its chord
  const chord = Math.sqrt(square);
  const top = {
    x: centre.x - (turn * radius * half.y) / chord,
    y: centre.y + (turn * radius * half.x) / chord,
  };
  const bend = (p: Point, q: Point): Curve => {
    const [u, v] = [p, q].map(({ x, y }) => ({ x: (x - centre.x) / radius, y: (y - centre.y) / radius })) as [
      Point,
      Point,
    ];
    const cosine = Math.min(1, Math.max(-1, u.x * v.x + u.y * v.y));
    const [sinHalf, cosHalf] = [Math.sqrt((1 - cosine) / 2), Math.sqrt((1 + cosine) / 2)];
    const k = ((4 / 3) * sinHalf * radius * turn) / (1 + cosHalf);
    const scaled = ({ x, y }: Point) => ({ x: x * rx, y: y * ry });
    return {
      first: scaled({ x: p.x - k * u.y, y: p.y + k * u.x }),
      second: scaled({ x: q.x + k * v.y, y: q.y - k * v.x }),
      to: scaled(q),
    };
  };
  return [bend(a, top), bend(top, b)];
}
