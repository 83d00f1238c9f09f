import { aucOfRankSum, midRanks, type ScoredCase } from './areaUnderCurve.ts';
import { seededRandom } from './seededRandom.ts';

/**
 * One-sided permutation p-value of the AUC: the share of relabellings with an AUC at least as high, the observed one
 * counted among them, so it is never 0 (M12.12). What happened to one issuer moves as one block over the scores, because
 * its filings share it. null without an event or without a non-event.
 */
export function permutationTest(
  clusters: readonly (readonly ScoredCase[])[],
  { permutations, seed }: { permutations: number; seed: number },
): number | null {
  const cases = clusters.flat();
  const n = cases.length;
  const events = cases.filter((c) => c.event).length;
  if (events === 0 || events === n) return null;
  const ranks = midRanks(cases.map((c) => c.score));
  const aucOf = (blocks: readonly (readonly ScoredCase[])[]) => {
    const rankSum = blocks.flat().reduce((sum, { event }, i) => sum + (event ? (ranks[i] ?? 0) : 0), 0);
    // mid-ranks are halves, so equal sums are equal doubles
    return aucOfRankSum({ rankSum, events, n });
  };
  const atLeast = aucOf(clusters);
  const random = seededRandom(seed);
  const order = [...clusters];
  let reached = 1;
  for (let round = 0; round < permutations; round += 1) {
    shuffle(order, random);
    if (aucOf(order) >= atLeast) reached += 1;
  }
  return reached / (permutations + 1);
}

// Fisher–Yates; the order it leaves behind is as good a start for the next
function shuffle<T>(list: T[], random: () => number): void {
  for (let i = 0; i < list.length; i += 1) {
    const j = i + Math.floor(random() * (list.length - i));
    [list[i], list[j]] = [list[j] as T, list[i] as T];
  }
}
