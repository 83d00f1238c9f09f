import { type Cpx, cornersOf, grown, type Rect } from '../../geometry/rect.ts';
import { distance, entersRect, type Point, pointAt, segmentsOf } from '../../geometry/segment.ts';
import { edgeEnds, type Layout, type Route, type Steps, shiftedToOrigin } from '../layout.ts';
import type { PlaceInput } from '../nodeBoxes.ts';
import { placeLabels } from '../placeLabels.ts';

/** Boxes by stress, pushed apart, joined by straight lines that go around what they would cross (V18). */
export function networkFamily({ contract, nodes, labels, settings, steps }: PlaceInput): Layout {
  const { gaps } = settings;
  const { viewport_policy: viewport } = contract;
  const ends = edgeEnds(contract);
  const half = nodes.reduce((sum, { w, h }) => sum + w + h, 0) / (2 * nodes.length);
  const widestLabel = Math.max(0, ...labels.map((label) => label?.w ?? 0));
  const length = Math.max(((half + gaps.node) * 5) / 4, half + widestLabel);
  const places = stressLayout({ count: nodes.length, edges: ends, length, steps });
  const extent = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
  const lies = extent(places.map(({ x }) => x)) >= extent(places.map(({ y }) => y));
  const swap = lies !== viewport.width >= viewport.height;
  const loops = ends.map(([from, to]) => from === to);
  const reach = (index: number): Cpx =>
    loopReach * ends.filter(([from], edge) => from === index && loops[edge] === true).length;
  // a box keeps room for its loops at its upper end corner
  const roomy = nodes.map(({ w, h }, index): Rect => {
    const { x, y } = places[index] ?? { x: 0, y: 0 };
    // boxes are wider than high: the picture is pressed a little
    const [across, down] = swap ? [y, x] : [x, y];
    return {
      x: Math.round(across - w / 2),
      y: Math.round(down * 0.8 - h / 2) - reach(index),
      w: w + reach(index),
      h: h + reach(index),
    };
  });
  const apart = separateBoxes(roomy, { gap: gaps.node, steps }).map((box, index): Rect => {
    const { w, h } = nodes[index] ?? box;
    return { x: box.x, y: box.y + reach(index), w, h };
  });
  const end = steps.taken + budget;
  // lines grow until their labels have room
  for (let growth = 0; ; growth++) {
    const boxes = apart.map((box) => spread(box, growth));
    const routes = ends.map(
      (_, edge): Route => ({
        points: lineOf(edge, { ends, boxes, gap: gaps.edge, end, steps }),
        label: null,
      }),
    );
    const labelled = placeLabels(routes, { labels, boxes, steps });
    if (growth === mostGrowth || steps.taken > end || labelled.every(({ isClear }) => isClear))
      return shiftedToOrigin({ boxes, routes: labelled, lanes: [], ticks: [], marks: [] });
  }
}

const mostGrowth = 8;
/** Steps after which lines run straight and the picture grows no more (V67). */
const budget = 4_000_000;

/** The box as large as before, its centre farther from 0 by an eighth a step. */
function spread({ x, y, w, h }: Rect, growth: number): Rect {
  return {
    x: x + Math.round(((2 * x + w) * growth) / 16),
    y: y + Math.round(((2 * y + h) * growth) / 16),
    w,
    h,
  };
}

type Lines = {
  readonly ends: ReturnType<typeof edgeEnds>;
  readonly boxes: readonly Rect[];
  readonly gap: Cpx;
  /** The count of steps from which on nothing is improved. */
  readonly end: number;
  readonly steps: Steps;
};

function lineOf(edge: number, { ends, boxes, gap, end, steps }: Lines): Point[] {
  const [from, to] = ends[edge] ?? [0, 0];
  const [a, b] = [boxes[from], boxes[to]];
  if (a === undefined || b === undefined) return [];
  const alike = ends.filter((pair) => isSamePair(pair, [from, to])).length;
  const nth = ends.slice(0, edge).filter((pair) => isSamePair(pair, [from, to])).length;
  if (from === to) return loop(a, { nth, of: alike });
  const side = sideStep({ from, to, nth, of: alike }, { a, b, gap });
  const line = [moved(centreOf(a), side), moved(centreOf(b), side)] as const;
  const obstacles = boxes.filter((_, index) => index !== from && index !== to);
  const path = steps.taken > end ? line : stepAround(line, { obstacles, clearance: gap, steps });
  return leaveBox(leaveBox(path, a).reverse(), b).reverse();
}

const loopReach: Cpx = 1_400;

/** A ring from the top to the end side of a box, around its corner; each further one is larger. */
function loop({ x, y, w, h }: Rect, { nth, of }: { nth: number; of: number }): Point[] {
  const out = loopReach * (nth + 1);
  const across = x + w - 1_400 - nth * Math.min(800, Math.floor((w - 2_800) / of));
  const down = y + 1_000 + nth * Math.min(800, Math.floor((h - 2_000) / of));
  const [top, end] = [y - out, x + w + out];
  return [
    pointAt(across, y),
    pointAt(across, top),
    pointAt(end, top),
    pointAt(end, down),
    pointAt(x + w, down),
  ];
}

