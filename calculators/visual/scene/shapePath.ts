import type { Cpx, Rect } from '../geometry/rect.ts';
import { distance, type PathCommand, roundedPath, towards } from '../geometry/segment.ts';
import type { LineItem, NodeKind, Paint, PathItem, ShapeItem } from './scene.ts';
import { endRadius, shapeSizes } from './shapeGeometry.ts';

type ShapePath = {
  readonly commands: readonly PathCommand[];
  readonly filled: boolean;
  readonly stroked: boolean;
};

const { point, cap, fold, ring, corner } = shapeSizes;
const line = (x: Cpx, y: Cpx): PathCommand => ({ to: 'line', x, y });
const move = (x: Cpx, y: Cpx): PathCommand => ({ to: 'move', x, y });
const close: PathCommand = { to: 'close' };
const outline = (...commands: PathCommand[]): ShapePath => ({ commands, filled: true, stroked: true });
const stroke = (...commands: PathCommand[]): ShapePath => ({ commands, filled: false, stroked: true });

/** The paths of a node's shape inside its box, in paint order (V16). */
function shapePath(kind: NodeKind, box: Rect): ShapePath[] {
  const { x, y, w, h } = box;
  const [right, bottom, middle] = [x + w, y + h, y + Math.floor(h / 2)];
  const arc = (rx: Cpx, ry: Cpx, to: readonly [Cpx, Cpx], clockwise = true): PathCommand => {
    const [toX, toY] = to;
    return { to: 'arc', rx, ry, clockwise, x: toX, y: toY };
  };
  const round = (radius: Cpx, by: Cpx): PathCommand[] => {
    const [l, t, r, b] = [x + by, y + by, right - by, bottom - by];
    const q = Math.min(radius, Math.floor((b - t) / 2), Math.floor((r - l) / 2));
    return [
      move(l + q, t),
      line(r - q, t),
      arc(q, q, [r, t + q]),
      line(r, b - q),
      arc(q, q, [r - q, b]),
      line(l + q, b),
      arc(q, q, [l, b - q]),
      line(l, t + q),
      arc(q, q, [l + q, t]),
      close,
    ];
  };
  const half = Math.floor(w / 2);
  switch (kind) {
    case 'decision':
      return [
        outline(
          move(x + point, y),
          line(right - point, y),
          line(right, middle),
          line(right - point, bottom),
          line(x + point, bottom),
          line(x, middle),
          close,
        ),
      ];
    case 'store':
      return [
        outline(
          move(x, y + cap),
          arc(half, cap, [right, y + cap]),
          line(right, bottom - cap),
          arc(half, cap, [x, bottom - cap]),
          close,
        ),
        stroke(move(x, y + cap), arc(half, cap, [right, y + cap], false)),
      ];
    case 'document':
      return [
        outline(
          move(x, y),
          line(right - fold, y),
          line(right, y + fold),
          line(right, bottom),
          line(x, bottom),
          close,
        ),
        stroke(move(right - fold, y), line(right - fold, y + fold), line(right, y + fold)),
      ];
    case 'actor':
      return [outline(...round(endRadius(h), 0))];
    case 'event':
      return [outline(...round(endRadius(h), 0)), stroke(...round(endRadius(h) - ring, ring))];
    case 'note':
      return [
        { commands: [...round(0, 0)], filled: true, stroked: false },
        stroke(move(x + fold, y), line(x, y), line(x, bottom), line(x + fold, bottom)),
      ];
    default:
      return [outline(...round(corner, 0))];
  }
}

const cornerRadius: Cpx = 800;

/** The path of an edge: round at its corners, and shorter by what its head covers. */
function linePath({ points, trim }: LineItem): PathCommand[] {
  const [last, before] = [points.at(-1), points.at(-2)];
  const drawn =
    last === undefined || before === undefined
      ? points
      : [...points.slice(0, -1), towards(last, before, trim, distance(last, before))];
  return roundedPath(drawn, cornerRadius);
}

/** The painted paths of a node's outline, an edge or a path, in paint order. */
export function itemPaths(
  item: ShapeItem | LineItem | PathItem,
): { readonly commands: readonly PathCommand[]; readonly paint: Paint }[] {
  const { paint } = item;
  if (item.type === 'path') return [{ commands: item.commands, paint }];
  if (item.type === 'line') return [{ commands: linePath(item), paint }];
  return shapePath(item.kind, item.box).map(({ commands, filled, stroked }) => ({
    commands,
    paint: { ...paint, fill: filled ? paint.fill : null, stroke: stroked ? paint.stroke : null },
  }));
}
