import type { WatchEntry, Watchlist } from '../port/payment.ts';
import { isWatched } from '../reads/operatorReads.ts';
import { statement } from '../steps/statement.ts';
import { changesOf, rowsOf, type Steps, takeTurn } from '../steps/steps.ts';

/** The statements of the watch list (I3.9). */
export const watchWriteStatements = {
  insert: statement(`INSERT INTO payer_watchlist (payer, provider, reason, receipt_id, added_ms)
    VALUES ($1, $2, $3, $4, $5)`),
  clear: statement(`UPDATE payer_watchlist SET cleared_ms = $1, cleared_by = $2
    WHERE payer = $3 AND cleared_ms IS NULL RETURNING payer`),
} as const;

export function* watch(entry: WatchEntry): Steps<'added' | 'already_listed'> {
  const { payer, provider, reason, receiptId, addedMs } = entry;
  yield* takeTurn(`watch ${payer}`);
  if (yield* isWatched(payer, provider)) return 'already_listed';
  yield* rowsOf(watchWriteStatements.insert, payer, provider, reason, receiptId, addedMs);
  return 'added';
}

/** Clears every open entry of a payer. */
export function unwatch({ atMs, by, payer }: Parameters<Watchlist['clear']>[0]): Steps<number> {
  return changesOf(watchWriteStatements.clear, atMs, by, payer);
}
