import type { Cpx, Rect } from '../../geometry/rect.ts';
import { pointAt, simplified } from '../../geometry/segment.ts';
import { edgeEnds, type Layout, type Route, type Size, shiftedToOrigin, transposed } from '../layout.ts';
import type { PlaceInput } from '../nodeBoxes.ts';

/** A forest of boxes with elbows at right angles from one port of each parent (V18). */
export function hierarchyFamily({ contract, nodes, labels, settings, steps }: PlaceInput): Layout {
  const isLevel = contract.viewport_policy.orientation === 'horizontal';
  const turned = ({ w, h }: Size): Size => (isLevel ? { w: h, h: w } : { w, h });
  const ends = edgeEnds(contract);
  const sizes = nodes.map(turned);
  const labelOf = new Map(ends.map(([, to], edge) => [to, labels[edge] ?? null]));
  const children: number[][] = nodes.map(() => []);
  for (const [from, to] of ends) children[from]?.push(to);
  const isChild = new Set(ends.map(([, to]) => to));
  const roots = [...nodes.keys()].filter((index) => !isChild.has(index));
  steps.taken += nodes.length;
  const labelSize = (index: number): Size => {
    const label = labelOf.get(index) ?? null;
    return label === null ? { w: 0, h: 0 } : turned(label);
  };
  const centres = tidyTree(
    sizes.map(({ w }, index) => ({
      width: Math.max(w, labelSize(index).w),
      children: children[index] ?? [],
    })),
    { roots, gap: settings.gaps.node },
  );
  const levels = levelsOf(roots, children);
  const gapAbove = levels.map((level) => {
    const tallest = Math.max(...level.map((index) => labelSize(index).h));
    return settings.gaps.rank + (tallest === 0 ? 0 : tallest + settings.gaps.edge);
  });
  const heights = levels.map((level) => Math.max(...level.map((index) => sizes[index]?.h ?? 0)));
  const tops: Cpx[] = [];
  for (const [depth] of levels.entries())
    tops.push(depth === 0 ? 0 : (tops[depth - 1] ?? 0) + (heights[depth - 1] ?? 0) + (gapAbove[depth] ?? 0));
  const depthOf = new Map(levels.flatMap((level, depth) => level.map((index) => [index, depth] as const)));
  const boxes = sizes.map(({ w, h }, index): Rect => {
    const top = tops[depthOf.get(index) ?? 0] ?? 0;
    return { x: (centres[index] ?? 0) - Math.floor(w / 2), y: top, w, h };
  });
  const routes = ends.map(([from, to]): Route => {
    const [parent, child] = [boxes[from], boxes[to]];
    if (parent === undefined || child === undefined) return { points: [], label: null };
    const [start, end] = [centres[from] ?? 0, centres[to] ?? 0];
    const depth = depthOf.get(to) ?? 0;
    const bus = child.y - (gapAbove[depth] ?? 0) + Math.floor(settings.gaps.rank / 2);
    const [leaves, arrives] = [pointAt(start, parent.y + parent.h), pointAt(end, child.y)];
    const points = [leaves, pointAt(start, bus), pointAt(end, bus), arrives];
    const { w, h } = labelSize(to);
    // between the common stretch and the head
    const space = child.y - bus - settings.gaps.edge;
    const label = { x: end - Math.floor(w / 2), y: bus + Math.floor((space - h) / 2) + 200, w, h };
    return { points: simplified(points), label: h === 0 ? null : label };
  });
  const layout = shiftedToOrigin({ boxes, routes, lanes: [], ticks: [], marks: [] });
  return isLevel ? transposed(layout) : layout;
}

function levelsOf(roots: readonly number[], children: readonly (readonly number[])[]): number[][] {
  const levels: number[][] = [];
  for (let level = [...roots]; level.length > 0; level = level.flatMap((index) => children[index] ?? []))
    levels.push(level);
  return levels;
}

export type TreeNode = {
  /** What it takes across the levels. */
  readonly width: Cpx;
  readonly children: readonly number[];
};

/** Outermost edges of a subtree on each level below its root, from the root's centre. */
type Contour = { readonly left: Cpx[]; readonly right: Cpx[] };

/**
 * Centres of all nodes of a forest across its levels: subtrees as near as their contours allow, parents in the middle
 * of their children (V18). Trees stand in the order of their roots.
 */
export function tidyTree(
  nodes: readonly TreeNode[],
  { roots, gap }: { readonly roots: readonly number[]; readonly gap: Cpx },
): Cpx[] {
  const offsets = new Array<Cpx>(nodes.length).fill(0);
  const contours: (Contour | undefined)[] = [];
  for (const index of postorder(nodes, roots)) {
    const { width = 0, children = [] } = nodes[index] ?? {};
    const half = Math.ceil(width / 2);
    const below = joined(children, { offsets, contours, gap });
    contours[index] = { left: [-half, ...below.left], right: [half, ...below.right] };
  }
  joined(roots, { offsets, contours, gap });
  const centres = [...offsets];
  for (const index of postorder(nodes, roots).reverse())
    for (const child of nodes[index]?.children ?? [])
      centres[child] = (centres[child] ?? 0) + (centres[index] ?? 0);
  return centres;
}

/** Places subtrees side by side around 0, sets their offsets and returns their common contour. */
function joined(
  children: readonly number[],
  { offsets, contours, gap }: { offsets: Cpx[]; contours: readonly (Contour | undefined)[]; gap: Cpx },
): Contour {
  const whole: Contour = { left: [], right: [] };
  for (const child of children) {
    const contour = contours[child] ?? { left: [], right: [] };
    let offset = 0;
    for (const [level, edge] of contour.left.entries()) {
      const taken = whole.right[level];
      if (taken !== undefined) offset = Math.max(offset, taken + gap - edge);
    }
    offsets[child] = offset;
    for (const [level, edge] of contour.right.entries()) whole.right[level] = offset + edge;
    for (const [level, edge] of contour.left.entries()) whole.left[level] ??= offset + edge;
  }
  const [first, last] = [offsets[children[0] ?? -1] ?? 0, offsets[children.at(-1) ?? -1] ?? 0];
  const middle = Math.floor((first + last) / 2);
  for (const child of children) offsets[child] = (offsets[child] ?? 0) - middle;
  return { left: whole.left.map((edge) => edge - middle), right: whole.right.map((edge) => edge - middle) };
}

function postorder(nodes: readonly TreeNode[], roots: readonly number[]): number[] {
  const order: number[] = [];
  const open = [...roots];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    order.push(index);
    open.push(...(nodes[index]?.children ?? []));
  }
  return order.reverse();
}
