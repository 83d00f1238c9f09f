import { type Cpx, gapBetween, holds } from '../geometry/rect.ts';
import type { TextItem } from '../scene/scene.ts';
import { textArea } from '../scene/shapeGeometry.ts';
import { textBox } from '../scene/textBox.ts';
import type { Drawn } from './drawn.ts';

export type Overflow = {
  readonly ids: readonly string[];
  readonly measured: number | null;
  readonly limit: number | null;
  readonly message: string;
};

type Limits = { readonly lines: number; readonly width: Cpx };

/**
 * Labels that do not fit: a run outside its shape's text area or wider than the viewport, more lines than allowed, an
 * edge label on a node or on another label (V24). `limits.width` is what the viewport leaves, unscaled.
 */
export function labelFit(drawn: Drawn, limits: Limits): Overflow[] {
  const texts = drawn.scene.items.filter((item) => item.type === 'text');
  return [
    ...leavingShapes(drawn, texts),
    ...tooManyLines(texts, limits),
    ...tooWide(texts, limits),
    ...meeting(drawn),
  ];
}

function leavingShapes({ nodes }: Drawn, texts: readonly TextItem[]): Overflow[] {
  const areas = new Map(nodes.map(({ id, shape }) => [id, textArea(shape.kind, shape.box)]));
  const leaving = texts.filter((text) => {
    const area = text.subject.of === 'node' ? areas.get(text.subject.id) : undefined;
    return area !== undefined && !holds(area, textBox(text));
  });
  return [...new Set(leaving.map(({ subject }) => subject.id))].map((id) => ({
    ids: [id],
    measured: null,
    limit: null,
    message: 'A line of the label leaves its shape.',
  }));
}

function tooManyLines(texts: readonly TextItem[], { lines }: Limits): Overflow[] {
  const counts = new Map<string, { id: string; count: number }>();
  for (const { subject, part } of texts) {
    if (subject.of !== 'node' && subject.of !== 'edge') continue;
    const key = `${subject.of} ${subject.id} ${part}`;
    counts.set(key, { id: subject.id, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()]
    .filter(({ count }) => count > lines)
    .map(({ id, count }) => ({
      ids: [id],
      measured: count,
      limit: lines,
      message: `The label takes ${count} lines.`,
    }));
}

function tooWide(texts: readonly TextItem[], { width }: Limits): Overflow[] {
  return texts
    .filter((text) => text.width > width)
    .map((text) => ({
      ids: [text.subject.id],
      measured: Math.floor(text.width) / 100,
      limit: Math.floor(width) / 100,
      message: 'A line of text is wider than the viewport.',
    }));
}

function meeting({ nodes, edges }: Drawn): Overflow[] {
  const labelled = edges.flatMap(({ id, label }) => (label === null ? [] : [{ id, box: label }]));
  return labelled.flatMap(({ id, box }, i) => {
    const met = [...nodes, ...labelled.slice(i + 1)].filter((other) => gapBetween(box, other.box) < 0);
    return met.map((other) => ({
      ids: [id, other.id],
      measured: null,
      limit: null,
      message: 'The label of an edge lies on a node or on another label.',
    }));
  });
}
