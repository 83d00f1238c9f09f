import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import {
  type AccessRequest,
  type Admit,
  type AnswerReceipt,
  type Rail,
  type Refuse,
  receiptOfRequest,
  refuse,
} from '../access/accessDecision.ts';
import { idempotencyKeyReused, invalidGrantToken, paymentOf } from '../access/credentials.ts';
import { noSettlement } from '../body/envelope.ts';
import type { GrantRow, HoldInput } from '../ledger/port/grant.ts';
import type { Ledger, LedgerLog, LedgerTime, ReceiptRow } from '../ledger/port/ledger.ts';
import type { GrantReceiptInput, IdemInput } from '../ledger/port/receipt.ts';
import { reconciliationKeyOfDebit } from '../ledger/rows/receipt.ts';
import { errorName } from '../log/log.ts';
import { grantStanding, remainingMicro, secondsUntil } from './grantAnswers.ts';
import {
  grantNotActive,
  grantsUnavailable,
  grantTokenExpired,
  insufficientBudget,
  type RefusedCall,
  routeNotCovered,
} from './grantRefusals.ts';
import type { KnownSession, KnownSessions } from './grantSessions.ts';

/** Life of an `Idempotency-Key` (I5.30). */
const idempotencyMs = 86_400_000;

export type GrantRailDeps = {
  readonly ledger: Pick<Ledger, 'hold' | 'endHold' | 'delivered' | 'replayed' | 'grants'>;
  readonly sessions: KnownSessions;
  readonly time: LedgerTime;
  readonly log: LedgerLog;
  ulid(): string;
};

/** The ledger's holds, and the answers of each hold on their way. */
type Holds = Pick<GrantRailDeps, 'ledger' | 'ulid'> & {
  readonly endHold: HoldEnder;
  /** By receipt: the first answer, and repeats of its idempotency key that came meanwhile. */
  readonly flights: Map<string, { readonly debitId: string; answers: number; left: boolean }>;
};

/**
 * The grant rail (PAYMENTS 7.B): the price is held before the first byte, debited when the answer has left, given
 * back when it never did.
 */
export function grantRail(deps: GrantRailDeps): Rail {
  const { ledger, sessions, ulid } = deps;
  const holds: Holds = { ledger, ulid, endHold: holdEnder(deps), flights: new Map() };
  return {
    name: 'grant',
    presented: ({ presented: { credentials }, servable, head }) =>
      credentials.grant !== null &&
      // grants cover data routes of one family, and tool calls where they are named (I5.1, I4.MCP.22)
      (servable.route.family === 'v1' || servable.route.family === 'mcp') &&
      // a payment is an explicit wish to pay (I5.3); HEAD ignores payments (I4.5)
      (head || paymentOf(credentials, servable.route) === null),
    async check(request) {
      const token = request.presented.grant;
      if (token?.kind === 'expired') throw grantTokenExpired();
      if (token?.kind !== 'valid') throw invalidGrantToken();
      const { routeUri } = request.servable;
      let known = await sessions.find(token.claims);
      // the list may have grown since it was read
      if (known !== null && !known.grant.routes.includes(routeUri)) known = await sessions.read(token.claims);
      if (known === null) throw invalidGrantToken();
      if (!known.grant.routes.includes(routeUri))
        return refuse(routeNotCovered(known.grant, callOf(request)));
      if (request.head) return wouldCover(request, known.grant);
      const session = known;
      return { kind: 'payable', claim: () => claim(holds, request, session) };
    },
  };
}

/** The hold is debited with the first delivered answer, and released when the last one was not delivered (P7.9). */
function land({ flights, endHold }: Holds, receiptId: string, left: boolean): void {
  const flight = flights.get(receiptId);
  if (flight === undefined) return;
  flight.answers -= 1;
  if (left && !flight.left) {
    flight.left = true;
    endHold(flight.debitId, 'debited');
  }
  if (flight.answers > 0) return;
  flights.delete(receiptId);
  if (!flight.left) endHold(flight.debitId, 'released');
}

