import type { VisualContract } from '../../../data/contract/visual/visualContract.ts';
import type { Cpx } from '../geometry/rect.ts';
import type { TextStyle } from '../type/measureText.ts';
import type { Gaps } from './layout.ts';

/** Sizes that one rung of the ladder draws with (V19). */
export type Settings = {
  readonly label: TextStyle;
  readonly quiet: TextStyle;
  readonly heading: TextStyle;
  readonly title: TextStyle;
  /** The widest line of a node's label. */
  readonly labelWidth: Cpx;
  readonly gaps: Gaps;
};

export type Rung = { readonly labelPx: number; readonly labelWidth: Cpx; readonly tight: boolean };

/** The rungs of the fit ladder, the first as asked (V19). */
export function rungsOf({ viewport_policy: { min_font_px: least } }: VisualContract): Rung[] {
  const first = Math.max(13, least);
  const rungs: Rung[] = [
    { labelPx: first, labelWidth: 17_000, tight: false },
    { labelPx: first, labelWidth: 13_000, tight: false },
    { labelPx: first, labelWidth: 13_000, tight: true },
  ];
  if (least < 13) rungs.push({ labelPx: Math.max(12, least), labelWidth: 13_000, tight: true });
  if (least < 12) rungs.push({ labelPx: least, labelWidth: 13_000, tight: true });
  return rungs;
}

/** What a rung draws with under the contract's policies. */
export function settingsOf(
  { viewport_policy: { min_font_px: least }, fit_policy, render_policy }: VisualContract,
  { labelPx, labelWidth, tight }: Rung,
): Settings {
  const family = render_policy.font_family;
  const size = (wanted: Cpx): Cpx => Math.max(wanted, 100 * least);
  const [node, clearance] = [100 * fit_policy.min_node_gap, 100 * fit_policy.min_edge_clearance];
  // a head is 7 px wide, a stroke little over one; 2 px keep the measured clearance above the policy's
  const edge = Math.max(800, clearance + 200);
  const loose = { node: Math.max(node, 3_000), edge: Math.max(edge, 1_200), rank: Math.max(node, 3_600) };
  return {
    label: { face: `${family}-400`, size: 100 * labelPx },
    quiet: { face: `${family}-400`, size: size(100 * labelPx - 150) },
    heading: { face: `${family}-600`, size: size(100 * labelPx) },
    title: { face: `${family}-600`, size: size(1_700) },
    labelWidth,
    gaps: tight ? { node, edge, rank: Math.max(node, 2 * edge) } : loose,
  };
}

/** Line height is 1.35 of the size (V15). */
export function lineHeight({ size }: TextStyle): Cpx {
  return Math.round((size * 135) / 100);
}
