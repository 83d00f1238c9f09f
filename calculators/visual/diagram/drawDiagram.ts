import {
  edgeKinds,
  emphases,
  nodeKinds,
  type VisualContract,
  type VisualNode,
} from '../../../data/contract/visual/visualContract.ts';
import type { Cpx, Rect } from '../geometry/rect.ts';
import { distance, type Point, pointAt, towards } from '../geometry/segment.ts';
import { paint, textIn } from '../scene/pen.ts';
import type { NodeKind, Scene, SceneItem, Subject } from '../scene/scene.ts';
import { outlineDepth, type Side } from '../scene/shapeGeometry.ts';
import type { ColourRole } from '../theme/tokens.ts';
import { cleanText, measureText } from '../type/measureText.ts';
import { wrapText } from '../type/wrapText.ts';
import { drawEdge, drawEdgeLabel, drawNode, keyBar, nodePaint, type TextColours } from './drawItems.ts';
import { edgeEnds, extentOf, type Layout, movedBy } from './layout.ts';
import type { EdgeLabel, NodeBox } from './nodeBoxes.ts';
import { lineHeight, type Settings } from './settings.ts';

type Drawing = {
  readonly contract: VisualContract;
  readonly nodes: readonly NodeBox[];
  readonly labels: readonly EdgeLabel[];
  readonly settings: Settings;
  readonly layout: Layout;
  readonly margin: Cpx;
  readonly colours: TextColours;
};

/** The finished scene of a laid out diagram: ground, lanes, edges, edge labels, nodes, legend (V20). */
export function drawDiagram(drawing: Drawing): Scene {
  const { contract, settings, layout, margin, colours } = drawing;
  const extent = extentOf(layout, contract.viewport_policy.orientation === 'horizontal' ? 'y' : 'x');
  const heading = drawTitle(drawing, Math.max(extent.w, 24_000));
  const head = drawHead(drawing);
  const axis = drawAxis(drawing);
  const origin = { x: margin + head.beside, y: margin + heading.height + head.above + axis.above };
  const placed = movedBy(layout, origin);
  const content: SceneItem[] = [
    ...heading.items,
    ...head.items(origin, extent),
    ...axis.items(origin, extent),
    ...stripItems(drawing, placed),
    ...edgeItems(drawing, placed),
    ...nodeItems(drawing, placed),
  ];
  const bottom = origin.y + extent.h + head.below;
  const legend = contract.render_policy.show_legend
    ? drawLegend(contract, {
        settings,
        colour: colours.quiet,
        at: { x: margin, y: bottom + 2_000 },
        width: Math.max(extent.w, heading.width),
      })
    : { items: [], height: 0, width: 0 };
  const end = legend.height === 0 ? bottom : bottom + 2_000 + legend.height;
  return {
    width: wholePx(2 * margin + Math.max(extent.w + 2 * head.beside, heading.width, legend.width)),
    height: wholePx(end + margin),
    scale: 1_000_000,
    // a text of nothing but spaces or marks draws nothing
    items: [...content, ...legend.items].filter((item) => item.type !== 'text' || item.width > 0),
  };
}

const wholePx = (length: Cpx): Cpx => Math.ceil(length / 100) * 100;

function drawTitle({ contract: { title }, settings, margin, colours }: Drawing, max: Cpx) {
  if (title === undefined) return { items: [], height: 0, width: 0 };
  const { lines, width } = wrapText(cleanText(title), { ...settings.title, max });
  const height = lineHeight(settings.title);
  const subject: Subject = { of: 'title', id: 'title' };
  const items = lines.map((line, i) =>
    textIn(
      { x: margin, y: margin + i * height, w: width, h: height },
      { text: line, style: settings.title, colour: colours.text, subject, align: 'start' },
    ),
  );
  return { items, height: lines.length * height + 1_600, width };
}

function drawAxis({ settings, colours, layout: { ticks } }: Drawing) {
  const line = lineHeight(settings.quiet);
  const above = ticks.length === 0 ? 0 : line + 1_600;
  const items = (origin: Point, extent: Rect): SceneItem[] =>
    ticks.flatMap(({ at, label }): SceneItem[] => {
      const subject: Subject = { of: 'axis', id: label };
      const x = origin.x + at;
      const top = origin.y - above;
      return [
        {
          type: 'line',
          points: [pointAt(x, top), pointAt(x, origin.y + extent.h)],
          trim: 0,
          paint: paint({ stroke: 'line' }),
          subject,
        },
        textIn(
          { x: x + 500, y: top, w: 0, h: line },
          { text: label, style: settings.quiet, colour: colours.quiet, subject, align: 'start' },
        ),
      ];
    });
  return { above, items };
}

