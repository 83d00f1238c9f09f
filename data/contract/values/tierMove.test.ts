import { describe, expect, it } from 'vitest';
import { type RiskTier, riskTiers } from './enums.ts';
import { tierDirection, tierMoveWords } from './tierMove.ts';

const move = (prior_tier: RiskTier, new_tier: RiskTier) => ({ prior_tier, new_tier });

describe('a move from tier to tier', () => {
  it('is up towards CRITICAL and down towards LOW', () => {
    expect(tierDirection('LOW', 'CRITICAL')).toBe('up');
    expect(tierDirection('HIGH', 'CRITICAL')).toBe('up');
    expect(tierDirection('HIGH', 'MODERATE')).toBe('down');
    expect(tierDirection('CRITICAL', 'LOW')).toBe('down');
  });

  it('into or out of UNCLASSIFIED is neither, whatever the other tier', () => {
    for (const tier of riskTiers) {
      expect(tierDirection('UNCLASSIFIED', tier)).toBeNull();
      expect(tierDirection(tier, 'UNCLASSIFIED')).toBeNull();
      expect(tierDirection(tier, tier)).toBeNull();
    }
  });

  it('and back is the other direction', () => {
    const back = { up: 'down', down: 'up' } as const;
    for (const from of riskTiers)
      for (const to of riskTiers) {
        const direction = tierDirection(from, to);
        expect(tierDirection(to, from)).toBe(direction === null ? null : back[direction]);
      }
  });

  it('is counted as what it is', () => {
    expect(
      tierMoveWords([
        move('LOW', 'HIGH'),
        move('UNCLASSIFIED', 'LOW'),
        move('UNCLASSIFIED', 'CRITICAL'),
        move('HIGH', 'UNCLASSIFIED'),
        move('HIGH', 'LOW'),
      ]),
    ).toBe('1 to a worse tier, 1 to a better one, 2 newly classified, 1 no longer classified');
    expect(tierMoveWords([move('UNCLASSIFIED', 'LOW')])).toBe('1 newly classified');
  });
});
