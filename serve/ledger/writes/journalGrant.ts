import { statement } from '../steps/statement.ts';
import { rowsOf, type Steps } from '../steps/steps.ts';

export const grantEvent = statement(`INSERT INTO grant_events (grant_id, kind, detail, actor, at_ms)
  VALUES ($1, $2, $3, $4, $5)`);

/** Writes a row of a grant's journal; steps of its status are journalled by a trigger. */
export function* journalGrant(event: {
  grantId: string;
  kind: string;
  detail: string;
  as: string;
  atMs: number;
}): Steps<void> {
  const { grantId, kind, detail, as, atMs } = event;
  yield* rowsOf(grantEvent, grantId, kind, detail, as, atMs);
}
