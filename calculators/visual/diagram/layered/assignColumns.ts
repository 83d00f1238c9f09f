import type { Steps } from '../layout.ts';
import { alignBlocks, conflictsOf, directions } from './alignBlocks.ts';
import { type Columns, compactBlocks } from './compactBlocks.ts';
import type { LayeredInput, Vertex } from './layeredGraph.ts';

/**
 * Centres of all vertices: four alignments, each compacted, brought to the narrowest one; the mean of the two middle
 * ones keeps every least distance (V17). Returns the borders of the lanes.
 */
export function assignColumns(
  layers: readonly (readonly Vertex[])[],
  { spacing, steps }: { spacing: Pick<LayeredInput, 'gaps' | 'lanes' | 'laneInset'>; steps: Steps },
): number[] {
  const conflicts = conflictsOf(layers, steps);
  const vertices = layers.flat();
  const found = directions.map((direction) => {
    const blocks = alignBlocks(layers, { ...direction, conflicts, steps });
    const columns = compactBlocks(layers, { blocks, left: direction.left, spacing, steps });
    return { columns, left: direction.left, ...extent(vertices, columns) };
  });
  const narrowest = found.reduce((a, b) => (b.high - b.low < a.high - a.low ? b : a));
  const shifted = found.map(({ columns, left, low, high }) => ({
    ...columns,
    by: left ? narrowest.low - low : narrowest.high - high,
  }));
  const middle = (at: (columns: (typeof shifted)[number]) => number): number => {
    const [, low = 0, high = 0] = shifted.map((columns) => at(columns) + columns.by).sort((a, b) => a - b);
    return Math.floor((low + high) / 2);
  };
  for (const vertex of vertices) vertex.x = middle(({ x }) => x[vertex.index] ?? 0);
  return Array.from(narrowest.columns.borders, (_, k) => middle(({ borders }) => borders[k] ?? 0));
}

function extent(vertices: readonly Vertex[], { x, borders }: Columns): { low: number; high: number } {
  let [low, high] = [Infinity, -Infinity];
  for (const { index, w } of vertices) {
    const [centre, half] = [x[index] ?? 0, Math.ceil(w / 2)];
    low = Math.min(low, centre - half);
    high = Math.max(high, centre + half);
  }
  for (const border of borders) {
    low = Math.min(low, border);
    high = Math.max(high, border);
  }
  return { low, high };
}
