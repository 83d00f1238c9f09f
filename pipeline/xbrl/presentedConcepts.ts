import type { Presentation } from '../../calculators/filing/xbrlFiling.ts';
import type { PresentationArc } from './effectiveArcs.ts';

/**
 * Concepts of each role in the order of presentation: a parent, then its children one after the other with all below
 * them. A concept shown several times stays where it is first. Expects the arcs sorted by role and order.
 */
export function presentedConcepts(arcs: readonly PresentationArc[]): Presentation[] {
  return [...Map.groupBy(arcs, ({ role }) => role)].map(([role, own]) => ({ role, concepts: inOrder(own) }));
}

function inOrder(arcs: readonly PresentationArc[]): string[] {
  const children = Map.groupBy(arcs, ({ from }) => from);
  const shownBelow = new Set(arcs.map(({ to }) => to));
  const parents = [...children.keys()].sort();
  const tops = parents.filter((concept) => !shownBelow.has(concept));
  const seen = new Set<string>();
  // a cycle has no top: what only a cycle leads to comes last
  for (const start of [...tops, ...parents]) {
    const open = [start];
    for (let concept = open.pop(); concept !== undefined; concept = open.pop()) {
      if (seen.has(concept)) continue;
      seen.add(concept);
      for (const { to } of children.get(concept)?.toReversed() ?? []) open.push(to);
    }
  }
  return [...seen];
}