const isSamePair = (a: readonly [number, number], b: readonly [number, number]): boolean =>
  (a[0] === b[0] && a[1] === b[1]) || (a[0] === b[1] && a[1] === b[0]);

const centreOf = ({ x, y, w, h }: Rect): Point => ({ x: x + Math.floor(w / 2), y: y + Math.floor(h / 2) });
const isInside = (p: Point, { x, y, w, h }: Rect): boolean =>
  x < p.x && p.x < x + w && y < p.y && p.y < y + h;
const moved = ({ x, y }: Point, by: Point): Point => ({ x: x + by.x, y: y + by.y });

/** How far a line of several between the same two stands beside the straight one. */
function sideStep(
  { from, to, nth, of }: { from: number; to: number; nth: number; of: number },
  { a, b, gap }: { a: Rect; b: Rect; gap: Cpx },
): Point {
  // measured from the lower index, so that both directions agree
  const [first, second] = from < to ? [centreOf(a), centreOf(b)] : [centreOf(b), centreOf(a)];
  const whole = distance(first, second);
  if (of === 1 || whole === 0) return { x: 0, y: 0 };
  const least = Math.min(a.w, a.h, b.w, b.h) - 800;
  const offset = ((2 * nth - (of - 1)) * Math.min(gap, Math.floor(least / of))) / 2;
  const turned = (along: number) => Math.round((along * offset) / whole);
  return pointAt(turned(-(second.y - first.y)), turned(second.x - first.x));
}

/** The line from where it last leaves the box in which it begins; the new first point lies exactly on its border. */
export function leaveBox(points: readonly Point[], box: Rect): Point[] {
  const { x, y, w, h } = box;
  const last = points.findLastIndex((point) => isInside(point, box));
  const [inside, outside] = [points[last], points[last + 1]];
  if (inside === undefined || outside === undefined) return [...points];
  const [dx, dy] = [outside.x - inside.x, outside.y - inside.y];
  const [edgeX, edgeY] = [dx > 0 ? x + w : x, dy > 0 ? y + h : y];
  // the share of the way to each border; the nearer one is met first
  const [shareX, shareY] = [
    dx === 0 ? Infinity : (edgeX - inside.x) / dx,
    dy === 0 ? Infinity : (edgeY - inside.y) / dy,
  ];
  const border: Point =
    shareX <= shareY
      ? { x: edgeX, y: inside.y + Math.round(dy * shareX) }
      : { x: inside.x + Math.round(dx * shareY), y: edgeY };
  return [border, ...points.slice(last + 1)];
}

type Moving = { x: Cpx; y: Cpx; readonly w: Cpx; readonly h: Cpx };

/** Rounds of pushing before the boxes are spread (V67). */
const rounds = 400;

/** Pushes boxes apart in input order along the shorter way until each keeps its gap; spreads them where that fails (V18). */
export function separateBoxes(boxes: readonly Rect[], { gap, steps }: { gap: Cpx; steps: Steps }): Rect[] {
  const moving: Moving[] = boxes.map(({ x, y, w, h }) => ({ x, y, w, h }));
  let left = rounds;
  while (pushOnce(moving, { gap, steps })) {
    left--;
    if (left > 0 && left % 40 !== 0) continue;
    // crowded: all centres move away from 0 by a tenth, which ends in any case
    for (const box of moving) {
      box.x += Math.round((box.x + box.w / 2) / 10);
      box.y += Math.round((box.y + box.h / 2) / 10);
    }
  }
  return moving.map(({ x, y, w, h }) => ({ x, y, w, h }));
}

function pushOnce(boxes: readonly Moving[], { gap, steps }: { gap: Cpx; steps: Steps }): boolean {
  let moved = false;
  for (const [i, a] of boxes.entries())
    for (let j = i + 1; j < boxes.length; j++) {
      const b = boxes[j];
      if (b === undefined) continue;
      steps.taken++;
      const across = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x) + gap;
      const down = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y) + gap;
      if (across <= 0 || down <= 0) continue;
      moved = true;
      if (2 * across < 3 * down) {
        const by = Math.ceil(across / 2) * (2 * a.x + a.w <= 2 * b.x + b.w ? 1 : -1);
        a.x -= by;
        b.x += by;
      } else {
        const by = Math.ceil(down / 2) * (2 * a.y + a.h <= 2 * b.y + b.h ? 1 : -1);
        a.y -= by;
        b.y += by;
      }
    }
  return moved;
}

/** Corners that one line may go around. */
const mostCorners = 12;

/**
 * A line from point to point that goes around the boxes in its way, each time by the corner that costs the shortest
 * detour; the straight line where that does not end (V18). The report then says what it runs through.
 */
export function stepAround(
  [from, to]: readonly [Point, Point],
  { obstacles, clearance, steps }: { obstacles: readonly Rect[]; clearance: Cpx; steps: Steps },
): Point[] {
  const path: Point[] = [from, to];
  for (let corners = 0; corners <= mostCorners; corners++) {
    const met = firstMet(path, { obstacles, clearance, steps });
    if (met === null) return path;
    const [before, after] = [path[met.at] ?? from, path[met.at + 1] ?? to];
    const corner = bestCorner({ before, after, path }, { box: met.box, obstacles, clearance });
    if (corner === null) break;
    path.splice(met.at + 1, 0, corner);
  }
  return [from, to];
}

