import { matrixFamily } from './grid/matrixFamily.ts';
import { layeredFamily } from './layered/layeredFamily.ts';
import type { Layout } from './layout.ts';
import { networkFamily } from './network/networkFamily.ts';
import type { PlaceInput } from './placeInput.ts';
import { timelineFamily } from './timeline/timelineFamily.ts';
import { hierarchyFamily } from './tree/hierarchyFamily.ts';

/** Places nodes, edges and labels as the diagram's family asks (V17, V18). */
export function placeDiagram(input: PlaceInput): Layout {
  switch (input.contract.diagram_family) {
    case 'layered_flow':
    case 'swimlane':
      return layeredFamily(input);
    case 'hierarchy':
      return hierarchyFamily(input);
    case 'matrix':
      return matrixFamily(input);
    case 'timeline':
      return timelineFamily(input);
    case 'network':
      return networkFamily(input);
  }
}
