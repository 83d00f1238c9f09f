import type { FitMetrics, FitReport } from '../../../data/contract/visual/fitReport.ts';
import type { ViolationCode, VisualContract } from '../../../data/contract/visual/visualContract.ts';
import { around, type Cpx, gapBetween, grown, holds, type Rect } from '../geometry/rect.ts';
import {
  crosses,
  distanceToRect,
  entersRect,
  facingDistance,
  type Point,
  type Segment,
  segmentsOf,
} from '../geometry/segment.ts';
import type { LineItem, Scene, ShapeItem, Subject, TextItem } from '../scene/scene.ts';
import { textArea } from '../scene/shapeGeometry.ts';
import { itemBox, textBox, textGrounds } from '../scene/textBox.ts';
import { colourOf, contrast } from '../theme/tokens.ts';
import { type Found, verdictOf } from './verdict.ts';

export type FitPolicies = Pick<
  VisualContract,
  'viewport_policy' | 'fit_policy' | 'accessibility' | 'render_policy'
>;

const million = 1_000_000;

/** Measures a finished scene against a contract's policies; px are those of the scaled picture (V23 to V32). */
export function measureFit(scene: Scene, policies: FitPolicies): FitReport {
  const { viewport_policy: viewport, fit_policy: fit, accessibility, render_policy } = policies;
  const drawn = drawnOf(scene);
  // lengths of policies in units of the scene, and measured ones in px as rendered
  const unscaled = (px: number): number => Math.ceil((px * 100 * million) / scene.scale);
  const drawnPx = (length: number): number => Math.floor((length * scene.scale) / million) / 100;
  const { smallest, close } = overlaps(drawn.nodes, unscaled(fit.min_node_gap));
  const placed = fromLeft(drawn.edges);
  const crossed = crossings(placed);
  const through = edgesThroughNodes(drawn.edges, drawn.nodes);
  const inner: Rect = grown(
    { x: 0, y: 0, w: 100 * viewport.width, h: 100 * viewport.height },
    -100 * viewport.margin,
  );
  const outside = drawn.boxes.filter(({ box }) => !holds(inner, scaled(box, scene.scale)));
  const texts = scene.items.filter((item) => item.type === 'text');
  const sizes = texts.map(({ style }) => style.size);
  // without any text nothing is too small
  const fontPx = sizes.length === 0 ? viewport.min_font_px : drawnPx(Math.min(...sizes));
  const overflows = labelFit(drawn, { lines: fit.max_label_lines, width: (inner.w * million) / scene.scale });
  const ratios = textGrounds(scene).map(({ text, ground }) => ({
    id: text.subject.id,
    ratio: floorTo(
      contrast(colourOf(text.colour, render_policy.theme), colourOf(ground, render_policy.theme)),
      100,
    ),
  }));
  const minContrast = Math.min(21, ...ratios.map(({ ratio }) => ratio));
  const overlapping = close.filter(({ gap }) => gap < 0);
  const found: Found[] = [
    ...overflows,
    ...unique(texts.filter(({ cut }) => cut).map(({ subject }) => subject.id)).map((id) =>
      plain('label_truncated', [id], 'The label was cut to its lines.'),
    ),
    ...overlapping.map(({ ids }) => plain('node_overlap', ids, 'Two nodes overlap.')),
    ...close
      .filter(({ gap }) => gap >= 0)
      .map(({ ids, gap }) => ({
        ...plain('node_gap', ids, 'Two nodes lie closer than the least gap.'),
        ...{ measured: drawnPx(gap), limit: fit.min_node_gap },
      })),
    ...through.map(({ edge, node }) =>
      plain('edge_through_node', [edge, node], 'An edge runs through a node.'),
    ),
    ...clearances(drawn.edges, { nodes: drawn.nodes, placed, least: unscaled(fit.min_edge_clearance) }).map(
      ({ edge, other, distance }) => ({
        ...plain('edge_clearance', [edge, other], 'An edge runs too near to a node or another edge.'),
        ...{ measured: drawnPx(distance), limit: fit.min_edge_clearance },
      }),
    ),
    ...(fit.max_edge_crossings !== null && crossed > fit.max_edge_crossings
      ? [
          {
            ...plain('edge_crossings', [], 'More edges cross than allowed.'),
            ...{ measured: crossed, limit: fit.max_edge_crossings },
          },
        ]
      : []),
    ...unique(outside.map(({ subject }) => subject.id)).map((id) =>
      plain('outside_viewport', [id], 'It leaves the viewport less its margin.'),
    ),
    ...(fontPx < viewport.min_font_px
      ? [
          {
            ...plain('font_too_small', [], 'The smallest text is under the least size.'),
            ...{ measured: fontPx, limit: viewport.min_font_px },
          },
        ]
      : []),
    ...unique(ratios.filter(({ ratio }) => ratio < accessibility.min_contrast).map(({ id }) => id)).map(
      (id) => ({
        ...plain('low_contrast', [id], 'Text and ground are too alike.'),
        ...{ measured: minContrast, limit: accessibility.min_contrast },
      }),
    ),
  ];
  const used = scaled(around(drawn.boxes.map(({ box }) => box)) ?? { x: 0, y: 0, w: 0, h: 0 }, scene.scale);
  const metrics: FitMetrics = {
    node_count: drawn.nodes.length,
    edge_count: drawn.edges.length,
    node_overlaps: overlapping.length,
    label_overflows: overflows.length,
    edge_crossings: crossed,
    edges_through_nodes: through.length,
    outside_viewport: outside.length,
    min_font_px_used: fontPx,
    scale_applied: scene.scale / million,
    used_width: floorTo(used.w / 100, 100),
    used_height: floorTo(used.h / 100, 100),
    fill_ratio: inner.w <= 0 || inner.h <= 0 ? 0 : floorTo((used.w * used.h) / (inner.w * inner.h), million),
    min_gap_px: smallest === null ? Math.min(viewport.width, viewport.height) : drawnPx(smallest),
    min_contrast: minContrast,
  };
  return {
    schema_id: 'visual_fit_report.v1',
    render_receipt_id: null,
    metrics,
    ...verdictOf(found, fit.fail_on),
  };
}