/**
 * A repeat whose first call another process holds, or held until it died: that process cannot know of this answer,
 * so the hold is debited before it leaves. The key brings the answer again should it not arrive. False: it was
 * released meanwhile, and its key with it.
 */
async function debitedElsewhere(
  ledger: Holds['ledger'],
  { receiptId, grantId }: ReceiptRow,
): Promise<boolean> {
  const find = async () =>
    (await ledger.grants.debits(grantId ?? '')).find((one) => one.receiptId === receiptId);
  const debit = await find();
  if (debit?.state === 'held' && (await ledger.endHold(debit.debitId, 'debited'))) return true;
  const { state } = (await find()) ?? {};
  return state === 'debited' || state === 'reversed';
}

async function claim(holds: Holds, request: AccessRequest, known: KnownSession): Promise<Admit | Refuse> {
  const { ledger, ulid, endHold, flights } = holds;
  const call = callOf(request);
  const input = holdInput(request, known.session, ulid);
  const held = await knownOutcome(() => ledger.hold(input));
  switch (held.kind) {
    case 'held':
      // the list was read up to 5 s ago; the hold saw the grant as it is (I5.42 a)
      if (!held.grant.routes.includes(call.routeUri)) {
        endHold(input.debitId, 'released');
        ledger.delivered(held.receipt.receiptId, 'undelivered');
        return refuse(routeNotCovered(held.grant, call));
      }
      flights.set(held.receipt.receiptId, { debitId: input.debitId, answers: 1, left: false });
      return {
        kind: 'admit',
        receipt: answerReceipt({ receipt: held.receipt, grant: held.grant, call, replayed: false }),
        apiKeyId: null,
        replayed: false,
        headers: [],
        meta: {},
        done(delivery, serverFault = false) {
          land(holds, held.receipt.receiptId, delivery !== 'undelivered' && !serverFault);
          ledger.delivered(held.receipt.receiptId, delivery);
        },
      };
    case 'replay': {
      const flight = flights.get(held.receipt.receiptId);
      if (flight !== undefined) flight.answers += 1;
      else if (!(await debitedElsewhere(ledger, held.receipt))) return claim(holds, request, known);
      ledger.replayed(held.receipt.receiptId);
      return {
        kind: 'admit',
        receipt: answerReceipt({ receipt: held.receipt, grant: held.grant, call, replayed: true }),
        apiKeyId: null,
        replayed: true,
        headers: ['Idempotent-Replay', 'true'],
        meta: {},
        done(delivery, serverFault = false) {
          if (flight !== undefined)
            land(holds, held.receipt.receiptId, delivery !== 'undelivered' && !serverFault);
          // a replay that breaks off takes nothing back from an answer that arrived
          if (delivery === 'delivered') ledger.delivered(held.receipt.receiptId, delivery);
        },
      };
    }
    case 'idem_conflict':
      return refuse(idempotencyKeyReused());
    case 'refused':
      if (held.grant === null) throw invalidGrantToken();
      return refuse(whyRefused(held.why, held.grant, call));
  }
}

/** What HEAD would be answered: nothing is held (I4.5, I5.42 f). */
function wouldCover(request: AccessRequest, grant: GrantRow): Admit | Refuse {
  const call = callOf(request);
  const standing = grantStanding(grant, request.nowMs);
  if (standing !== 'active' && standing !== 'exhausted') return refuse(grantNotActive(grant, call));
  if (remainingMicro(grant) < call.priceMicro) return refuse(insufficientBudget(grant, call));
  return {
    kind: 'admit',
    receipt: null,
    apiKeyId: null,
    replayed: false,
    headers: [],
    meta: {},
    done: () => {},
  };
}

function callOf({ servable, nowMs }: AccessRequest): RefusedCall {
  return { routeUri: servable.routeUri, priceMicro: servable.priceMicroUsd, nowMs };
}