/** Lanes with their names, which take space above the content when the lanes run down. */
function drawHead({ contract, settings, colours, layout: { lanes } }: Drawing) {
  const isLevel = contract.viewport_policy.orientation === 'horizontal';
  const line = lineHeight(settings.heading);
  const [above, below] = lanes.length === 0 ? [0, 0] : isLevel ? [0, 0] : [line + 2_000, 1_200];
  const beside: Cpx = isLevel && lanes.length > 0 ? 1_600 : 0;
  const items = (origin: Point, extent: Rect): SceneItem[] =>
    lanes.flatMap(([from, to], index): SceneItem[] => {
      const box: Rect = isLevel
        ? { x: origin.x - beside, y: origin.y + from, w: extent.w + 2 * beside, h: to - from }
        : { x: origin.x + from, y: origin.y - above, w: to - from, h: extent.h + above + below };
      const owner = contract.owners[index];
      const subject: Subject = { of: 'lane', id: owner?.id ?? String(index) };
      const words = { x: box.x + 1_000, y: box.y + 600, w: box.w, h: line };
      return [
        {
          type: 'rect',
          box,
          paint: paint({ fill: index % 2 === 0 ? 'lane' : 'ground', stroke: 'line' }),
          subject,
        },
        textIn(words, {
          text: cleanText(owner?.label ?? ''),
          style: settings.heading,
          colour: colours.quiet,
          subject,
          align: 'start',
        }),
      ];
    });
  return { above, below, beside, items };
}

/** How long the bars of a timeline last, below what ends there. */
function stripItems({ nodes }: Drawing, { boxes, marks }: Layout): SceneItem[] {
  return marks.flatMap(({ node, from, to }) => {
    const [drawn, box] = [nodes[node], boxes[node]];
    return drawn === undefined || box === undefined ? [] : durationStrip(drawn.node, { box, from, to });
  });
}

function edgeItems({ contract, labels, nodes, colours }: Drawing, { boxes, routes }: Layout): SceneItem[] {
  const indexes = edgeEnds(contract);
  const lines: SceneItem[] = [];
  const words: SceneItem[] = [];
  for (const [index, edge] of contract.edges.entries()) {
    const { from, to } = edge;
    const subject: Subject = { of: 'edge', id: edgeId(contract, index), from, to };
    const route = routes[index];
    const [first, last] = (indexes[index] ?? []).map((at) => ({
      kind: nodes[at]?.node.kind ?? 'process',
      box: boxes[at] ?? { x: 0, y: 0, w: 0, h: 0 },
    }));
    if (route === undefined || first === undefined || last === undefined) continue;
    const started = touchOutline(route.points, first);
    const points = touchOutline(started.reverse(), last).reverse();
    lines.push(...drawEdge(edge, { points, subject }));
    const label = labels[index] ?? null;
    if (label !== null && route.label !== null)
      words.push(
        ...drawEdgeLabel(label, { box: centred(label, route.label), subject, colour: colours.quiet }),
      );
  }
  return [...lines, ...words];
}

/** The id of an edge, or one made of its ends and its place. */
export function edgeId({ edges }: VisualContract, index: number): string {
  const edge = edges[index];
  return edge?.id ?? `${edge?.from}->${edge?.to}#${index + 1}`;
}

function centred({ w, h }: { w: Cpx; h: Cpx }, place: Rect): Rect {
  return {
    x: place.x + Math.floor((place.w - w) / 2),
    y: place.y + Math.floor((place.h - h) / 2),
    w,
    h,
  };
}

function nodeItems({ contract, nodes, colours }: Drawing, { boxes }: Layout): SceneItem[] {
  const keyOf = (named: VisualContract['groups'], id: string | undefined): number | null => {
    const key = named.findIndex((one) => one.id === id);
    return key < 0 ? null : key;
  };
  const hasOwnerKeys = contract.diagram_family !== 'swimlane' && contract.render_policy.show_legend;
  return nodes.flatMap((box, index) =>
    drawNode(box, {
      box: boxes[index] ?? { x: 0, y: 0, w: 0, h: 0 },
      colours,
      group: keyOf(contract.groups, box.node.group),
      owner: hasOwnerKeys ? keyOf(contract.owners, box.node.owner) : null,
    }),
  );
}

const height: Cpx = 300;

/** Below a bar that its label makes wider than it lasts: a strip from its first day to its last (V18). */
function durationStrip(
  { id, emphasis }: VisualNode,
  { box: { x, y, w, h }, from, to }: { box: Rect; from: Cpx; to: Cpx },
): SceneItem[] {
  if (to - from >= w) return [];
  const box = { x, y: y + h + height, w: Math.max(height, to - from), h: height };
  const fill = nodePaint(emphasis).stroke;
  return [{ type: 'rect', box, paint: paint({ fill }), subject: { of: 'node', id } }];
}

