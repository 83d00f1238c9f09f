import type { Ledger, LedgerLog, LedgerTime } from '../ledger.ts';
import { markKeeper, restoredCopy } from '../ledgerMark.ts';
import { idListeners } from '../listeners.ts';
import { neverUnhandled } from '../neverUnhandled.ts';
import { phaseAfter } from '../phaseAfter.ts';
import type { HoldResult } from '../port/grant.ts';
import type { ClaimInput, ClaimResult } from '../port/payment.ts';
import { claimedRow, heldRow, notChargedRow } from '../receipt.ts';
import { grantRow, type RawRow, wholeNumber } from '../rows.ts';
import {
  holdColumns,
  idemColumns,
  jobColumns,
  paymentColumns,
  receiptColumns,
  transitionColumns,
} from './columns.ts';
import { handedOver } from './handedOver.ts';
import { notifications } from './notifications.ts';
import { postgresCheck, postgresExport } from './postgresBooks.ts';
import { failureOf, postgresDatabase, uniqueConstraint } from './postgresDatabase.ts';
import { postgresDay } from './postgresDay.ts';
import { postgresFigures } from './postgresFigures.ts';
import { postgresKeys } from './postgresKeys.ts';
import { postgresReads } from './postgresReads.ts';
import { preparePostgres } from './postgresSchema.ts';
import { postgresStores } from './postgresStores.ts';

/**
 * The ledger of many servers (PAYMENTS 8.C): each method is one statement, the server groups the flushes of
 * concurrent commits itself. `markPath` is a file of this machine (S38). `nowMs` replaces the database's clock in
 * tests (P8.17); `splitClaim` puts T2 and T3 into two commits and runs in between (P8.22); `reach` is another way to
 * the database than a pool of its own.
 */
