import type { Cpx, Rect } from '../../geometry/rect.ts';
import { type Point, pointAt, simplified } from '../../geometry/segment.ts';
import { assignTracks, type Run } from '../layered/assignTracks.ts';
import type { edgeEnds, Gaps, Route, Steps } from '../layout.ts';
import type { EdgeLabel } from '../nodeBoxes.ts';
import { placeLabels } from '../placeLabels.ts';

export type RowsInput = {
  /** Boxes across; every row from left to right. */
  readonly rows: readonly RowBoxes[];
  readonly heights: readonly Cpx[];
  /** Height of each box by its index. */
  readonly boxHeights: readonly Cpx[];
  /** How far from the corners edges may begin, by index. */
  readonly portInsets: readonly Cpx[];
  readonly edges: ReturnType<typeof edgeEnds>;
  readonly labels: readonly EdgeLabel[];
  readonly gaps: Gaps;
  readonly steps: Steps;
};

type Edge = {
  readonly index: number;
  readonly upper: number;
  readonly lower: number;
  readonly rows: readonly [number, number];
  /** Whether it points up. */
  readonly turned: boolean;
  /** Whether it runs straight from side to side within a row. */
  readonly straight: boolean;
};
type Ports = ReadonlyMap<string, Cpx>;

/** Sets rows of boxes below each other and routes edges at right angles through the gutters between them (V18). */
export function routeRows(input: RowsInput): { boxes: Rect[]; routes: Route[] } {
  const { rows, heights, boxHeights, gaps, steps, labels } = input;
  const rowOf = new Map(rows.flatMap((row, at) => row.map(({ index }) => [index, at] as const)));
  const across = new Map(rows.flatMap((row) => row.map((box) => [box.index, box] as const)));
  const centres = boxHeights.map((_, index) => {
    const { x = 0, w = 0 } = across.get(index) ?? {};
    return x + Math.floor(w / 2);
  });
  const edges = edgesOf(input, { rowOf, centres });
  const slots = chooseSlots(edges, { rows, centres, gap: gaps.edge, steps });
  const ports = portsOf(edges, { input, slots, centres, across });
  const stops = edges.map((edge, i) => stopsOf(edge, { slots: slots[i] ?? [], ports, centres }));
  const { tops, levels } = stack({ edges, stops, heights, labels, gaps, steps });
  const boxes = boxHeights.map((h, index): Rect => {
    const [row, { x, w }] = [rowOf.get(index) ?? 0, across.get(index) ?? { x: 0, w: 0 }];
    return { x, y: (tops[row] ?? 0) + Math.floor(((heights[row] ?? 0) - h) / 2), w, h };
  });
  const routes: Route[] = [];
  for (const [i, edge] of edges.entries()) {
    const points = edge.straight
      ? straightLine(boxes[edge.upper], boxes[edge.lower])
      : lineOf(edge, { stops: stops[i] ?? [], levels: levels[i] ?? [], boxes });
    routes[edge.index] = { points: simplified(edge.turned ? points.reverse() : points), label: null };
  }
  return { boxes, routes: placeLabels(routes, { labels, boxes, steps }) };
}

function edgesOf(
  { edges, rows, labels }: RowsInput,
  { rowOf, centres }: { rowOf: ReadonlyMap<number, number>; centres: readonly Cpx[] },
): Edge[] {
  const beside = new Set<string>();
  return edges.map(([from, to], index) => {
    const [a, b] = [rowOf.get(from) ?? 0, rowOf.get(to) ?? 0];
    const turned = a === b ? (centres[from] ?? 0) > (centres[to] ?? 0) : a > b;
    const [upper, lower] = turned ? [to, from] : [from, to];
    const row = rows[a] ?? [];
    const place = row.findIndex((box) => box.index === upper);
    const key = `${upper} ${lower}`;
    // one line from side to side, where the next box is the other end
    const straight =
      a === b && row[place + 1]?.index === lower && !beside.has(key) && (labels[index] ?? null) === null;
    if (straight) beside.add(key);
    return { index, upper, lower, rows: [Math.min(a, b), Math.max(a, b)], turned, straight };
  });
}

