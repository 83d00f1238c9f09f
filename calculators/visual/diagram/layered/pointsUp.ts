import type { VisualEdge } from '../../../../data/contract/visual/visualContract.ts';

/** Whether an edge runs against the ranks: pinned ranks decide, else its kind (V17). */
export function pointsUp({
  kind,
  above,
  below,
}: {
  readonly kind: VisualEdge['kind'];
  /** Pinned ranks of its ends. */
  readonly above: number | null;
  readonly below: number | null;
}): boolean {
  if (above !== null && below !== null && above !== below) return above > below;
  return kind === 'feedback';
}
