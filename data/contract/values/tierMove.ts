import { type RiskTier, riskTiers } from './enums.ts';

type Move = { readonly prior_tier: RiskTier; readonly new_tier: RiskTier };

const kinds = ['to a worse tier', 'to a better one', 'newly classified', 'no longer classified'] as const;

/**
 * Where an issuer went on the scale from LOW to CRITICAL: up is to a worse tier. Null within a tier, and into or out of
 * UNCLASSIFIED, which is outside the scale: an issuer that is classified, or no longer, became neither better nor worse.
 */
export function tierDirection(from: RiskTier, to: RiskTier): 'up' | 'down' | null {
  if (from === to || from === 'UNCLASSIFIED' || to === 'UNCLASSIFIED') return null;
  // worst first
  return riskTiers.indexOf(to) < riskTiers.indexOf(from) ? 'up' : 'down';
}

/** Moves counted by what they are: `2 to a worse tier, 1 newly classified`. */
export function tierMoveWords(moves: readonly Move[]): string {
  const found = moves.map(kindOf);
  return kinds
    .map((kind) => ({ kind, count: found.filter((one) => one === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${kind}`)
    .join(', ');
}

function kindOf({ prior_tier: from, new_tier: to }: Move): (typeof kinds)[number] {
  const direction = tierDirection(from, to);
  if (direction !== null) return direction === 'up' ? 'to a worse tier' : 'to a better one';
  return from === 'UNCLASSIFIED' ? 'newly classified' : 'no longer classified';
}
