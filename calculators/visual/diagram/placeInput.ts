import type { VisualContract } from '../../../data/contract/visual/visualContract.ts';
import type { EdgeLabel } from './edgeLabels.ts';
import type { Steps } from './layout.ts';
import type { NodeBox } from './nodeBoxes.ts';
import type { Settings } from './settings.ts';

/** What a family lays out: a checked contract, its boxes and labels in input order. */
export type PlaceInput = {
  readonly contract: VisualContract;
  readonly nodes: readonly NodeBox[];
  readonly labels: readonly EdgeLabel[];
  readonly settings: Settings;
  readonly steps: Steps;
};