function firstMet(
  path: readonly Point[],
  { obstacles, clearance, steps }: { obstacles: readonly Rect[]; clearance: Cpx; steps: Steps },
): { at: number; box: Rect } | null {
  for (const [at, segment] of segmentsOf(path).entries()) {
    let nearest: { box: Rect; away: number } | null = null;
    for (const box of obstacles) {
      steps.taken++;
      if (!entersRect(segment, grown(box, clearance))) continue;
      const away = distance(segment.from, centreOf(box));
      if (nearest === null || away < nearest.away) nearest = { box, away };
    }
    if (nearest !== null) return { at, box: nearest.box };
  }
  return null;
}

function bestCorner(
  { before, after, path }: { before: Point; after: Point; path: readonly Point[] },
  { box, obstacles, clearance }: { box: Rect; obstacles: readonly Rect[]; clearance: Cpx },
): Point | null {
  const corners = cornersOf(grown(box, clearance));
  const blocked = (corner: Point): boolean =>
    obstacles.some((other) => isInside(corner, grown(other, clearance)));
  const free = corners
    .filter((corner) => !path.some((point) => point.x === corner.x && point.y === corner.y))
    .filter((corner) => !blocked(corner))
    .map((corner) => ({ corner, cost: distance(before, corner) + distance(corner, after) }))
    .sort((a, b) => a.cost - b.cost || a.corner.x - b.corner.x || a.corner.y - b.corner.y);
  return free[0]?.corner ?? null;
}

type Place = { x: number; y: number };

/** Rounds of majorisation (V67). */
const majorisations = 120;

type Springs = {
  readonly count: number;
  readonly edges: ReturnType<typeof edgeEnds>;
  /** Wanted length of an edge. */
  readonly length: number;
  readonly steps: Steps;
};

/**
 * Places by stress majorisation (Gansner, Koren, North 2005): distances in the picture follow distances in the graph.
 * It starts from pivots far apart, in input order; only + − × ÷ and square roots (V3, V18).
 */
function stressLayout({ count, edges, length, steps }: Springs): Place[] {
  const distances = graphDistances(count, { edges, steps });
  const far =
    1 + Math.max(1, ...distances.map((row) => Math.max(...row.map((d) => (d === Infinity ? 0 : d)))));
  const wanted = distances.map((row) => row.map((d) => (d === Infinity ? far : d) * length));
  const places = startPlaces(wanted, length);
  for (let round = 0; round < majorisations; round++)
    for (const [i, place] of places.entries()) {
      let [weights, x, y] = [0, 0, 0];
      for (const [j, other] of places.entries()) {
        if (i === j) continue;
        const distance = wanted[i]?.[j] ?? length;
        const weight = 1 / (distance * distance);
        const [dx, dy] = [place.x - other.x, place.y - other.y];
        const now = Math.sqrt(dx * dx + dy * dy) || 1;
        weights += weight;
        x += weight * (other.x + (distance * dx) / now);
        y += weight * (other.y + (distance * dy) / now);
      }
      steps.taken += places.length;
      if (weights > 0) [place.x, place.y] = [x / weights, y / weights];
    }
  return places;
}

function graphDistances(count: number, { edges, steps }: Pick<Springs, 'edges' | 'steps'>): number[][] {
  const beside: number[][] = Array.from({ length: count }, () => []);
  for (const [a, b] of edges) {
    beside[a]?.push(b);
    beside[b]?.push(a);
  }
  return beside.map((_, start) => {
    const row = new Array<number>(count).fill(Infinity);
    row[start] = 0;
    const queue = [start];
    for (let at = 0; at < queue.length; at++) {
      const node = queue[at] ?? 0;
      for (const next of beside[node] ?? []) {
        steps.taken++;
        if (row[next] !== Infinity) continue;
        row[next] = (row[node] ?? 0) + 1;
        queue.push(next);
      }
    }
    return row;
  });
}

/** Two nodes far apart span the first axis, one far from both the second; ties are broken by index. */
function startPlaces(wanted: readonly (readonly number[])[], length: number): Place[] {
  const farthest = (from: readonly number[]): number => from.indexOf(Math.max(...from));
  const a = farthest(wanted[0] ?? [0]);
  const b = farthest(wanted[a] ?? [0]);
  const between = wanted.map((row) => Math.min(row[a] ?? 0, row[b] ?? 0));
  const c = farthest(between);
  return wanted.map((row, index) => {
    const [toA, toB, toC] = [row[a] ?? 0, row[b] ?? 0, row[c] ?? 0];
    const apart = length / 16;
    return {
      x: (toA - toB) * 0.7 + ((index * 7) % 11) * apart,
      y: (2 * toC - toA - toB) * 0.35 + ((index * 5) % 13) * apart,
    };
  });
}
