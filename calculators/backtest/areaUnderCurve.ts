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
