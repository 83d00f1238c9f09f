import type { Cpx } from '../geometry/cpx.ts';
import type { PathCommand } from '../geometry/polyline.ts';
import type { Point } from '../geometry/segment.ts';
import type { Paint, RectItem, TextItem } from '../scene/scene.ts';
import { colourOf } from '../theme/tokens.ts';
import { arcCurves } from './arcCurves.ts';
import { pdfFontName } from './pdfFaces.ts';
import type { PdfKitDocument } from './pdfKit.ts';
import { textRuns } from './textRuns.ts';

/** Where a drawing stands on its page, and how much smaller it is. */
export type Placement = { readonly x: Cpx; readonly y: Cpx; readonly scale: number };

/** What is drawn of a text. */
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
  { box, radius, paint }: Omit<RectItem, 'type' | 'subject'>,
  at: Placement,
): void {
  const [x, y] = [points(at.x + box.x * at.scale), points(at.y + box.y * at.scale)];
  const [w, h] = [points(box.w * at.scale), points(box.h * at.scale)];
  doc.save();
  if (radius === 0) doc.rect(x, y, w, h);
  else doc.roundedRect(x, y, w, h, points(radius * at.scale));
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