type Refused = 'unknown' | 'expired' | 'exhausted' | 'suspended' | 'revoked' | 'insufficient';

function whyRefused(why: Refused, grant: GrantRow, call: RefusedCall): IssuerError {
  return why === 'insufficient' || why === 'exhausted'
    ? insufficientBudget(grant, call)
    : grantNotActive(grant, call);
}

function holdInput(request: AccessRequest, session: KnownSession['session'], ulid: () => string): HoldInput {
  const { servable, presented } = request;
  const { grantId, sessionId } = session;
  const debitId = `dbt_${ulid()}`;
  const receipt: GrantReceiptInput = {
    ...receiptOfRequest(request, { ulid, nowMs: request.nowMs }),
    reconciliationKey: reconciliationKeyOfDebit(debitId),
    settlementMode: 'grant_covered',
    quotedMicro: servable.priceMicroUsd,
    payerIdentity: `grant:${grantId}`,
  };
  const key = presented.credentials.idempotencyKey;
  const idem: IdemInput | null =
    key === null
      ? null
      : {
          holder: `grant:${grantId}`,
          key,
          fingerprint: request.fingerprint,
          expiresMs: request.nowMs + idempotencyMs,
        };
  return { debitId, grantId, sessionId, amountMicro: servable.priceMicroUsd, holdMs, receipt, idem };
}

/** The receipt with the grant as it is after this hold (P7.15). */
function answerReceipt({
  receipt,
  grant,
  call,
  replayed,
}: {
  receipt: ReceiptRow;
  grant: GrantRow;
  call: RefusedCall;
  replayed: boolean;
}): AnswerReceipt {
  const remaining = remainingMicro(grant);
  return {
    ...receipt,
    qualityFlags: replayed ? [...receipt.qualityFlags, 'replayed'] : receipt.qualityFlags,
    settlement: {
      ...noSettlement,
      grant: {
        grantId: grant.grantId,
        program: grant.program,
        status: remaining < grant.minPriceMicro ? 'exhausted' : 'active',
        budgetMicro: grant.budgetMicro,
        remainingMicro: remaining,
        debitMicro: receipt.quotedMicro,
        expiresMs: grant.expiresMs,
        expiresInSeconds: secondsUntil(grant.expiresMs, call.nowMs),
      },
    },
  };
}

// a hold whose write has no known outcome may be there: the worker gives it back, and the answer is not sent
async function knownOutcome<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof IssuerError && error.code === 'store_unwritable')
      throw grantsUnavailable('The ledger cannot be written at the moment.');
    throw error;
  }
}

/** How long a crash may leave a price held: three times the request limit (P7.11). */
const holdMs = 60_000;
const retryMs = 1_000;

/** Ends the hold of an answer: `debited` when it has left, `released` when it has not (P7.8). */
type HoldEnder = (debitId: string, to: 'debited' | 'released') => void;

/**
 * A debit that the ledger cannot take at the moment is tried again each second while the hold lasts, so that a database
 * that was away for a while takes what was delivered meanwhile (P7.9). A release is left to the worker's sweep (P7.11).
 */
export function holdEnder({
  ledger,
  time,
  log,
}: {
  ledger: Pick<Ledger, 'endHold'>;
  time: LedgerTime;
  log: LedgerLog;
}): HoldEnder {
  async function end(debitId: string, to: 'debited' | 'released', attempt: number): Promise<void> {
    try {
      await ledger.endHold(debitId, to);
    } catch (error) {
      const why = errorName(error);
      const fields = { debit_id: debitId, to, why, attempt };
      log({ level: 'error', event: 'grant_hold_not_ended', fields });
      if (to === 'debited' && (attempt + 1) * retryMs < holdMs)
        time.after(retryMs, () => void end(debitId, to, attempt + 1));
    }
  }
  return (debitId, to) => void end(debitId, to, 0);
}