const floorTo = (value: number, parts: number): number => Math.floor(value * parts) / parts;
const unique = (ids: readonly string[]): string[] => [...new Set(ids)];

function plain(code: ViolationCode, ids: readonly string[], message: string): Found {
  return { code, ids, measured: null, limit: null, message };
}

function scaled({ x, y, w, h }: Rect, scale: number): Rect {
  if (scale === million) return { x, y, w, h };
  const at = (value: number) => Math.floor((value * scale) / million);
  return { x: at(x), y: at(y), w: at(x + w) - at(x), h: at(y + h) - at(y) };
}

type NodePair = { readonly ids: readonly [string, string]; readonly gap: Cpx };

/** The gaps of all pairs of node boxes: the smallest, and the pairs nearer than `least` (V23). */
function overlaps(nodes: readonly DrawnNode[], least: Cpx): { smallest: Cpx | null; close: NodePair[] } {
  let smallest: Cpx | null = null;
  const close: NodePair[] = [];
  for (const [i, a] of nodes.entries())
    for (let j = i + 1; j < nodes.length; j++) {
      const b = nodes[j];
      if (b === undefined) continue;
      const gap = gapBetween(a.box, b.box);
      if (smallest === null || gap < smallest) smallest = gap;
      if (gap < least) close.push({ ids: [a.id, b.id], gap });
    }
  return { smallest, close };
}

type Clearance = { readonly edge: string; readonly other: string; readonly distance: Cpx };

/**
 * For each edge the nearest thing it keeps less than `least` from: a node that is not its end, or a parallel facing
 * part of an edge with other ports; less half a stroke (V27).
 */
function clearances(
  edges: readonly DrawnEdge[],
  { nodes, placed, least }: { nodes: readonly DrawnNode[]; placed: readonly PlacedSegment[]; least: Cpx },
): Clearance[] {
  const nearest = new Map<number, Clearance>();
  // half a stroke is less than this
  const reach = least + 200;
  // what is no nearer than the nearest so far need not be measured
  const within = edges.map(() => reach);
  const note = (edge: number, other: string, between: Cpx): void => {
    const own = edges[edge];
    const distance = Math.max(0, between - Math.ceil((own?.line.paint.strokeWidth ?? 0) / 2));
    if (own === undefined || distance >= least) return;
    const known = nearest.get(edge);
    if (known !== undefined && distance >= known.distance) return;
    nearest.set(edge, { edge: own.id, other, distance });
    within[edge] = between;
  };
  for (const [index, { ends, segments }] of edges.entries())
    for (const { id, box } of nodes) {
      if (ends.includes(id)) continue;
      for (const segment of segments)
        if (gapBetween(boxOf(segment), box) < (within[index] ?? reach))
          note(index, id, distanceToRect(segment, box));
    }
  for (const [i, a] of placed.entries()) {
    const widest = within.reduce((most, one) => Math.max(most, one), 0);
    for (let j = i + 1; j < placed.length; j++) {
      const b = placed[j];
      if (b === undefined || b.low > a.high + widest) break;
      if (a.edge === b.edge) continue;
      const apart = Math.max(b.low - a.high, gapDown(a.segment, b.segment));
      if (apart >= (within[a.edge] ?? reach) && apart >= (within[b.edge] ?? reach)) continue;
      const distance = facingDistance(a.segment, b.segment);
      const [one, other] = [edges[a.edge], edges[b.edge]];
      if (distance === null || distance >= reach || one === undefined || other === undefined) continue;
      if (sharesPort(one, other)) continue;
      note(a.edge, other.id, distance);
      note(b.edge, one.id, distance);
    }
  }
  return [...nearest.values()];
}

function gapDown(a: Segment, b: Segment): Cpx {
  return Math.max(
    Math.min(a.from.y, a.to.y) - Math.max(b.from.y, b.to.y),
    Math.min(b.from.y, b.to.y) - Math.max(a.from.y, a.to.y),
  );
}

