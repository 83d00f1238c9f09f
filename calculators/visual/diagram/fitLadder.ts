import type { FitReport } from '../../../data/contract/visual/fitReport.ts';
import type { VisualContract } from '../../../data/contract/visual/visualContract.ts';
import { measureFit } from '../fit/measureFit.ts';
import type { Cpx } from '../geometry/cpx.ts';
import type { Scene } from '../scene/scene.ts';
import { drawDiagram } from './drawDiagram.ts';
import { edgeLabels } from './edgeLabels.ts';
import type { Layout, Steps } from './layout.ts';
import { nodeBoxes } from './nodeBoxes.ts';
import { placeDiagram } from './placeDiagram.ts';
import { rungsOf, settingsOf } from './settings.ts';
import { textColours } from './textColours.ts';

export type Fitted = { readonly scene: Scene; readonly report: FitReport; readonly layout: Layout };
type Attempt = Fitted & { readonly redraw: (margin: Cpx) => Scene };

const million = 1_000_000;
/** A render stays under this on all rungs together; rungs that would exceed it are skipped (V67). */
const budget = 40_000_000;
/** Half of the heaviest line lies outside its box. */
const bleed: Cpx = 200;

/** The first rung without a violation that fails, or the one with the fewest; six layouts at most (V19). */
export function fitLadder(contract: VisualContract, steps: Steps): Fitted {
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
  const layout = placeDiagram({ contract, nodes, labels, settings, steps });
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