export function postgresLedger(o: {
  connection: string;
  markPath: string;
  time: LedgerTime;
  log: LedgerLog;
  application?: string;
  nowMs?: () => number;
  splitClaim?: () => Promise<void>;
  reach?: typeof postgresDatabase;
}): Ledger {
  const database = (o.reach ?? postgresDatabase)({
    connection: o.connection,
    application: o.application ?? 'issuer-serve',
  });
  const now = () => o.nowMs?.() ?? null;
  const reads = postgresReads(database, now);
  const queue = handedOver({ database, time: o.time, log: o.log });
  const listeners = idListeners();
  const keyListeners = idListeners();
  const heard = notifications({
    database,
    time: o.time,
    log: o.log,
    tell: (channel, id) => (channel === 'receipt' ? listeners : keyListeners).tell(id),
  });
  const mark = markKeeper({
    path: o.markPath,
    newestEvent: reads.newestEvent,
    after: o.time.after,
    onRestored: (known, newest) =>
      o.log({ level: 'error', event: 'ledger_restored_copy', fields: { known, newest } }),
  });
  let open = false;

  function refuseRestored(): void {
    if (mark.restored) throw restoredCopy();
  }

  async function insertClaim(c: ClaimInput): Promise<boolean> {
    const split = o.splitClaim !== undefined;
    const payment = paymentColumns(c, split ? 'claimed' : 'calling');
    const authorized = { ...claimedRow(c), chargeStatus: 'authorized', reason: 'claim' } as const;
    const job = c.job === null ? null : JSON.stringify(jobColumns(c.job));
    const won = await database.value('SELECT ledger_claim_whole($1, $2, $3, $4)', [
      JSON.stringify(payment),
      JSON.stringify(receiptColumns(authorized)),
      split ? null : c.next,
      job,
    ]);
    return won === true;
  }

  /** T3 in a commit of its own, behind what the test does in between (P8.22). */
  async function advanceSplit(c: ClaimInput, between: () => Promise<void>): Promise<void> {
    await between();
    const { receiptId, createdMs } = c.receipt;
    await database.value('SELECT ledger_claim_next($1, $2, $3, $4, $5)', [
      receiptId,
      Buffer.from(c.claimKey),
      c.next,
      c.job === null ? null : JSON.stringify(jobColumns(c.job)),
      createdMs,
    ]);
  }

  async function claim(c: ClaimInput): Promise<ClaimResult> {
    refuseRestored();
    let failure: unknown = null;
    let inserted = false;
    try {
      inserted = await insertClaim(c);
    } catch (error) {
      // a collision of another unique value, or an outcome nobody knows: the row decides (P8.16, P8.22a)
      if (uniqueConstraint(error) === null && failureOf(error) !== 'unknown_outcome') throw error;
      failure = error;
    }
    if (inserted) {
      if (o.splitClaim !== undefined) await advanceSplit(c, o.splitClaim);
      return { won: true, receipt: claimedRow(c) };
    }
    const found = await reads.claim(c.claimKey);
    if (found?.receipt.receiptId === c.receipt.receiptId) return { won: true, receipt: claimedRow(c) };
    if (found !== null) return { won: false, conflict: null, ...found };
    const constraint = uniqueConstraint(failure);
    if (constraint === 'payments_client_ref') return { won: false, conflict: 'client_ref' };
    if (constraint === 'payments_tx') return { won: false, conflict: 'tx_hash' };
    throw failure ?? new Error('a claim was lost to a row that is not there');
  }

  /** Runs a write whose lost answer can be found out by reading (P8.16). */
  async function readingBack<T>(write: () => Promise<T>, readBack: () => Promise<T | null>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (failureOf(error) !== 'unknown_outcome') throw error;
      const found = await readBack();
      if (found === null) throw error;
      return found;
    }
  }

  async function replayOf(outcome: RawRow): Promise<HoldResult> {
    const receipt = await reads.receipt(String(outcome['receipt_id']));
    if (receipt === null) throw new Error('an idempotency key names a receipt that is not there');
    return { kind: 'replay', receipt, grant: grantRow(outcome['grant'] as RawRow) };
  }

  return {
    keys: { ...postgresKeys({ database, queue }), onChange: keyListeners.add },
    ...postgresStores({ database, reads, now }),
    open: async () => {
      try {
        const client = await database.client();
        await preparePostgres(client).finally(() => client.end());
        await mark.start();
        await heard.start();
        open = true;
      } catch (error) {
        await heard.stop();
        await database.close();
        throw error;
      }
    },
    close: async () => {
      if (!open) return;
      open = false;
      await queue.drain();
      // an unreachable database leaves the mark where it was
      await mark.stop().catch(() => {});
      await heard.stop();
      await database.close();
    },
    health: async () => {
      const reason = !open
        ? 'not_open'
        : queue.failing || database.unreachable !== null
          ? 'unreachable'
          : mark.restored
            ? 'restored_copy'
            : null;
      return { status: reason === null ? 'ok' : 'failing', reason, waiting: queue.waiting, slow: false };
    },
    findClaim: reads.claim,
    findUndelivered: reads.undelivered,
    findReceipt: reads.receipt,
    findTransfer: reads.receiptOfTransfer,
    journal: reads.journal,
    claim,
    transition: (t) =>
      readingBack(
        async () => {
          const input = JSON.stringify(transitionColumns(t, phaseAfter(t)));
          return (await database.value('SELECT ledger_transition($1)', [input])) === true;
        },
        async () => {
          const found = await reads.receipt(t.receiptId);
          const same = found?.chargeStatus === t.to && found.actor === t.actor && found.updatedMs === t.atMs;
          return same ? true : null;
        },
      ),
    noteUnknown: async (u) =>
      (await database.value('SELECT ledger_unknown($1, $2, $3, $4, $5)', [
        Buffer.from(u.claimKey),
        u.txHash,
        u.refusal,
        u.nextCheckMs,
        u.atMs,
      ])) === true,
    noteTx: async (claimKey, txHash) => {
      await database.rows('UPDATE payments SET tx_hash = $1, updated_ms = $2 WHERE claim_key = $3', [
        txHash,
        o.time.nowMs(),
        Buffer.from(claimKey),
      ]);
    },
    renew: ({ claimKeys, owner, ownerUntilMs }) => {
      for (const claimKey of claimKeys) queue.small({ kind: 'renew', claimKey, owner, ownerUntilMs });
    },
    noteNotCharged: (receipt) => queue.receipt(notChargedRow(receipt)),
    insertNotCharged: async (receipt, idem) => {
      const row = notChargedRow(receipt);
      const outcome = (await database.value('SELECT ledger_keyed_receipt($1, $2, $3)', [
        JSON.stringify(receiptColumns(row)),
        JSON.stringify(idemColumns(idem)),
        now(),
      ])) as RawRow;
      if (outcome['kind'] === 'stored') return row;
      if (outcome['kind'] === 'idem_conflict') return 'idem_conflict';
      const first = await reads.receipt(String(outcome['receipt_id']));
      if (first === null) throw new Error('an idempotency key names a receipt that is not there');
      return { replayOf: first };
    },
    hold: async (h) => {
      refuseRestored();
      const receipt = heldRow(h);
      return readingBack<HoldResult>(
        async () => {
          const outcome = (await database.value('SELECT ledger_hold_whole($1, $2, $3, $4)', [
            JSON.stringify(holdColumns(h)),
            JSON.stringify(receiptColumns(receipt)),
            h.idem === null ? null : JSON.stringify(idemColumns(h.idem)),
            now(),
          ])) as RawRow;
          switch (outcome['kind']) {
            case 'held':
              return { kind: 'held', receipt, grant: grantRow(outcome['grant'] as RawRow) };
            case 'replay':
              return replayOf(outcome);
            case 'idem_conflict':
              return { kind: 'idem_conflict' };
            default: {
              const why = outcome['why'] as Extract<HoldResult, { kind: 'refused' }>['why'];
              const grant = outcome['grant'] === null ? null : grantRow(outcome['grant'] as RawRow);
              return { kind: 'refused', why, grant };
            }
          }
        },
        async () => {
          const [stored, grant] = [await reads.receipt(receipt.receiptId), await reads.grant(h.grantId)];
          return stored === null || grant === null ? null : { kind: 'held', receipt, grant };
        },
      );
    },
    endHold: (debitId, to) => {
      const ended = database.value('SELECT ledger_end_hold($1, $2, $3)', [debitId, to, now()]);
      return neverUnhandled(ended.then((word) => word === true));
    },
    delivered: (receiptId, delivery) => queue.small({ kind: 'delivery', receiptId, delivery }),
    replayed: (receiptId) => queue.small({ kind: 'replay', receiptId }),
    takeDue: reads.takeDue,
    noteCheck: async (n) =>
      (
        await database.rows(
          `WITH batched AS (
            UPDATE receipts r SET batch_id = $7 FROM payments p
            WHERE $7::text IS NOT NULL AND p.claim_key = $5 AND p.owner = $6 AND r.claim_key = p.claim_key)
          UPDATE payments SET checks = checks + 1,
            next_check_ms = CASE WHEN EXISTS (SELECT 1 FROM receipts r WHERE r.receipt_id = payments.receipt_id
              AND r.charge_status = 'failed') THEN NULL ELSE $1::bigint END,
            owner_until_ms = CASE WHEN EXISTS (SELECT 1 FROM receipts r WHERE r.receipt_id = payments.receipt_id
              AND r.charge_status IN ('authorized','submitted')) THEN $2 ELSE owner_until_ms END,
            finality = coalesce($3, finality), block_number = coalesce($4, block_number), updated_ms = $2
          WHERE claim_key = $5 AND owner = $6 RETURNING 1 AS found`,
          [
            n.nextCheckMs,
            n.atMs,
            n.finality ?? null,
            n.blockNumber ?? null,
            Buffer.from(n.claimKey),
            n.owner,
            n.batchId ?? null,
          ],
        )
      ).length === 1,
    clock: async () => wholeNumber(await database.value('SELECT ledger_now($1)', [now()])),
    sweep: async (atMs) => {
      const swept = (await database.value('SELECT ledger_sweep($1)', [atMs ?? now()])) as RawRow;
      return {
        holdsReleased: wholeNumber(swept['holds']),
        grantsExpired: wholeNumber(swept['grants']),
        challengesDeleted: wholeNumber(swept['challenges']),
        idempotencyDeleted: wholeNumber(swept['keys']),
        webhooksDeleted: wholeNumber(swept['webhooks']),
        answersLost: wholeNumber(swept['answers']),
      };
    },
    queuedExposure: reads.exposure,
    onReceipt: listeners.add,
    export: (range) => postgresExport({ database, ...range }),
    check: () => postgresCheck(database),
    overview: reads.overview,
    figures: (asked) => postgresFigures({ database, ...asked }),
    day: (asked) => postgresDay({ database, ...asked }),
    restored: async () => {
      if (!mark.restored) return null;
      const newest = await database.value('SELECT max(created_ms) FROM payments');
      return { sinceMs: newest === null ? null : wholeNumber(newest) };
    },
    acceptRestored: (as) => mark.accept(as),
  };
}