const portKey = (edge: Edge, end: 'upper' | 'lower'): string => `${edge.index} ${end}`;

type Sides = {
  readonly input: RowsInput;
  readonly slots: readonly (readonly Cpx[])[];
  readonly centres: readonly Cpx[];
  readonly across: ReadonlyMap<number, { x: Cpx; w: Cpx }>;
};

/** Ports on the lower sides of upper ends and the upper sides of lower ones; within a row both leave below. */
function portsOf(edges: readonly Edge[], { input, slots, centres, across }: Sides): Ports {
  const ends = edges.flatMap((edge, i) => {
    if (edge.straight) return [];
    const passed = slots[i] ?? [];
    const isLevel = edge.rows[0] === edge.rows[1];
    return [
      {
        ...{ edge, end: 'upper' as const, node: edge.upper, side: 'below' },
        towards: passed[0] ?? centres[edge.lower] ?? 0,
      },
      {
        ...{ edge, end: 'lower' as const, node: edge.lower, side: isLevel ? 'below' : 'above' },
        towards: passed.at(-1) ?? centres[edge.upper] ?? 0,
      },
    ];
  });
  const ports = new Map<string, Cpx>();
  for (const side of Map.groupBy(ends, ({ node, side: at }) => `${node} ${at}`).values()) {
    const ordered = side.toSorted((a, b) => a.towards - b.towards || a.edge.index - b.edge.index);
    for (const [i, { edge, end, node }] of ordered.entries()) {
      const { w } = across.get(node) ?? { w: 0 };
      const room = Math.max(0, w - 2 * (input.portInsets[node] ?? 0));
      const step =
        ordered.length === 1 ? 0 : Math.min(2 * input.gaps.edge, Math.floor(room / (ordered.length - 1)));
      const offset = Math.floor(((2 * i - (ordered.length - 1)) * step) / 2);
      ports.set(portKey(edge, end), (centres[node] ?? 0) + offset);
    }
  }
  return ports;
}

/** The x of an edge at its upper end, in every row it passes, and at its lower end. */
function stopsOf(
  edge: Edge,
  { slots, ports, centres }: { slots: readonly Cpx[]; ports: Ports; centres: readonly Cpx[] },
): Cpx[] {
  return [
    ports.get(portKey(edge, 'upper')) ?? centres[edge.upper] ?? 0,
    ...slots,
    ports.get(portKey(edge, 'lower')) ?? centres[edge.lower] ?? 0,
  ];
}

type Stack = {
  readonly edges: readonly Edge[];
  readonly stops: readonly (readonly Cpx[])[];
  readonly heights: readonly Cpx[];
  readonly labels: readonly EdgeLabel[];
  readonly gaps: Gaps;
  readonly steps: Steps;
};

/** Tops of the rows and the height of every level part, by edge and gutter from its upper end. */
function stack({ edges, stops, heights, labels, gaps, steps }: Stack): { tops: Cpx[]; levels: Cpx[][] } {
  const levels: Cpx[][] = edges.map(() => []);
  const tops: Cpx[] = [];
  let y = 0;
  for (const [row, height] of heights.entries()) {
    tops.push(y);
    y += height;
    const here = edges.flatMap((edge, i) => {
      const [first, last] = edge.rows;
      const isLevel = first === last;
      if (edge.straight || row < first || row > last || (row === last && !isLevel)) return [];
      const [from = 0, to = 0] = [stops[i]?.[row - first], stops[i]?.[row - first + 1]];
      const run: Run = isLevel ? { up: [from, to], down: [] } : { up: [from], down: [to] };
      return [{ i, edge, run, at: row - first, isBent: isLevel || from !== to }];
    });
    const bent = here.filter(({ isBent }) => isBent);
    const { tracks, count } = assignTracks(
      bent.map(({ run }) => run),
      { clearance: gaps.edge, steps },
    );
    const isLast = row === heights.length - 1;
    const tallest = Math.max(0, ...here.map(({ edge }) => labels[edge.index]?.h ?? 0));
    const tracked = count === 0 ? 0 : (count + 1) * Math.max(gaps.edge, tallest === 0 ? 0 : tallest + 400);
    const labelled = tallest === 0 ? 0 : tallest + 2 * gaps.edge;
    const gutter = isLast ? tracked : Math.max(gaps.rank, tracked, labelled);
    for (const [k, { i, at }] of bent.entries()) {
      const own = levels[i];
      if (own !== undefined) own[at] = y + Math.floor((((tracks[k] ?? 0) + 1) * gutter) / (count + 1));
    }
    y += gutter;
  }
  return { tops, levels };
}