const boxOf = ({ from, to }: Segment): Rect => ({
  x: Math.min(from.x, to.x),
  y: Math.min(from.y, to.y),
  w: Math.abs(from.x - to.x),
  h: Math.abs(from.y - to.y),
});

function sharesPort(a: DrawnEdge, b: DrawnEdge): boolean {
  const ports = ({ line: { points } }: DrawnEdge): (Point | undefined)[] => [points[0], points.at(-1)];
  return ports(a).some((p) => ports(b).some((q) => p !== undefined && p.x === q?.x && p.y === q.y));
}

type Limits = { readonly lines: number; readonly width: Cpx };

/**
 * Labels that do not fit: a run outside its shape's text area or wider than the viewport, more lines than allowed, an
 * edge label on a node or on another label (V24). `limits.width` is what the viewport leaves, unscaled.
 */
function labelFit(drawn: Drawn, limits: Limits): Found[] {
  const texts = drawn.scene.items.filter((item) => item.type === 'text');
  return [
    ...leavingShapes(drawn, texts),
    ...tooManyLines(texts, limits),
    ...tooWide(texts, limits),
    ...meeting(drawn),
  ];
}

function leavingShapes({ nodes }: Drawn, texts: readonly TextItem[]): Found[] {
  const areas = new Map(nodes.map(({ id, shape }) => [id, textArea(shape.kind, shape.box)]));
  const leaving = texts.filter((text) => {
    const area = text.subject.of === 'node' ? areas.get(text.subject.id) : undefined;
    return area !== undefined && !holds(area, textBox(text));
  });
  return unique(leaving.map(({ subject }) => subject.id)).map((id) =>
    plain('label_overflow', [id], 'A line of the label leaves its shape.'),
  );
}

function tooManyLines(texts: readonly TextItem[], { lines }: Limits): Found[] {
  const counts = new Map<string, { id: string; count: number }>();
  for (const { subject, part } of texts) {
    if (subject.of !== 'node' && subject.of !== 'edge') continue;
    const key = `${subject.of} ${subject.id} ${part}`;
    counts.set(key, { id: subject.id, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()]
    .filter(({ count }) => count > lines)
    .map(({ id, count }) => ({
      ...plain('label_overflow', [id], `The label takes ${count} lines.`),
      ...{ measured: count, limit: lines },
    }));
}

function tooWide(texts: readonly TextItem[], { width }: Limits): Found[] {
  return texts
    .filter((text) => text.width > width)
    .map((text) => ({
      ...plain('label_overflow', [text.subject.id], 'A line of text is wider than the viewport.'),
      ...{ measured: Math.floor(text.width) / 100, limit: Math.floor(width) / 100 },
    }));
}

function meeting({ nodes, edges }: Drawn): Found[] {
  const labelled = edges.flatMap(({ id, label }) => (label === null ? [] : [{ id, box: label }]));
  return labelled.flatMap(({ id, box }, i) => {
    const met = [...nodes, ...labelled.slice(i + 1)].filter((other) => gapBetween(box, other.box) < 0);
    const message = 'The label of an edge lies on a node or on another label.';
    return met.map((other) => plain('label_overflow', [id, other.id], message));
  });
}

type PlacedSegment = {
  readonly edge: number;
  readonly segment: Segment;
  readonly low: Cpx;
  readonly high: Cpx;
};

/** The segments of all edges, from left to right, so that what is far apart is never compared. */
export function fromLeft(edges: readonly Pick<DrawnEdge, 'segments'>[]): PlacedSegment[] {
  return edges
    .flatMap(({ segments }, edge) =>
      segments.map((segment) => ({
        edge,
        segment,
        low: Math.min(segment.from.x, segment.to.x),
        high: Math.max(segment.from.x, segment.to.x),
      })),
    )
    .sort((a, b) => a.low - b.low || a.edge - b.edge);
}

/** Points where the centre lines of two edges properly cross (V25). */
export function crossings(placed: readonly PlacedSegment[]): number {
  let count = 0;
  for (const [i, a] of placed.entries())
    for (let j = i + 1; j < placed.length; j++) {
      const b = placed[j];
      if (b === undefined || b.low > a.high) break;
      if (a.edge !== b.edge && crosses(a.segment, b.segment)) count++;
    }
  return count;
}

/** Pairs of an edge and a node, not its end, whose open inside the edge enters (V26). */
function edgesThroughNodes(
  edges: readonly DrawnEdge[],
  nodes: readonly DrawnNode[],
): { edge: string; node: string }[] {
  return edges.flatMap(({ id, ends, segments }) =>
    nodes
      .filter((node) => !ends.includes(node.id))
      .filter(({ box }) => segments.some((segment) => entersRect(segment, box)))
      .map((node) => ({ edge: id, node: node.id })),
  );
}

type DrawnNode = { readonly id: string; readonly box: Rect; readonly shape: ShapeItem };
type DrawnEdge = {
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
