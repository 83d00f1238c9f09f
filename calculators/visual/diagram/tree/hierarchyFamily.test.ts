import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TreeNode, tidyTree } from './hierarchyFamily.ts';

/** A tree from the parent of each node, which stands before it. */
function treeOf(parents: readonly number[], widths: readonly number[]): TreeNode[] {
  const children: number[][] = widths.map(() => []);
  for (const [i, parent] of parents.entries()) children[parent % (i + 1)]?.push(i + 1);
  return widths.map((width, i) => ({ width, children: children[i] ?? [] }));
}

function depthsOf(nodes: readonly TreeNode[]): number[] {
  const depths = nodes.map(() => 0);
  for (const [i, { children }] of nodes.entries())
    for (const child of children) depths[child] = (depths[i] ?? 0) + 1;
  return depths;
}

describe('a tidy tree', () => {
  it('puts two children of different widths an even gap apart, their parent in the middle of their centres', () => {
    const nodes = [
      { width: 100, children: [1, 2] },
      { width: 200, children: [] },
      { width: 60, children: [] },
    ];
    const [parent = 0, left = 0, right = 0] = tidyTree(nodes, { roots: [0], gap: 30 });
    expect(right - left).toBe(100 + 30 + 30);
    expect(parent).toBe((left + right) / 2);
  });

  it('keeps the gap between all nodes of a level, in the order of the children (V18)', () => {
    const sizes = fc.array(fc.integer({ min: 2, max: 300 }), { minLength: 2, maxLength: 30, size: 'max' });
    const parents = fc.array(fc.nat(29), { minLength: 29, maxLength: 29 });
    fc.assert(
      fc.property(parents, sizes, (given, widths) => {
        const nodes = treeOf(given.slice(0, widths.length - 1), widths);
        const centres = tidyTree(nodes, { roots: [0], gap: 30 });
        const depths = depthsOf(nodes);
        for (const [i, a] of nodes.entries())
          for (const [j, b] of nodes.entries())
            if (i < j && depths[i] === depths[j])
              // centres are rounded down once a level
              expect(Math.abs((centres[i] ?? 0) - (centres[j] ?? 0))).toBeGreaterThanOrEqual(
                Math.ceil(a.width / 2) + Math.ceil(b.width / 2) + 30,
              );
        for (const { children } of nodes)
          for (const [k, child] of children.entries())
            if (k > 0) expect(centres[child] ?? 0).toBeGreaterThan(centres[children[k - 1] ?? 0] ?? 0);
      }),
      { numRuns: 150, seed: 31 },
    );
  });
});
