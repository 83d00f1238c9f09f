import { markKeeper, restoredCopy } from '../ledgerMark.ts';
import { idListeners } from '../listeners.ts';
import { neverUnhandled } from '../neverUnhandled.ts';
import type { HoldResult } from '../port/grant.ts';
import type { Ledger, LedgerLog, LedgerTime } from '../port/ledger.ts';
import type { ClaimInput, ClaimResult } from '../port/payment.ts';
import { day } from '../reads/day.ts';
import { figures } from '../reads/figures.ts';
import { grantOf } from '../reads/grantReads.ts';
import { portReads } from '../reads/portReads.ts';
import { claimOf, newestClaimMs, newestEvent, receiptOf } from '../reads/receiptReads.ts';
import { type RawRow, wholeNumber } from '../rows/columns.ts';
import { freshPaymentRow } from '../rows/freshRows.ts';
import { authorizedRow, claimedRow, heldRow, notChargedRow } from '../rows/receipt.ts';
import { grantRow } from '../rows/rows.ts';
import { clockMs, type Steps } from '../steps/steps.ts';
import { type ColdResult, coldWrites, type WriteCold } from '../writes/coldWrites.ts';
import { portStores } from '../writes/portStores.ts';
import {
  holdColumns,
  idemColumns,
  jobColumns,
  paymentJson,
  receiptJson,
  transitionInput,
} from './columns.ts';
import { notifications } from './notifications.ts';
import { postgresCheck, postgresExport } from './postgresBooks.ts';
import { failureOf, postgresDatabase, uniqueConstraint } from './postgresDatabase.ts';
import { stepRunner } from './runSteps.ts';
import { preparePostgres } from './schema/postgresSchema.ts';
import { inSnapshot } from './snapshot.ts';
import { unawaitedWrites } from './unawaitedWrites.ts';

/**
 * The ledger of many servers (PAYMENTS 8.C): each method is one statement, the server groups the flushes of
 * concurrent commits itself. `markPath` is a file of this machine (S38). `nowMs` replaces the database's clock in
 * tests (P8.17); `reach` is another way to the database than a pool of its own.
 */
