import { aucOfRankSum, midRanks, type ScoredCase } from './areaUnderCurve.ts';
import { seededRandom } from './seededRandom.ts';

/**
 * One-sided permutation p-value of the AUC: the share of random relabellings with an AUC at least as high, the
 * observed one counted among them, so it is never 0 (M12.12). null without an event or without a non-event.
 */
export function permutationTest(
  cases: readonly ScoredCase[],
  { permutations, seed }: { permutations: number; seed: number },
): number | null {
  const n = cases.length;
  const events = cases.filter((c) => c.event).length;
  if (events === 0 || events === n) return null;
  const ranks = midRanks(cases.map((c) => c.score));
  const observed = cases.reduce((sum, c, i) => sum + (c.event ? (ranks[i] ?? 0) : 0), 0);
  const atLeast = aucOfRankSum({ rankSum: observed, events, n });
  const random = seededRandom(seed);
  let reached = 1;
  for (let round = 0; round < permutations; round += 1) {
    const rankSum = sumOfDrawn(ranks, events, random);
    // mid-ranks are halves, so equal sums are equal doubles
    if (aucOfRankSum({ rankSum, events, n }) >= atLeast) reached += 1;
  }
  return reached / (permutations + 1);
}

// the first `count` steps of a Fisher–Yates shuffle; the order it leaves behind is as good a start for the next
function sumOfDrawn(ranks: number[], count: number, random: () => number): number {
  let sum = 0;
  for (let i = 0; i < count; i += 1) {
    const j = i + Math.floor(random() * (ranks.length - i));
    const drawn = ranks[j] ?? 0;
    ranks[j] = ranks[i] ?? 0;
    ranks[i] = drawn;
    sum += drawn;
  }
  return sum;
}
