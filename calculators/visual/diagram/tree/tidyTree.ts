import type { Cpx } from '../../geometry/cpx.ts';

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
