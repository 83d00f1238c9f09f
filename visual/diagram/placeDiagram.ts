import type { VisualContract } from '../../contract/visual/visualContract.ts';
import type { EdgeLabel } from './edgeLabels.ts';
import { matrixFamily } from './grid/matrixFamily.ts';
import { layeredFamily } from './layered/layeredFamily.ts';
import type { Layout, Steps } from './layout.ts';
import { networkFamily } from './network/networkFamily.ts';
import type { NodeBox } from './nodeBoxes.ts';
import type { Settings } from './settings.ts';
import { timelineFamily } from './timeline/timelineFamily.ts';
import { hierarchyFamily } from './tree/hierarchyFamily.ts';

export type PlaceInput = {
  readonly contract: VisualContract;
  readonly nodes: readonly NodeBox[];
  readonly labels: readonly EdgeLabel[];
  readonly settings: Settings;
  readonly steps: Steps;
};

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
