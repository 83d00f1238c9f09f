import type { VisualContract, VisualNode } from '../../../data/contract/visual/visualContract.ts';
import type { Cpx } from '../geometry/rect.ts';
import type { TextItem } from '../scene/scene.ts';
import { portInsets, textArea } from '../scene/shapeGeometry.ts';
import { cleanText, measureText, type TextStyle } from '../type/measureText.ts';
import { wrapText } from '../type/wrapText.ts';
import { pointsUp, type Size, type Steps } from './layout.ts';
import { lineHeight, type Settings } from './settings.ts';

/** A line of a node's or edge's text; part 0 is its label. */
export type TextLine = Pick<TextItem, 'text' | 'style' | 'width' | 'part' | 'cut'>;

/** A node with its text set in lines, and the size its shape needs (V15). */
export type NodeBox = {
  readonly node: VisualNode;
  readonly lines: readonly TextLine[];
  readonly w: Cpx;
  readonly h: Cpx;
  /** How far from the corners edges may begin along the sides that face the main direction. */
  readonly portInset: Cpx;
};

const snap = (value: Cpx): Cpx => Math.ceil(value / 200) * 200;
const leastWidth: Cpx = 6_000;
const keySpace: Cpx = 900;

/** The boxes of all nodes in input order; wide enough for the edges that begin and end at them. */
export function nodeBoxes(contract: VisualContract, settings: Settings): NodeBox[] {
  const { nodes, labels, fit_policy, viewport_policy } = contract;
  const ports = portCounts(contract);
  const isLevel = viewport_policy.orientation === 'horizontal';
  return nodes.map((node) => {
    const limit = { lines: fit_policy.max_label_lines, cut: fit_policy.truncate === 'ellipsis' };
    const max = node.kind === 'decision' ? Math.floor((settings.labelWidth * 14) / 17) : settings.labelWidth;
    const lines = [
      ...setLabel(node.label, { style: settings.label, max, limit, part: 0 }),
      ...labels
        .filter(({ anchor }) => anchor === node.id)
        .flatMap(({ text }, i) => setLabel(text, { style: settings.quiet, max, limit, part: i + 1 })),
    ];
    const keys = hasKeys(contract, node) ? keySpace : 0;
    return {
      node,
      lines,
      ...sizeOf(node, lines, { ports: ports.get(node.id) ?? 0, keys, isLevel, settings }),
    };
  });
}

type Label = { style: TextStyle; max: Cpx; limit: { lines: number; cut: boolean }; part: number };

/** A text broken into lines; with `cut` those beyond the limit end in an ellipsis after the last word that fits. */
function setLabel(text: string, { style, max, limit, part }: Label): TextLine[] {
  const { lines } = wrapText(cleanText(text), { ...style, max });
  const isCut = limit.cut && lines.length > limit.lines;
  return (isCut ? lines.slice(0, limit.lines) : lines).map((line, i) => {
    const cut = isCut && i === limit.lines - 1;
    const shown = cut ? withEllipsis(line, { style, max }) : line;
    return { text: shown, style, width: measureText(shown, style), part, cut };
  });
}

function withEllipsis(text: string, { style, max }: { style: TextStyle; max: Cpx }): string {
  const fits = (value: string) => measureText(`${value}…`, style) <= max;
  const words = text.split(' ');
  for (let count = words.length; count > 0; count--) {
    const kept = words.slice(0, count).join(' ');
    if (fits(kept)) return `${kept}…`;
  }
  // not one whole word fits
  const characters = [...text];
  while (characters.length > 0 && !fits(characters.join(''))) characters.pop();
  return `${characters.join('')}…`;
}

function hasKeys(
  { groups, diagram_family, render_policy }: VisualContract,
  { group, owner }: VisualNode,
): boolean {
  const hasGroup = group !== undefined && groups.length > 0;
  return hasGroup || (owner !== undefined && render_policy.show_legend && diagram_family !== 'swimlane');
}

/** The larger number of edges on one side of each node; their order does not matter. */
function portCounts({ edges, nodes, diagram_family }: VisualContract): Map<string, number> {
  // these have no ports: lines end where they meet the outline
  if (diagram_family === 'network' || diagram_family === 'hierarchy') return new Map();
  const ranks = new Map(nodes.map(({ id, rank = null }) => [id, rank]));
  const down = edges.map(({ from, to, kind }) =>
    pointsUp({ kind, above: ranks.get(from) ?? null, below: ranks.get(to) ?? null })
      ? [to, from]
      : [from, to],
  );
  const counts = new Map<string, number>();
  for (const end of [0, 1])
    for (const [id = '', { length }] of Map.groupBy(down, (ends) => ends[end]))
      counts.set(id, Math.max(counts.get(id) ?? 0, length));
  return counts;
}

function sizeOf(
  { kind }: VisualNode,
  lines: readonly TextLine[],
  { ports, keys, isLevel, settings }: { ports: number; keys: Cpx; isLevel: boolean; settings: Settings },
): Pick<NodeBox, 'w' | 'h' | 'portInset'> {
  const [padX, padY] = kind === 'decision' ? [2_600, 1_300] : [1_400, 1_000];
  const text = { w: Math.max(0, ...lines.map(({ width }) => width)), h: linesHeight(lines) };
  // what a shape takes of its box is asked of its text area
  const around = (h: Cpx): Size => {
    const area = textArea(kind, { x: 0, y: 0, w: 0, h });
    return { w: -area.w, h: h - area.h };
  };
  const ownHeight = snap(text.h + Math.max(2 * padY, around(text.h + 2 * padY).h + 400));
  const forPorts = Math.max(0, ports - 1) * settings.gaps.edge;
  const h = isLevel ? snap(Math.max(ownHeight, forPorts + 2 * portInsets(kind, ownHeight).up)) : ownHeight;
  const inset = portInsets(kind, h);
  const ownWidth = snap(Math.max(leastWidth, text.w + Math.max(2 * padX, around(h).w + 800 + 2 * keys)));
  const w = isLevel ? ownWidth : snap(Math.max(ownWidth, forPorts + 2 * inset.along));
  return { w, h, portInset: isLevel ? inset.up : inset.along };
}

/** Height of lines set below each other. */
export function linesHeight(lines: readonly TextLine[]): Cpx {
  return lines.reduce((sum, { style }) => sum + lineHeight(style), 0);
}

/** Lines to set beside an edge and the box they need; null without a label. */
export type EdgeLabel = (Size & { readonly lines: readonly TextLine[] }) | null;

const sideSpace = 400;

/** The labels of all edges in input order: its own, then those of `labels` anchored to it (V15). */
export function edgeLabels({ edges, labels }: VisualContract, { quiet: style }: Settings): EdgeLabel[] {
  return edges.map(({ id, label = '' }) => {
    const anchored = labels.filter(({ anchor }) => anchor === id && id !== undefined);
    const lines = [label, ...anchored.map(({ text }) => text)]
      .map(cleanText)
      .filter((text) => text !== '')
      .map((text, part) => ({ text, style, width: measureText(text, style), part, cut: false }));
    if (lines.length === 0) return null;
    const widest = Math.max(...lines.map(({ width }) => width));
    return { lines, w: widest + 2 * sideSpace, h: lines.length * lineHeight(style) + 200 };
  });
}

/** What a family lays out: a checked contract, its boxes and labels in input order. */
export type PlaceInput = {
  readonly contract: VisualContract;
  readonly nodes: readonly NodeBox[];
  readonly labels: readonly EdgeLabel[];
  readonly settings: Settings;
  readonly steps: Steps;
};
