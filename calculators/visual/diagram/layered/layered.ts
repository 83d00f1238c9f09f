import type { Layout, Steps } from '../layout.ts';
import { shiftedToOrigin } from '../shiftedToOrigin.ts';
import { assignColumns } from './assignColumns.ts';
import type { LayeredInput } from './layeredGraph.ts';
import { networkSimplex } from './networkSimplex.ts';
import { orderLayers } from './orderLayers.ts';
import { orientEdges } from './orientEdges.ts';
import { routeLayers } from './routeLayers.ts';
import { splitLongEdges } from './splitLongEdges.ts';
import { spreadPorts } from './spreadPorts.ts';
import { straightenLinks } from './straightenLinks.ts';

/** Lays a directed graph out in ranks with edges at right angles; integers, counted steps, no randomness (V17). */
export function layered(input: LayeredInput, steps: Steps): Layout {
  const down = orientEdges(input);
  const ranks = networkSimplex({
    pins: input.nodes.map(({ rank }) => rank),
    // a label stands in a rank of its own
    arcs: down.map(({ edge, upper, lower }) => ({
      tail: upper,
      head: lower,
      length: input.edges[edge]?.label === null ? 1 : 2,
      weight: 1,
    })),
    steps,
  });
  const graph = splitLongEdges(input, { down, ranks });
  const layers = orderLayers(graph, steps);
  spreadPorts(graph.vertices, input.gaps.edge);
  const borders = assignColumns(layers, { spacing: input, steps });
  straightenLinks(layers, { borders, spacing: input, steps });
  const { boxes, routes } = routeLayers({ graph, layers, down, gaps: input.gaps, steps });
  const lanes = borders.slice(1).map((to, lane) => [borders[lane] ?? 0, to] as const);
  return shiftedToOrigin({ boxes, routes, lanes, ticks: [], marks: [] });
}
