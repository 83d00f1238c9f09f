import type { Cpx, Rect } from '../../geometry/rect.ts';
import { type Point, simplified } from '../../geometry/segment.ts';
import { cleanText, measureText } from '../../type/measureText.ts';
import {
  edgeEnds,
  type Gaps,
  type Layout,
  type Route,
  type Size,
  type Steps,
  shiftedToOrigin,
  transposed,
} from '../layout.ts';
import type { PlaceInput } from '../nodeBoxes.ts';
import { lineHeight } from '../settings.ts';
import { assignColumns } from './assignColumns.ts';
import { assignRanks } from './assignRanks.ts';
import { assignTracks } from './assignTracks.ts';
import {
  type DownEdge,
  type LayeredInput,
  type Link,
  type ProperGraph,
  spacingPairs,
  splitLongEdges,
  type Vertex,
} from './layeredGraph.ts';
import { orderLayers } from './orderLayers.ts';

const laneInset = 1_600;
/** What columns, links and routes take of a vertex in all, as inner comparisons (V67). */
const stepsOfVertex = 250;

/** A layered flow, or one in lanes of owners; `horizontal` swaps the axes before and after (V17). */
export function layeredFamily({ contract, nodes, labels, settings, steps }: PlaceInput): Layout {
  const isLevel = contract.viewport_policy.orientation === 'horizontal';
  const isLanes = contract.diagram_family === 'swimlane';
  const turned = ({ w, h }: Size): Size => (isLevel ? { w: h, h: w } : { w, h });
  const laneOf = new Map(contract.owners.map(({ id }, lane) => [id, lane]));
  const heads = contract.owners.map(({ label }) => measureText(cleanText(label), settings.heading));
  const head = lineHeight(settings.heading);
  const layout = layered(
    {
      nodes: nodes.map((box) => ({
        ...turned(box),
        rank: box.node.rank ?? null,
        lane: isLanes ? (laneOf.get(box.node.owner ?? '') ?? 0) : 0,
        portInset: box.portInset,
      })),
      edges: edgeEnds(contract).map(([from, to], index) => {
        const label = labels[index] ?? null;
        const { kind = 'flow' } = contract.edges[index] ?? {};
        return { from, to, kind, label: label === null ? null : turned(label) };
      }),
      gaps: settings.gaps,
      // the name of a level lane stands in its upper corner, above what it holds
      lanes: isLanes ? heads.map((width) => (isLevel ? 2 * head : width + 2 * laneInset)) : [],
      laneInset: isLevel ? head + 1_000 : laneInset,
    },
    steps,
  );
  return isLevel ? transposed(layout) : layout;
}

/** Lays a directed graph out in ranks with edges at right angles; integers, counted steps, no randomness (V17). */
function layered(input: LayeredInput, steps: Steps): Layout {
  const ranked = assignRanks(input, steps);
  const { down } = ranked;
  const graph = splitLongEdges(input, ranked);
  steps.taken += stepsOfVertex * graph.vertices.length;
  const layers = orderLayers(graph, steps);
  spreadPorts(graph.vertices, input.gaps.edge);
  const borders = assignColumns(layers, { spacing: input, steps });
  straightenLinks(layers, { borders, spacing: input, steps });
  const { boxes, routes } = routeLayers({ graph, layers, down, gaps: input.gaps, steps });
  const lanes = borders.slice(1).map((to, lane) => [borders[lane] ?? 0, to] as const);
  return shiftedToOrigin({ boxes, routes, lanes, ticks: [], marks: [] });
}

/** Spreads the ports of every node over its two sides in the order of their other ends (V17). */
function spreadPorts(vertices: readonly Vertex[], gap: Cpx): void {
  for (const vertex of vertices) {
    if (vertex.node === null) continue;
    const outgoing = inOrder(vertex.outgoing, ({ lower }) => lower.position);
    for (const [i, link] of outgoing.entries())
      link.upperPort = portAt(vertex, { i, of: outgoing.length, gap });
    const incoming = inOrder(vertex.incoming, ({ upper }) => upper.position);
    for (const [i, link] of incoming.entries())
      link.lowerPort = portAt(vertex, { i, of: incoming.length, gap });
  }
}

