import type { Steps } from '../layout.ts';
import type { ProperGraph, Vertex } from './layeredGraph.ts';

// budgets of V67
const starts = 16;
const sweeps = 24;
const budget = 2_000_000;
/** Sweeps without gain after which a start is given up. */
const patience = 4;

type Layers = Vertex[][];
type Key = (vertex: Vertex) => number;

/**
 * Orders every rank for few crossings: weighted median and mean sweeps with exchanges of neighbours, from four fixed
 * starts and then seeded ones; lanes never mix (V17). Sets the positions and returns the ranks in order.
 */
export function orderLayers(graph: ProperGraph, steps: Steps): Layers {
  const { vertices, rankCount } = graph;
  const end = steps.taken + budget;
  let best = { crossings: Infinity, positions: new Int32Array(vertices.length) };
  for (let start = 0; start < starts && best.crossings > 0; start++) {
    // the first start is always finished, so that every graph gets an order
    if (start > 0 && steps.taken >= end) break;
    const layers = layersBy(vertices, rankCount, startKey(vertices, start));
    let own = countCrossings(layers, steps);
    if (own < best.crossings) best = snapshot(vertices, own);
    for (let sweep = 0, stale = 0; sweep < sweeps && stale < patience && best.crossings > 0; sweep++) {
      if (steps.taken >= end) break;
      sweepOnce({ layers, down: sweep % 2 === 0, byMedian: sweep % 4 < 2, steps });
      exchangeNeighbours(layers, steps, end);
      const crossings = countCrossings(layers, steps);
      stale = crossings < own ? 0 : stale + 1;
      own = Math.min(own, crossings);
      if (crossings < best.crossings) best = snapshot(vertices, crossings);
    }
  }
  return layersBy(vertices, rankCount, ({ index }) => best.positions[index] ?? 0);
}

function snapshot(vertices: readonly Vertex[], crossings: number) {
  return { crossings, positions: Int32Array.from(vertices, ({ position }) => position) };
}

function layersBy(vertices: readonly Vertex[], rankCount: number, key: Key): Layers {
  const layers: Layers = Array.from({ length: rankCount }, () => []);
  for (const vertex of vertices) layers[vertex.rank]?.push(vertex);
  for (const layer of layers) {
    layer.sort((a, b) => a.lane - b.lane || key(a) - key(b) || a.index - b.index);
    number(layer);
  }
  return layers;
}

function number(layer: readonly Vertex[]): void {
  for (let i = 0; i < layer.length; i++) {
    const vertex = layer[i];
    if (vertex !== undefined) vertex.position = i;
  }
}

/** Depth first from the sources, from the sinks, along both ways, as given; then seeded shuffles. */
function startKey(vertices: readonly Vertex[], start: number): Key {
  const below = (vertex: Vertex) => vertex.outgoing.map(({ lower }) => lower);
  const above = (vertex: Vertex) => vertex.incoming.map(({ upper }) => upper);
  const sources = vertices.filter(({ incoming }) => incoming.length === 0);
  if (start === 0) return depthFirst(vertices, sources, below);
  if (start === 1)
    return depthFirst(
      vertices,
      vertices.filter(({ outgoing }) => outgoing.length === 0),
      above,
    );
  if (start === 2) return depthFirst(vertices, sources, (vertex) => [...below(vertex), ...above(vertex)]);
  if (start === 3) return ({ index }) => index;
  let seed = start;
  const keys = vertices.map(() => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed;
  });
  return ({ index }) => keys[index] ?? 0;
}

function depthFirst(
  vertices: readonly Vertex[],
  roots: readonly Vertex[],
  next: (vertex: Vertex) => Vertex[],
): Key {
  const numbers = new Int32Array(vertices.length).fill(-1);
  let count = 0;
  for (const root of [...roots, ...vertices]) {
    const open = [root];
    for (let vertex = open.pop(); vertex !== undefined; vertex = open.pop()) {
      if (numbers[vertex.index] !== -1) continue;
      numbers[vertex.index] = count++;
      open.push(...next(vertex).reverse());
    }
  }
  return ({ index }) => numbers[index] ?? 0;
}

type Sweep = {
  readonly layers: Layers;
  readonly down: boolean;
  readonly byMedian: boolean;
  readonly steps: Steps;
};

