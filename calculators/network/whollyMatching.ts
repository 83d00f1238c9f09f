import type { CalculationNetwork } from './calculationNetwork.ts';

type Below = 'nothing' | 'all' | 'other';

/**
 * Concepts that are unreported while every reported concept below them matches, and at least one does
 * (M1.25 iii).
 */
export function whollyMatching(
  network: CalculationNetwork,
  { isReported, matches }: { isReported(concept: string): boolean; matches(concept: string): boolean },
): ReadonlySet<string> {
  const below = new Map<string, Below>();
  const wholly = new Set<string>();
  for (const concept of network.concepts.toReversed()) {
    const parts = network.childrenOf(concept).map(({ child }) => below.get(child) ?? 'nothing');
    const own = isReported(concept) ? (matches(concept) ? 'all' : 'other') : merged(parts);
    // an unreported concept that matches by name is a root whatever its parts are (M1.25 i)
    below.set(concept, own === 'other' && matches(concept) ? 'all' : own);
    if (own === 'all' && !isReported(concept)) wholly.add(concept);
  }
  return wholly;
}

function merged(parts: readonly Below[]): Below {
  if (parts.includes('other')) return 'other';
  return parts.includes('all') ? 'all' : 'nothing';
}