const inOrder = (links: readonly Link[], at: (link: Link) => number): Link[] =>
  links.toSorted((a, b) => at(a) - at(b) || a.edge - b.edge);

function portAt({ w, portInset }: Vertex, { i, of, gap }: { i: number; of: number; gap: Cpx }): Cpx {
  if (of === 1) return 0;
  const room = w - 2 * portInset;
  const step = Math.min(Math.max(gap, Math.floor(room / (of + 1))), Math.floor(room / (of - 1)), 2 * gap);
  return Math.floor(((2 * i - (of - 1)) * step) / 2);
}

type Routed = { readonly boxes: readonly Rect[]; readonly routes: readonly Route[] };
type Input = {
  readonly graph: ProperGraph;
  readonly layers: readonly (readonly Vertex[])[];
  readonly down: readonly DownEdge[];
  readonly gaps: Gaps;
  readonly steps: Steps;
};

/** Sets the ranks below each other, as far apart as their tracks need, and draws every edge at right angles (V17). */
function routeLayers({ graph, layers, down, gaps, steps }: Input): Routed {
  const heights = layers.map((layer) => Math.max(0, ...layer.map(({ h }) => h)));
  const tops: Cpx[] = [];
  const levels = new Map<Link, Cpx>();
  let y = 0;
  for (const [rank, layer] of layers.entries()) {
    tops.push(y);
    y += heights[rank] ?? 0;
    const next = layers[rank + 1];
    if (next === undefined) break;
    const links = layer.flatMap(({ outgoing }) => outgoing).filter((link) => start(link) !== end(link));
    const runs = links.map((link) => ({ up: [start(link)], down: [end(link)] }));
    const { tracks, count } = assignTracks(runs, { clearance: gaps.edge, steps });
    const isBetweenNodes = hasNode(layer) && hasNode(next);
    const height = Math.max(isBetweenNodes ? gaps.rank : Math.ceil(gaps.rank / 2), (count + 1) * gaps.edge);
    for (const [i, link] of links.entries())
      levels.set(link, y + Math.floor((((tracks[i] ?? 0) + 1) * height) / (count + 1)));
    y += height;
  }
  const boxOf = ({ x, w, h, rank }: Vertex): Rect => {
    const free = (heights[rank] ?? 0) - h;
    return { x: x - Math.floor(w / 2), y: (tops[rank] ?? 0) + Math.floor(free / 2), w, h };
  };
  const boxes: Rect[] = [];
  for (const vertex of graph.vertices) if (vertex.node !== null) boxes[vertex.node] = boxOf(vertex);
  const routes: Route[] = [];
  for (const { edge, turned } of down) {
    const points = pointsOf(graph.chains[edge] ?? [], { boxOf, levels });
    const label = graph.chains[edge]?.find(({ lower }) => lower.holdsLabel)?.lower;
    const drawn = simplified(turned ? points.reverse() : points);
    routes[edge] = { points: drawn, label: label === undefined ? null : boxOf(label) };
  }
  return { boxes, routes };
}

const start = ({ upper, upperPort }: Link): Cpx => upper.x + upperPort;
const end = ({ lower, lowerPort }: Link): Cpx => lower.x + lowerPort;
const hasNode = (layer: readonly Vertex[]): boolean => layer.some(({ node }) => node !== null);

function pointsOf(
  chain: readonly Link[],
  { boxOf, levels }: { boxOf: (vertex: Vertex) => Rect; levels: ReadonlyMap<Link, Cpx> },
): Point[] {
  const points: Point[] = [];
  for (const link of chain) {
    if (points.length === 0) {
      const { y, h } = boxOf(link.upper);
      points.push({ x: start(link), y: y + h });
    }
    const level = levels.get(link);
    if (level !== undefined) points.push({ x: start(link), y: level }, { x: end(link), y: level });
    if (link.lower.node !== null) points.push({ x: end(link), y: boxOf(link.lower).y });
  }
  return points;
}

type Room = { readonly low: Cpx; readonly high: Cpx };

/** What a bend costs in length; a shift that straightens may lengthen other edges by less. */
const bendCost: Cpx = 4_000;
const rounds = 6;
const budget = 1_000_000;