export function postgresLedger({
  connection,
  markPath,
  time,
  log,
  application,
  nowMs,
  reach,
}: {
  connection: string;
  markPath: string;
  time: LedgerTime;
  log: LedgerLog;
  application?: string;
  nowMs?: () => number;
  reach?: typeof postgresDatabase;
}): Ledger {
  const database = (reach ?? postgresDatabase)({
    connection,
    application: application ?? 'issuer-serve',
  });
  const now = () => nowMs?.() ?? null;
  const { read, write } = stepRunner(database, now);
  const writeCold: WriteCold = (name, input) => {
    // each input goes to the write of its name
    const steps = coldWrites[name] as (input: unknown) => Steps<ColdResult<typeof name>>;
    return write(steps(input));
  };
  const queue = unawaitedWrites({ database, time, log });
  const listeners = idListeners();
  const keyListeners = idListeners();
  const heard = notifications({
    database,
    time,
    log,
    tell: (channel, id) => (channel === 'receipt' ? listeners : keyListeners).tell(id),
  });
  const mark = markKeeper({
    path: markPath,
    newestEvent: () => read(newestEvent()),
    after: time.after,
    onRestored: (known, newest) =>
      log({ level: 'error', event: 'ledger_restored_copy', fields: { known, newest } }),
  });
  let open = false;

  function refuseRestored(): void {
    if (mark.restored) throw restoredCopy();
  }

  async function insertClaim(c: ClaimInput): Promise<boolean> {
    const payment = paymentJson(freshPaymentRow(c));
    const job = c.job === null ? null : JSON.stringify(jobColumns(c.job));
    const won = await database.value('SELECT ledger_claim_whole($1, $2, $3, $4)', [
      JSON.stringify(payment),
      JSON.stringify(receiptJson(authorizedRow(c))),
      c.next,
      job,
    ]);
    return won === true;
  }

  async function claim(c: ClaimInput): Promise<ClaimResult> {
    refuseRestored();
    let failure: unknown = null;
    let inserted = false;
    try {
      inserted = await insertClaim(c);
    } catch (error) {
      // a collision of another unique value, or an unknown outcome: the row decides (P8.16, P8.22a)
      if (uniqueConstraint(error) === null && failureOf(error) !== 'unknown_outcome') throw error;
      failure = error;
    }
    if (inserted) return { won: true, receipt: claimedRow(c) };
    const found = await readBackAfter(failure, () => read(claimOf(c.claimKey)));
    if (found?.receipt.receiptId === c.receipt.receiptId) return { won: true, receipt: claimedRow(c) };
    if (found !== null) return { won: false, conflict: null, ...found };
    const constraint = uniqueConstraint(failure);
    if (constraint === 'payments_client_ref') return { won: false, conflict: 'client_ref' };
    if (constraint === 'payments_tx') return { won: false, conflict: 'tx_hash' };
    if (failure !== null) throw failure;
    // what had answered this credential has failed since: it is free (P2.46a)
    return claim(c);
  }

  /** What cannot be read back either stays as unknown as its write left it (P8.16). */
  async function readBackAfter<T>(failure: unknown, readBack: () => Promise<T>): Promise<T> {
    try {
      return await readBack();
    } catch (error) {
      throw failure !== null && failureOf(failure) === 'unknown_outcome' ? failure : error;
    }
  }

  /** Runs a write whose lost answer can be found out by reading (P8.16). */
  async function readingBack<T>(write: () => Promise<T>, readBack: () => Promise<T | null>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (failureOf(error) !== 'unknown_outcome') throw error;
      const found = await readBackAfter(error, readBack);
      if (found === null) throw error;
      return found;
    }
  }

  async function replayOf(outcome: RawRow): Promise<HoldResult> {
    const receipt = await read(receiptOf(String(outcome['receipt_id'])));
    if (receipt === null) throw new Error('an idempotency key names a receipt that is not there');
    return { kind: 'replay', receipt, grant: grantRow(outcome['grant'] as RawRow) };
  }

  // a receipt that moves notifies every server, this one as well (P8.18)
  const stores = portStores({ read, write: writeCold, moved: () => {} });

  return {
    ...stores,
    keys: {
      ...stores.keys,
      noteUsed: (uses) => {
        for (const { keyId, atMs } of uses) queue.minor({ kind: 'key_used', keyId, atMs });
      },
      onChange: keyListeners.add,
    },
    ...portReads({ read }),
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
    claim,
    alias: (given) => writeCold('alias', given),
    transition: (t) =>
      readingBack(
        async () => {
          return (await database.value('SELECT ledger_transition($1)', [transitionInput(t)])) === true;
        },
        async () => {
          const found = await read(receiptOf(t.receiptId));
          const same = found?.chargeStatus === t.to && found.actor === t.actor && found.updatedMs === t.atMs;
          return same ? true : null;
        },
      ),
    noteUnknown: async (outcome) => (await writeCold('noteUnknown', outcome)) !== null,
    noteTx: (claimKey, txHash) => writeCold('noteTx', { claimKey, txHash, atMs: time.nowMs() }),
    renew: ({ claimKeys, owner, ownerUntilMs }) => {
      for (const claimKey of claimKeys) queue.minor({ kind: 'renew', claimKey, owner, ownerUntilMs });
    },
    noteNotCharged: (receipt) => queue.receipt(notChargedRow(receipt)),
    insertNotCharged: async (receipt, idem) => {
      const row = notChargedRow(receipt);
      const outcome = (await database.value('SELECT ledger_keyed_receipt($1, $2, $3)', [
        JSON.stringify(receiptJson(row)),
        JSON.stringify(idemColumns(idem)),
        now(),
      ])) as RawRow;
      if (outcome['kind'] === 'stored') return row;
      if (outcome['kind'] === 'idem_conflict') return 'idem_conflict';
      const first = await read(receiptOf(String(outcome['receipt_id'])));
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
            JSON.stringify(receiptJson(receipt)),
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
          const [stored, grant] = [await read(receiptOf(receipt.receiptId)), await read(grantOf(h.grantId))];
          return stored === null || grant === null ? null : { kind: 'held', receipt, grant };
        },
      );
    },
    endHold: (debitId, to) => {
      const ended = database.value('SELECT ledger_end_hold($1, $2, $3)', [debitId, to, now()]);
      return neverUnhandled(ended.then((word) => word === true));
    },
    delivered: (receiptId, delivery) => queue.minor({ kind: 'delivery', receiptId, delivery }),
    replayed: (receiptId) => queue.minor({ kind: 'replay', receiptId }),
    takeDue: (asked) => writeCold('takeDue', asked),
    noteCheck: (note) => writeCold('noteCheck', note),
    clock: () => read(clockMs()),
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
    onReceipt: listeners.add,
    export: (range) => postgresExport({ database, ...range }),
    check: () => postgresCheck(database),
    figures: ({ nowMs, withinMs }) => inSnapshot({ database, withinMs, steps: () => figures(nowMs) }),
    day: (asked) => inSnapshot({ database, steps: () => day(asked) }),
    restored: async () => {
      if (!mark.restored) return null;
      const sinceMs = await read(newestClaimMs());
      return { sinceMs: sinceMs === 0 ? null : sinceMs };
    },
    acceptRestored: (as) => mark.accept(as),
  };
}
