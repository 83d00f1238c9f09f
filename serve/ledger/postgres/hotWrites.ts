import { grantRow, type HoldResult } from '../port/grant.ts';
import type { Ledger } from '../port/ledger.ts';
import type { ClaimInput, ClaimResult } from '../port/payment.ts';
import type { ReceiptRow } from '../port/receipt.ts';
import { grantOf } from '../reads/grantReads.ts';
import { claimOf, receiptOf } from '../reads/receiptReads.ts';
import { type RawRow, wholeNumber } from '../rows/columns.ts';
import { authorizedRow, claimedRow, freshPaymentRow, heldRow, notChargedRow } from '../rows/receipt.ts';
import { neverUnhandled } from '../sharedMethods.ts';
import {
  holdColumns,
  idemColumns,
  jobColumns,
  paymentJson,
  receiptJson,
  transitionInput,
} from './columns.ts';
import { failureOf, type PostgresDatabase, uniqueConstraint } from './postgresDatabase.ts';
import type { stepRunner } from './runSteps.ts';

// the writes a paid request waits for: each is one call of a function of schema/functions.sql (P8.15)

/** How these writes reach the database. */
export type HotReach = {
  readonly database: PostgresDatabase;
  readonly read: ReturnType<typeof stepRunner>['read'];
  /** null: the database's own clock (P8.17) */
  readonly now: () => number | null;
  /** Throws while the ledger is a restored copy, which begins nothing (S38). */
  readonly refuseRestored: () => void;
};

/** The writes of the port that a paid request waits for. */
export function hotWrites(
  reach: HotReach,
): Pick<Ledger, 'claim' | 'transition' | 'insertNotCharged' | 'hold' | 'endHold' | 'sweep'> {
  const { database, now } = reach;
  return {
    claim: (input) => claim(reach, input),
    transition: (input) => transition(reach, input),
    insertNotCharged: (...input) => insertNotCharged(reach, ...input),
    hold: (input) => hold(reach, input),
    endHold: (debitId, to) => {
      const ended = database.value('SELECT ledger_end_hold($1, $2, $3)', [debitId, to, now()]);
      return neverUnhandled(ended.then((word) => word === true));
    },
    sweep: (atMs) => sweep(reach, atMs),
  };
}

async function claim(reach: HotReach, c: ClaimInput): Promise<ClaimResult> {
  const { read, refuseRestored } = reach;
  refuseRestored();
  let failure: unknown = null;
  let inserted = false;
  try {
    inserted = await insertClaim(reach, c);
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
  return claim(reach, c);
}

async function insertClaim({ database }: HotReach, c: ClaimInput): Promise<boolean> {
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

function transition({ database, read }: HotReach, t: Parameters<Ledger['transition']>[0]): Promise<boolean> {
  return readingBack(
    async () => {
      return (await database.value('SELECT ledger_transition($1)', [transitionInput(t)])) === true;
    },
    async () => {
      const found = await read(receiptOf(t.receiptId));
      const same = found?.chargeStatus === t.to && found.actor === t.actor && found.updatedMs === t.atMs;
      return same ? true : null;
    },
  );
}

async function insertNotCharged(
  { database, read, now }: HotReach,
  ...[receipt, idem]: Parameters<Ledger['insertNotCharged']>
): ReturnType<Ledger['insertNotCharged']> {
  const row = notChargedRow(receipt);
  const outcome = (await database.value('SELECT ledger_keyed_receipt($1, $2, $3)', [
    JSON.stringify(receiptJson(row)),
    JSON.stringify(idemColumns(idem)),
    now(),
  ])) as RawRow;
  if (outcome['kind'] === 'stored') return row;
  if (outcome['kind'] === 'idem_conflict') return 'idem_conflict';
  return { replayOf: await firstReceipt(read, outcome) };
}

async function hold(reach: HotReach, h: Parameters<Ledger['hold']>[0]): Promise<HoldResult> {
  const { database, read, now } = reach;
  reach.refuseRestored();
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
          return {
            kind: 'replay',
            receipt: await firstReceipt(read, outcome),
            grant: grantRow(outcome['grant'] as RawRow),
          };
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
}

/** The receipt that an idempotency key was first used for. */
async function firstReceipt(read: HotReach['read'], outcome: RawRow): Promise<ReceiptRow> {
  const receipt = await read(receiptOf(String(outcome['receipt_id'])));
  if (receipt === null) throw new Error('an idempotency key names a receipt that is not there');
  return receipt;
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

async function sweep(
  { database, now }: HotReach,
  atMs: Parameters<Ledger['sweep']>[0],
): ReturnType<Ledger['sweep']> {
  const swept = (await database.value('SELECT ledger_sweep($1)', [atMs ?? now()])) as RawRow;
  return {
    holdsReleased: wholeNumber(swept['holds']),
    grantsExpired: wholeNumber(swept['grants']),
    challengesDeleted: wholeNumber(swept['challenges']),
    idempotencyDeleted: wholeNumber(swept['keys']),
    webhooksDeleted: wholeNumber(swept['webhooks']),
    answersLost: wholeNumber(swept['answers']),
  };
}
