import type { FitReport } from '../../../data/contract/visual/fitReport.ts';
import type {
  DiagramFamily,
  VisualContract,
  VisualNode,
} from '../../../data/contract/visual/visualContract.ts';
import { measureFit } from '../fit/measureFit.ts';
import { listedReport } from '../fit/verdict.ts';
import type { Cpx } from '../geometry/rect.ts';
import type { Scene } from '../scene/scene.ts';
import { svgSize, writeSvg } from '../scene/writeSvg.ts';
import { cleanText } from '../type/measureText.ts';
import { drawDiagram } from './drawDiagram.ts';
import { textColours } from './drawItems.ts';
import { matrixFamily } from './grid/matrixFamily.ts';
import { layeredFamily } from './layered/layeredFamily.ts';
import type { Layout, Steps } from './layout.ts';
import { networkFamily } from './network/networkFamily.ts';
import { edgeLabels, nodeBoxes, type PlaceInput } from './nodeBoxes.ts';
import { rungsOf, settingsOf } from './settings.ts';
import { timelineFamily } from './timeline/timelineFamily.ts';
import { hierarchyFamily } from './tree/hierarchyFamily.ts';

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

/** Title, description, a line a node in reading order, then the notes; plain text (V21). */
function textAlternative(contract: VisualContract, { boxes }: Layout): string {
  const { accessibility, nodes, edges, labels, owners, viewport_policy } = contract;
  const labelOf = new Map(nodes.map(({ id, label }) => [id, cleanText(label)]));
  const ownerOf = new Map(owners.map(({ id, label }) => [id, cleanText(label)]));
  const runsRight = viewport_policy.orientation === 'horizontal' || contract.diagram_family === 'timeline';
  const centres = boxes.map(({ x, y, w, h }) => {
    const [across, down] = [2 * x + w, 2 * y + h];
    return runsRight ? { rank: across, place: down } : { rank: down, place: across };
  });
  const order = [...nodes.keys()].sort((a, b) => {
    const [p, q] = [centres[a] ?? { rank: 0, place: 0 }, centres[b] ?? { rank: 0, place: 0 }];
    return p.rank - q.rank || p.place - q.place || a - b;
  });
  const line = ({ id, kind, owner }: VisualNode): string => {
    const about = [kind, ...(owner === undefined ? [] : [ownerOf.get(owner) ?? owner])].join(', ');
    const targets = edges
      .filter(({ from }) => from === id)
      .map(({ to, label = '' }) => {
        const words = cleanText(label);
        return `→ ${labelOf.get(to) ?? to}${words === '' ? '' : ` [${words}]`}`;
      });
    const leading = targets.length === 0 ? '' : `: ${targets.join('; ')}`;
    return `${labelOf.get(id) ?? id} (${about})${leading}`;
  };
  return [
    cleanText(accessibility.title),
    cleanText(accessibility.description),
    '',
    ...order.flatMap((index) => {
      const node = nodes[index];
      return node === undefined ? [] : [line(node)];
    }),
    ...(labels.length === 0 ? [] : ['', 'Notes:']),
    ...labels.map(({ text, anchor }) => `${labelOf.get(anchor) ?? anchor}: ${cleanText(text)}`),
    '',
  ].join('\n');
}

type Fitted = { readonly scene: Scene; readonly report: FitReport; readonly layout: Layout };
type Attempt = Fitted & { readonly redraw: (margin: Cpx) => Scene };

const million = 1_000_000;
/** A render stays under this on all rungs together; rungs that would exceed it are skipped (V67). */
const budget = 40_000_000;
/** Half of the heaviest line lies outside its box. */
const bleed: Cpx = 200;

/** The first rung without a violation that fails, or the one with the fewest; six layouts at most (V19). */
function fitLadder(contract: VisualContract, steps: Steps): Fitted {
  const attempts: Attempt[] = [];
  let dearest = 0;
  for (const rung of rungsOf(contract)) {
    if (attempts.length > 0 && steps.taken + dearest > budget) break;
    const before = steps.taken;
    const attempt = tried(contract, { rung, steps });
    dearest = Math.max(dearest, steps.taken - before);
    if (attempt.report.verdict !== 'does_not_fit') return attempt;
    attempts.push(attempt);
  }
  const best = attempts.reduce((a, b) => (errorsOf(b.report) < errorsOf(a.report) ? b : a));
  if (contract.viewport_policy.overflow !== 'scale') return best;
  const scaled = attempts
    .map((attempt) => scaledDown(contract, attempt))
    .filter((attempt) => attempt !== null)
    .sort(
      (a, b) =>
        errorsOf(a.report) - errorsOf(b.report) ||
        b.report.metrics.min_font_px_used - a.report.metrics.min_font_px_used,
    );
  return scaled[0] ?? best;
}

const errorsOf = ({ violations }: FitReport): number =>
  violations.filter(({ severity }) => severity === 'error').length;

function tried(
  contract: VisualContract,
  { rung, steps }: { rung: ReturnType<typeof rungsOf>[number]; steps: Steps },
): Attempt {
  const settings = settingsOf(contract, rung);
  const nodes = nodeBoxes(contract, settings);
  const labels = edgeLabels(contract, settings);
  const layout = families[contract.diagram_family]({ contract, nodes, labels, settings, steps });
  const colours = textColours(contract);
  const redraw = (margin: Cpx): Scene =>
    drawDiagram({ contract, nodes, labels, settings, layout, margin, colours });
  const scene = redraw(100 * contract.viewport_policy.margin + bleed);
  return { scene, layout, redraw, report: measureFit(scene, contract) };
}

/** The attempt in the size of the viewport, its margin kept; null when there is no room at all. */
function scaledDown(contract: VisualContract, { scene, layout, redraw }: Attempt): Fitted | null {
  const { width, height, margin } = contract.viewport_policy;
  const [across, down] = [100 * (width - 2 * margin), 100 * (height - 2 * margin)];
  const own = 2 * (100 * margin + bleed);
  // rounding of boxes may cost a hundredth on either side
  const ratio = Math.min(
    (across - 2) / (scene.width - own + 2 * bleed),
    (down - 2) / (scene.height - own + 2 * bleed),
  );
  const scale = Math.floor(Math.min(1, ratio) * million);
  if (scale <= 0) return null;
  const drawn = { ...redraw(Math.ceil((100 * margin * million) / scale) + bleed), scale };
  return { scene: drawn, layout, report: measureFit(drawn, contract) };
}

/** Each places nodes, edges and labels in its own way (V17, V18). */
const families: Readonly<Record<DiagramFamily, (input: PlaceInput) => Layout>> = {
  layered_flow: layeredFamily,
  swimlane: layeredFamily,
  hierarchy: hierarchyFamily,
  matrix: matrixFamily,
  timeline: timelineFamily,
  network: networkFamily,
};
