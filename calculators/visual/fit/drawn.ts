import type { Rect } from '../geometry/rect.ts';
import { type Segment, segmentsOf } from '../geometry/segment.ts';
import type { LineItem, Scene, ShapeItem, Subject } from '../scene/scene.ts';
import { itemBox } from '../scene/textBox.ts';

export type DrawnNode = { readonly id: string; readonly box: Rect; readonly shape: ShapeItem };
export type DrawnEdge = {
  readonly id: string;
  readonly ends: readonly [string, string];
  readonly line: LineItem;
  readonly segments: readonly Segment[];
  /** The ground of its label. */
  readonly label: Rect | null;
};

/** What a finished scene shows, by node and edge; nothing of the layout is known here. */
export type Drawn = {
  readonly scene: Scene;
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
  /** The box of every item, stroke included, with what it draws. */
  readonly boxes: readonly { readonly box: Rect; readonly subject: Subject }[];
};

/** Reads nodes, edges and boxes from the items of a scene (V23 to V31). */
export function drawnOf(scene: Scene): Drawn {
  const nodes = scene.items
    .filter((item) => item.type === 'shape')
    .filter(({ subject }) => subject.of === 'node')
    .map((shape) => ({ id: shape.subject.id, box: shape.box, shape }));
  const labels = new Map(
    scene.items.flatMap((item) =>
      item.type === 'rect' && item.subject.of === 'edge' ? [[item.subject.id, item.box]] : [],
    ),
  );
  const edges = scene.items.flatMap((line): DrawnEdge[] => {
    if (line.type !== 'line' || line.subject.of !== 'edge') return [];
    const { id, from, to } = line.subject;
    return [{ id, ends: [from, to], line, segments: segmentsOf(line.points), label: labels.get(id) ?? null }];
  });
  const boxes = scene.items.map((item) => ({ box: itemBox(item), subject: item.subject }));
  return { scene, nodes, edges, boxes };
}