function lineOf(
  { upper, lower, rows: [first, last] }: Edge,
  { stops, levels, boxes }: { stops: readonly Cpx[]; levels: readonly Cpx[]; boxes: readonly Rect[] },
): Point[] {
  const [start, end] = [boxes[upper], boxes[lower]];
  if (start === undefined || end === undefined) return [];
  const [from = 0, to = 0] = [stops[0], stops.at(-1)];
  const bends = levels.flatMap((level, i) => [
    pointAt(stops[i] ?? 0, level),
    pointAt(stops[i + 1] ?? 0, level),
  ]);
  const arrival = first === last ? end.y + end.h : end.y;
  return [pointAt(from, start.y + start.h), ...bends, pointAt(to, arrival)];
}

function straightLine(left: Rect | undefined, right: Rect | undefined): Point[] {
  if (left === undefined || right === undefined) return [];
  const y = left.y + Math.floor(left.h / 2);
  return [pointAt(left.x + left.w, y), pointAt(right.x, y)];
}

/** Boxes of one row from left to right. */
export type RowBoxes = readonly { readonly index: number; readonly x: Cpx; readonly w: Cpx }[];

type Gap = { readonly gap: Cpx; readonly steps: Steps };
type Passing = { readonly upper: number; readonly lower: number; readonly rows: readonly [number, number] };

/**
 * Where edges pass the rows between their ends: as near to the straight line as the free stretches of each row allow,
 * an edge gap apart. Returns for each edge its x in every row it passes.
 */
export function chooseSlots(
  edges: readonly Passing[],
  { rows, centres, gap, steps }: { rows: readonly RowBoxes[]; centres: readonly Cpx[] } & Gap,
): Cpx[][] {
  const taken: Cpx[][] = rows.map(() => []);
  return edges.map(({ upper, lower, rows: [first, last] }) => {
    const slots: Cpx[] = [];
    let x = centres[upper] ?? 0;
    for (let row = first + 1; row < last; row++) {
      const left = last - row;
      // towards the other end, a part of the way in each row
      const wanted = x + Math.floor(((centres[lower] ?? 0) - x) / (left + 1));
      x = nearestFree({ x, wanted, boxes: rows[row] ?? [], taken: taken[row] ?? [], gap, steps });
      taken[row]?.push(x);
      slots.push(x);
    }
    return slots;
  });
}

type Search = Gap & {
  readonly x: Cpx;
  readonly wanted: Cpx;
  readonly boxes: RowBoxes;
  readonly taken: readonly Cpx[];
};

function nearestFree({ x, wanted, boxes, taken, gap, steps }: Search): Cpx {
  const blocked = merged([
    ...boxes.map((box) => ({ low: box.x - gap, high: box.x + box.w + gap })),
    ...taken.map((other) => ({ low: other - gap, high: other + gap })),
  ]);
  steps.taken += boxes.length + taken.length;
  const holder = (at: Cpx) => blocked.find(({ low, high }) => low < at && at < high);
  // straight on is best
  if (holder(x) === undefined) return x;
  const inside = holder(wanted);
  if (inside === undefined) return wanted;
  return wanted - inside.low <= inside.high - wanted ? inside.low : inside.high;
}

type Stretch = { readonly low: Cpx; readonly high: Cpx };

function merged(stretches: readonly Stretch[]): Stretch[] {
  const found: Stretch[] = [];
  for (const { low, high } of stretches.toSorted((a, b) => a.low - b.low || a.high - b.high)) {
    const last = found.at(-1);
    if (last === undefined || low >= last.high) found.push({ low, high });
    else found[found.length - 1] = { low: last.low, high: Math.max(last.high, high) };
  }
  return found;
}
