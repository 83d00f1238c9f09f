/** One scored case: a higher score means worse, `event` says what happened. */
export type ScoredCase = { readonly score: number; readonly event: boolean };

export type Discrimination = {
  readonly n: number;
  readonly events: number;
  /** Share of (event, no event) pairs in which the event has the higher score; ties count half. */
  readonly auc: number;
  /** Somers' D = 2·AUC − 1, the accuracy ratio. */
  readonly accuracyRatio: number;
};

/** Mann–Whitney estimate of the area under the ROC curve; null without an event or without a non-event (M12.12). */
export function areaUnderCurve(cases: readonly ScoredCase[]): Discrimination | null {
  const ranks = midRanks(cases.map((c) => c.score));
  const events = cases.filter((c) => c.event).length;
  if (events === 0 || events === cases.length) return null;
  const rankSum = cases.reduce((sum, c, i) => sum + (c.event ? (ranks[i] ?? 0) : 0), 0);
  const auc = aucOfRankSum({ rankSum, events, n: cases.length });
  return { n: cases.length, events, auc, accuracyRatio: 2 * auc - 1 };
}

/** AUC from the sum of the events' mid-ranks: (R − e(e + 1)/2) / (e·(n − e)). */
export function aucOfRankSum({ rankSum, events, n }: { rankSum: number; events: number; n: number }): number {
  return (rankSum - (events * (events + 1)) / 2) / (events * (n - events));
}

/** Ranks from 1 in ascending order; equal values share the mean of their ranks. */
export function midRanks(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const ranks = new Array<number>(values.length).fill(0);
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && values[order[to] ?? 0] === values[order[from] ?? 0]) to += 1;
    for (let k = from; k < to; k += 1) ranks[order[k] ?? 0] = (from + 1 + to) / 2;
    from = to;
  }
  return ranks;
}

/** Uniform numbers in [0, 1) from a 32-bit seed (mulberry32): the same seed gives the same numbers everywhere. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

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

/** Draws and seed of every interval (M12.12). */
const draws = 2000;
const seed = 7;

/**
 * 95 % interval of a statistic by bootstrap over clusters (M12.12): whole issuers are resampled, because
 * filings of one issuer say nearly the same thing. null with one cluster, or when no draw differs from another.
 */
export function clusterInterval<Row>(
  clusters: readonly (readonly Row[])[],
  statistic: (rows: readonly Row[]) => number | null,
): { readonly low: number; readonly high: number } | null {
  if (clusters.length < 2) return null;
  const random = seededRandom(seed);
  const drawn = Array.from({ length: draws }, () => {
    const sample = clusters.flatMap(() => clusters[Math.floor(random() * clusters.length)] ?? []);
    return statistic(sample);
  });
  const values = drawn.filter((value) => value !== null).sort((a, b) => a - b);
  const low = values[Math.floor(0.025 * values.length)];
  const high = values[Math.ceil(0.975 * values.length) - 1];
  return low === undefined || high === undefined || values[0] === values.at(-1) ? null : { low, high };
}

/** What Altman's Z″ reads of one balance sheet, USD; operating income over twelve months. */
export type AltmanInputs = {
  readonly totalAssets: number;
  readonly currentAssets: number;
  readonly currentLiabilities: number;
  readonly retainedEarnings: number;
  readonly operatingIncome: number;
  readonly equity: number;
  readonly totalLiabilities: number;
};

/**
 * Altman's Z″ for non-manufacturers (1995): 6.56·WC/A + 3.26·RE/A + 6.72·EBIT/A + 1.05·E/L; lower is worse.
 * null without assets or liabilities (M12.12 baseline).
 */
export function altmanZ(i: AltmanInputs): number | null {
  if (!(i.totalAssets > 0 && i.totalLiabilities > 0)) return null;
  const share = (amount: number) => amount / i.totalAssets;
  return (
    6.56 * share(i.currentAssets - i.currentLiabilities) +
    3.26 * share(i.retainedEarnings) +
    6.72 * share(i.operatingIncome) +
    (1.05 * i.equity) / i.totalLiabilities
  );
}
