import { distance, roundedPath, towards } from '../geometry/polyline.ts';
import type { LineItem, Scene } from '../scene/scene.ts';
import { shapePath } from '../scene/shapePath.ts';
import type { PdfKitDocument } from './pdfKit.ts';
import { drawPath, drawRect, drawText, type Placement } from './pdfPen.ts';

/** Draws a scene: its rectangles, paths and texts at their measured places, no SVG between (V60). */
export function drawScene(doc: PdfKitDocument, { items }: Scene, at: Placement): void {
  for (const item of items) {
    switch (item.type) {
      case 'text':
        drawText(doc, item, at);
        break;
      case 'rect':
        drawRect(doc, item, at);
        break;
      case 'path':
        drawPath(doc, item, at);
        break;
      case 'line':
        drawPath(doc, { commands: roundedPath(trimmed(item), item.radius), paint: item.paint }, at);
        break;
      case 'shape':
        for (const { commands, filled, stroked } of shapePath(item.kind, item.box)) {
          const fill = filled ? item.paint.fill : null;
          const stroke = stroked ? item.paint.stroke : null;
          drawPath(doc, { commands, paint: { ...item.paint, fill, stroke } }, at);
        }
    }
  }
}

function trimmed({ points, trim }: LineItem) {
  const [last, before] = [points.at(-1), points.at(-2)];
  if (last === undefined || before === undefined) return points;
  return [...points.slice(0, -1), towards(last, before, trim, distance(last, before))];
}
