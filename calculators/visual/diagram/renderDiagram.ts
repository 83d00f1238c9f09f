import type { FitReport } from '../../../data/contract/visual/fitReport.ts';
import type { VisualContract } from '../../../data/contract/visual/visualContract.ts';
import { listedReport } from '../fit/listedReport.ts';
import type { Scene } from '../scene/scene.ts';
import { svgSize, writeSvg } from '../scene/writeSvg.ts';
import { fitLadder } from './fitLadder.ts';
import type { Steps } from './layout.ts';
import { textAlternative } from './textAlternative.ts';

export type RenderedDiagram = {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
  /** Without the id of a receipt. */
  readonly fitReport: FitReport;
  /** Empty when the contract asks for none. */
  readonly textAlternative: string;
  readonly scene: Scene;
  /** Inner comparisons that were made (V67). */
  readonly steps: number;
};

/** Draws a checked contract: the same contract gives the same bytes on every machine (I4.VIS.12, V66). */
export function renderDiagram(contract: VisualContract): RenderedDiagram {
  const steps: Steps = { taken: 0 };
  const { scene, report, layout } = fitLadder(contract, steps);
  const { accessibility, render_policy, diagram_id } = contract;
  const svg = writeSvg(scene, {
    id: diagram_id,
    language: accessibility.language,
    title: accessibility.title,
    description: accessibility.description,
    theme: render_policy.theme,
    family: render_policy.font_family,
  });
  return {
    svg,
    ...svgSize(scene),
    fitReport: listedReport(report),
    textAlternative: accessibility.include_text_alternative ? textAlternative(contract, layout) : '',
    scene,
    steps: steps.taken,
  };
}
