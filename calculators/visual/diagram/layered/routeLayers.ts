import type { Cpx } from '../../geometry/cpx.ts';
import { simplified } from '../../geometry/polyline.ts';
import type { Rect } from '../../geometry/rect.ts';
import type { Point } from '../../geometry/segment.ts';
import type { Gaps, Route, Steps } from '../layout.ts';
import { assignTracks } from './assignTracks.ts';
import type { DownEdge, Link, Vertex } from './layeredGraph.ts';
import type { ProperGraph } from './splitLongEdges.ts';

type Routed = { readonly boxes: readonly Rect[]; readonly routes: readonly Route[] };
type Input = {
  readonly graph: ProperGraph;
  readonly layers: readonly (readonly Vertex[])[];
  readonly down: readonly DownEdge[];
  readonly gaps: Gaps;
  readonly steps: Steps;
};

/** Sets the ranks below each other, as far apart as their tracks need, and draws every edge at right angles (V17). */
export function routeLayers({ graph, layers, down, gaps, steps }: Input): Routed {
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
