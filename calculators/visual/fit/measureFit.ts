import type { FitMetrics, FitReport, FitViolation } from '../../../data/contract/visual/fitReport.ts';
import type { ViolationCode, VisualContract } from '../../../data/contract/visual/visualContract.ts';
import { around, grown, holds, type Rect } from '../geometry/rect.ts';
import type { Scene } from '../scene/scene.ts';
import { textGrounds } from '../scene/textGrounds.ts';
import { contrast } from '../theme/contrast.ts';
import { colourOf } from '../theme/tokens.ts';
import { clearances } from './clearances.ts';
import { crossings, edgesThroughNodes, fromLeft } from './crossings.ts';
import { drawnOf } from './drawn.ts';
import { labelFit } from './labelFit.ts';
import { overlaps } from './overlaps.ts';
import { verdictOf } from './verdict.ts';

export type FitPolicies = Pick<
  VisualContract,
  'viewport_policy' | 'fit_policy' | 'accessibility' | 'render_policy'
>;

type Found = Pick<FitViolation, 'measured' | 'limit' | 'message'> & {
  readonly code: ViolationCode;
  readonly ids: readonly string[];
};

const million = 1_000_000;

/** Measures a finished scene against a contract's policies; px are those of the scaled picture (V23 to V32). */
export function measureFit(scene: Scene, policies: FitPolicies): FitReport {
  const { viewport_policy: viewport, fit_policy: fit, accessibility, render_policy } = policies;
  const drawn = drawnOf(scene);
  // lengths of policies in units of the scene, and measured ones in px as drawn
  const unscaled = (px: number): number => Math.ceil((px * 100 * million) / scene.scale);
  const drawnPx = (length: number): number => Math.floor((length * scene.scale) / million) / 100;
  const { smallest, close } = overlaps(drawn.nodes, unscaled(fit.min_node_gap));
  const placed = fromLeft(drawn.edges);
  const crossed = crossings(placed);
  const through = edgesThroughNodes(drawn.edges, drawn.nodes);
  const inner: Rect = grown(
    { x: 0, y: 0, w: 100 * viewport.width, h: 100 * viewport.height },
    -100 * viewport.margin,
  );
  const outside = drawn.boxes.filter(({ box }) => !holds(inner, scaled(box, scene.scale)));
  const texts = scene.items.filter((item) => item.type === 'text');
  const sizes = texts.map(({ style }) => style.size);
  // without any text nothing is too small
  const fontPx = sizes.length === 0 ? viewport.min_font_px : drawnPx(Math.min(...sizes));
  const overflows = labelFit(drawn, { lines: fit.max_label_lines, width: (inner.w * million) / scene.scale });
  const ratios = textGrounds(scene).map(({ text, ground }) => ({
    id: text.subject.id,
    ratio: floorTo(
      contrast(colourOf(text.colour, render_policy.theme), colourOf(ground, render_policy.theme)),
      100,
    ),
  }));
  const minContrast = Math.min(21, ...ratios.map(({ ratio }) => ratio));
  const overlapping = close.filter(({ gap }) => gap < 0);
  const found: Found[] = [
    ...overflows.map((overflow) => ({ code: 'label_overflow' as const, ...overflow })),
    ...unique(texts.filter(({ cut }) => cut).map(({ subject }) => subject.id)).map((id) =>
      plain('label_truncated', [id], 'The label was cut to its lines.'),
    ),
    ...overlapping.map(({ ids }) => plain('node_overlap', ids, 'Two nodes overlap.')),
    ...close
      .filter(({ gap }) => gap >= 0)
      .map(({ ids, gap }) =>
        measured('node_gap', ids, {
          is: drawnPx(gap),
          limit: fit.min_node_gap,
          text: 'Two nodes lie closer than the least gap.',
        }),
      ),
    ...through.map(({ edge, node }) =>
      plain('edge_through_node', [edge, node], 'An edge runs through a node.'),
    ),
    ...clearances(drawn.edges, { nodes: drawn.nodes, placed, least: unscaled(fit.min_edge_clearance) }).map(
      ({ edge, other, distance }) =>
        measured('edge_clearance', [edge, other], {
          is: drawnPx(distance),
          limit: fit.min_edge_clearance,
          text: 'An edge runs too near to a node or another edge.',
        }),
    ),
    ...(fit.max_edge_crossings !== null && crossed > fit.max_edge_crossings
      ? [
          measured('edge_crossings', [], {
            is: crossed,
            limit: fit.max_edge_crossings,
            text: 'More edges cross than allowed.',
          }),
        ]
      : []),
    ...unique(outside.map(({ subject }) => subject.id)).map((id) =>
      plain('outside_viewport', [id], 'It leaves the viewport less its margin.'),
    ),
    ...(fontPx < viewport.min_font_px
      ? [
          measured('font_too_small', [], {
            is: fontPx,
            limit: viewport.min_font_px,
            text: 'The smallest text is under the least size.',
          }),
        ]
      : []),
    ...unique(ratios.filter(({ ratio }) => ratio < accessibility.min_contrast).map(({ id }) => id)).map(
      (id) =>
        measured('low_contrast', [id], {
          is: minContrast,
          limit: accessibility.min_contrast,
          text: 'Text and ground are too alike.',
        }),
    ),
  ];
  const used = scaled(around(drawn.boxes.map(({ box }) => box)) ?? { x: 0, y: 0, w: 0, h: 0 }, scene.scale);
  const metrics: FitMetrics = {
    node_count: drawn.nodes.length,
    edge_count: drawn.edges.length,
    node_overlaps: overlapping.length,
    label_overflows: overflows.length,
    edge_crossings: crossed,
    edges_through_nodes: through.length,
    outside_viewport: outside.length,
    min_font_px_used: fontPx,
    scale_applied: scene.scale / million,
    used_width: floorTo(used.w / 100, 100),
    used_height: floorTo(used.h / 100, 100),
    fill_ratio: inner.w <= 0 || inner.h <= 0 ? 0 : floorTo((used.w * used.h) / (inner.w * inner.h), million),
    min_gap_px: smallest === null ? Math.min(viewport.width, viewport.height) : drawnPx(smallest),
    min_contrast: minContrast,
  };
  return {
    schema_id: 'visual_fit_report.v1',
    render_receipt_id: null,
    metrics,
    ...verdictOf(found, fit.fail_on),
  };
}

const floorTo = (value: number, parts: number): number => Math.floor(value * parts) / parts;
const unique = (ids: readonly string[]): string[] => [...new Set(ids)];

function plain(code: ViolationCode, ids: readonly string[], message: string): Found {
  return { code, ids, measured: null, limit: null, message };
}

function measured(
  code: ViolationCode,
  ids: readonly string[],
  { is, limit, text }: { is: number; limit: number; text: string },
): Found {
  return { code, ids, measured: is, limit, message: text };
}

/** The box in hundredths of a px of the scaled picture. */
function scaled({ x, y, w, h }: Rect, scale: number): Rect {
  if (scale === million) return { x, y, w, h };
  const at = (value: number) => Math.floor((value * scale) / million);
  return { x: at(x), y: at(y), w: at(x + w) - at(x), h: at(y + h) - at(y) };
}