function sweepOnce({ layers, down, byMedian, steps }: Sweep): void {
  for (let k = 1; k < layers.length; k++) {
    const layer = layers[down ? k : layers.length - 1 - k];
    if (layer !== undefined) sortLayer(layer, { down, byMedian, steps });
  }
}

function sortLayer(layer: Vertex[], { down, byMedian, steps }: Omit<Sweep, 'layers'>): void {
  const keyed = layer.map((vertex) => {
    const ends = down
      ? vertex.incoming.map(({ upper }) => upper.position)
      : vertex.outgoing.map(({ lower }) => lower.position);
    steps.taken += 1 + ends.length;
    ends.sort((a, b) => a - b);
    return { vertex, key: ends.length === 0 ? -1 : byMedian ? weightedMedian(ends) : mean(ends) };
  });
  // what has no neighbours there keeps its place
  const movable = keyed
    .filter(({ key }) => key >= 0)
    .sort((a, b) => a.vertex.lane - b.vertex.lane || a.key - b.key || a.vertex.position - b.vertex.position);
  let next = 0;
  const placed = keyed.map((entry) => (entry.key < 0 ? entry : (movable[next++] ?? entry)).vertex);
  placed.sort((a, b) => a.lane - b.lane);
  for (const [i, vertex] of placed.entries()) layer[i] = vertex;
  number(layer);
}

const unit = 5040;

function mean(ends: readonly number[]): number {
  let sum = 0;
  for (const end of ends) sum += end;
  return Math.floor((unit * sum) / ends.length);
}

/** Between the two middle ones, nearer to the side where the ends lie closer. */
function weightedMedian(ends: readonly number[]): number {
  const at = (index: number) => ends[index] ?? 0;
  const middle = ends.length >> 1;
  if (ends.length % 2 === 1) return at(middle) * unit;
  const [low, high] = [at(middle - 1), at(middle)];
  const [left, right] = [low - at(0), at(ends.length - 1) - high];
  if (left + right === 0) return ((low + high) * unit) / 2;
  return Math.floor((unit * (low * right + high * left)) / (left + right));
}

function exchangeNeighbours(layers: Layers, steps: Steps, end: number): void {
  for (let round = 0, improved = true; improved && round < 12 && steps.taken < end; round++) {
    improved = false;
    for (const layer of layers)
      for (let i = 0; i + 1 < layer.length; i++) {
        const [a, b] = [layer[i], layer[i + 1]];
        if (a === undefined || b === undefined || a.lane !== b.lane) continue;
        if (gainOfExchange(a, b, steps) <= 0) continue;
        [layer[i], layer[i + 1]] = [b, a];
        [b.position, a.position] = [i, i + 1];
        improved = true;
      }
  }
}

/** Crossings of the links of two neighbours as they stand, less those after an exchange. */
function gainOfExchange(a: Vertex, b: Vertex, steps: Steps): number {
  let gain = 0;
  for (const { upper: p } of a.incoming)
    for (const { upper: q } of b.incoming) gain += Math.sign(p.position - q.position);
  for (const { lower: p } of a.outgoing)
    for (const { lower: q } of b.outgoing) gain += Math.sign(p.position - q.position);
  steps.taken += a.incoming.length * b.incoming.length + a.outgoing.length * b.outgoing.length;
  return gain;
}

/** Crossings between all neighbouring ranks in their present order, counted with a tree of prefix sums. */
export function countCrossings(layers: readonly (readonly Vertex[])[], steps: Steps): number {
  let crossings = 0;
  for (const [rank, layer] of layers.entries()) {
    const size = layers[rank + 1]?.length ?? 0;
    if (size === 0) continue;
    const sums = new Int32Array(size + 1);
    let seen = 0;
    for (const vertex of layer) {
      const ends = vertex.outgoing.map(({ lower }) => lower.position);
      if (ends.length > 1) ends.sort((a, b) => a - b);
      for (const end of ends) {
        steps.taken++;
        let before = 0;
        for (let at = end + 1; at > 0; at -= at & -at) before += sums[at] ?? 0;
        crossings += seen - before;
        for (let at = end + 1; at <= size; at += at & -at) sums[at] = (sums[at] ?? 0) + 1;
        seen++;
      }
    }
  }
  return crossings;
}