/**
 * Shifts groups of vertices that straight links hold together, where a link becomes straight and all links together
 * become shorter; every least distance, lane and the width are kept.
 */
function straightenLinks(
  layers: readonly (readonly Vertex[])[],
  {
    borders,
    spacing,
    steps,
  }: { borders: readonly Cpx[]; spacing: Pick<LayeredInput, 'gaps' | 'laneInset'>; steps: Steps },
): void {
  const vertices = layers.flat();
  const end = steps.taken + budget;
  const rooms = roomsOf(vertices, { borders, inset: spacing.laneInset });
  const [before, after] = [new Map<Vertex, [Vertex, Cpx][]>(), new Map<Vertex, [Vertex, Cpx][]>()];
  for (const { left, right, least } of spacingPairs(layers, spacing.gaps)) {
    after.set(left, [...(after.get(left) ?? []), [right, least]]);
    before.set(right, [...(before.get(right) ?? []), [left, least]]);
  }
  const links = vertices.flatMap(({ outgoing }) => outgoing);
  const fits = (group: ReadonlySet<Vertex>, by: Cpx): boolean => {
    for (const vertex of group) {
      steps.taken++;
      const room = rooms.get(vertex);
      if (room !== undefined && (vertex.x + by < room.low || vertex.x + by > room.high)) return false;
      for (const [other, least] of (by > 0 ? after : before).get(vertex) ?? [])
        if (!group.has(other) && Math.abs(other.x - vertex.x) - Math.abs(by) < least) return false;
    }
    return true;
  };
  for (let round = 0, improved = true; improved && round < rounds; round++) {
    improved = false;
    for (const link of links) {
      const by = offsetOf(link);
      if (by === 0) continue;
      if (steps.taken > end) return;
      // the lower end moves up to the upper one, or the other way round
      for (const [from, shift] of [
        [link.lower, -by],
        [link.upper, by],
      ] as const) {
        const group = straightGroup(from, steps);
        if (gainOf(group, shift) <= 0 || !fits(group, shift)) continue;
        for (const vertex of group) vertex.x += shift;
        improved = true;
        break;
      }
    }
  }
}

/** How far the lower port lies to the right of the upper one. */
const offsetOf = ({ upper, lower, upperPort, lowerPort }: Link): Cpx =>
  lower.x + lowerPort - upper.x - upperPort;

const costOf = (offset: Cpx): Cpx => (offset === 0 ? 0 : bendCost + Math.abs(offset));

function straightGroup(start: Vertex, steps: Steps): Set<Vertex> {
  const group = new Set([start]);
  // a set's iteration meets what is added to it
  for (const { incoming, outgoing } of group) {
    steps.taken++;
    for (const link of incoming) if (offsetOf(link) === 0) group.add(link.upper);
    for (const link of outgoing) if (offsetOf(link) === 0) group.add(link.lower);
  }
  return group;
}

function gainOf(group: ReadonlySet<Vertex>, by: Cpx): Cpx {
  let gain = 0;
  for (const { incoming, outgoing } of group) {
    for (const link of incoming)
      if (!group.has(link.upper)) gain += costOf(offsetOf(link)) - costOf(offsetOf(link) + by);
    for (const link of outgoing)
      if (!group.has(link.lower)) gain += costOf(offsetOf(link)) - costOf(offsetOf(link) - by);
  }
  return gain;
}

function roomsOf(
  vertices: readonly Vertex[],
  { borders, inset }: { borders: readonly Cpx[]; inset: Cpx },
): Map<Vertex, Room> {
  const left = Math.min(...vertices.map(({ x, w }) => x - Math.ceil(w / 2)));
  const right = Math.max(...vertices.map(({ x, w }) => x + Math.ceil(w / 2)));
  return new Map(
    vertices.map((vertex) => {
      const half = Math.ceil(vertex.w / 2);
      const [from, to] = [borders[vertex.lane], borders[vertex.lane + 1]];
      if (from === undefined || to === undefined) return [vertex, { low: left + half, high: right - half }];
      return [vertex, { low: from + inset + half, high: to - inset - half }];
    }),
  );
}