/** The line with its first point moved from the node's box in to the node's outline, where they differ. */
function touchOutline(points: readonly Point[], { kind, box }: { kind: NodeKind; box: Rect }): Point[] {
  const [end, next] = [points[0], points[1]];
  const side = end === undefined ? null : sideAt(end, box);
  if (end === undefined || next === undefined || side === null) return [...points];
  const isLevel = side === 'top' || side === 'bottom';
  const depth = outlineDepth(kind, box, { side, at: isLevel ? end.x - box.x : end.y - box.y });
  if (depth === 0) return [...points];
  const whole = distance(next, end);
  const across = isLevel ? Math.abs(end.y - next.y) : Math.abs(end.x - next.x);
  const longer = across === 0 ? 0 : Math.round((depth * whole) / across);
  return [towards(next, end, whole + longer, whole), ...points.slice(1)];
}

function sideAt({ x, y }: Point, box: Rect): Side | null {
  if (y === box.y) return 'top';
  if (y === box.y + box.h) return 'bottom';
  if (x === box.x) return 'left';
  return x === box.x + box.w ? 'right' : null;
}

type Entry = { readonly text: string; draw(sample: Rect, subject: Subject): SceneItem[] };

const sample = { w: 3_200, h: 1_600 } as const;
const textGap: Cpx = 800;
const entryGap: Cpx = 2_400;

type Legend = { settings: Settings; colour: ColourRole; at: Point; width: Cpx };

/** Rows of samples with their names, no wider than the picture; nothing where there is nothing to tell apart. */
function drawLegend(
  contract: VisualContract,
  { settings, colour, at, width }: Legend,
): { items: SceneItem[]; height: Cpx; width: Cpx } {
  const rowHeight = Math.max(sample.h, lineHeight(settings.quiet)) + 600;
  const items: SceneItem[] = [];
  let [x, y] = [at.x, at.y];
  let right = at.x;
  for (const [index, { text, draw }] of entriesOf(contract).entries()) {
    const subject: Subject = { of: 'legend', id: String(index) };
    const taken = sample.w + textGap + measureText(text, settings.quiet);
    if (x > at.x && x + taken > at.x + width) [x, y] = [at.x, y + rowHeight];
    const box = { x, y: y + Math.floor((rowHeight - sample.h) / 2), ...sample };
    const words = { x: x + sample.w + textGap, y, w: taken, h: rowHeight };
    items.push(
      ...draw(box, subject),
      textIn(words, { text, style: settings.quiet, colour, subject, align: 'start' }),
    );
    right = Math.max(right, x + taken);
    x += taken + entryGap;
  }
  return { items, height: items.length === 0 ? 0 : y + rowHeight - at.y, width: right - at.x };
}

function entriesOf({ nodes, edges, groups, owners, diagram_family }: VisualContract): Entry[] {
  const usedNodes = nodeKinds.filter((kind) => nodes.some((node) => node.kind === kind));
  const usedEdges = edgeKinds.filter((kind) => edges.some((edge) => edge.kind === kind));
  const usedEmphases = emphases.filter(
    (one) => one !== 'none' && nodes.some(({ emphasis }) => emphasis === one),
  );
  const shape = (text: string, kind: NodeKind, emphasis: VisualNode['emphasis']): Entry => ({
    text,
    draw: (box, subject) => [{ type: 'shape', kind, box, paint: nodePaint(emphasis), subject }],
  });
  const kinds = usedNodes.map((kind) => shape(kind, kind, 'none'));
  const lines = usedEdges.map(
    (kind): Entry => ({
      text: kind,
      draw: ({ x, y, w, h }, subject) => {
        const middle = y + Math.floor(h / 2);
        return drawEdge({ kind }, { points: [pointAt(x, middle), pointAt(x + w, middle)], subject });
      },
    }),
  );
  const marks = usedEmphases.map((emphasis) => shape(emphasis, 'process', emphasis));
  const keyed = (
    named: VisualContract['groups'],
    side: 'start' | 'end',
    used: ReadonlySet<unknown>,
  ): Entry[] =>
    named.flatMap(({ id, label }, key) =>
      used.has(id)
        ? [
            {
              text: cleanText(label),
              draw: (box: Rect, subject: Subject) => keyBar(box, { side, key, subject }),
            },
          ]
        : [],
    );
  return [
    ...(kinds.length > 1 ? kinds : []),
    ...(lines.length > 1 ? lines : []),
    ...marks,
    ...keyed(groups, 'start', new Set(nodes.map(({ group }) => group))),
    ...(diagram_family === 'swimlane' ? [] : keyed(owners, 'end', new Set(nodes.map(({ owner }) => owner)))),
  ];
}
