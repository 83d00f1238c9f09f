import { statement } from '../work/statement.ts';
import { rowsOf, type Work } from '../work/work.ts';

export const grantEvent = statement(`INSERT INTO grant_events (grant_id, kind, detail, actor, at_ms)
  VALUES ($1, $2, $3, $4, $5)`);

/** Writes a row of a grant's journal; steps of its status are journalled by a trigger. */
export function* journalGrant(event: {
  grantId: string;
  kind: string;
  detail: string;
  as: string;
  atMs: number;
}): Work<void> {
  const { grantId, kind, detail, as, atMs } = event;
  yield* rowsOf(grantEvent, grantId, kind, detail, as, atMs);
}
