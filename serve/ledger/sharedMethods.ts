import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { KeyAdmin } from './port/key.ts';
import type { Ledger, LedgerTime } from './port/ledger.ts';
import {
  allGrants,
  debitsOf,
  grantEventsOf,
  grantOf,
  grantsOfWallet,
  sessionOf,
} from './reads/grantReads.ts';
import { checkoutOf, isWatched, jobOfClaim, keyInfos, keyRecords, watchlist } from './reads/operatorReads.ts';
import {
  claimOf,
  journalOf,
  queuedMicro,
  receiptOf,
  receiptOfTransfer,
  undeliveredClaim,
} from './reads/receiptReads.ts';
import type { Steps } from './steps/steps.ts';
import type { WriteCold } from './writes/coldWrites.ts';

/**
 * The methods of the port that an adapter's way to read and to write is enough for. `moved` is called with the id of a
 * receipt that moved here; `totalMicro` is what all payers have queued.
 */
export function sharedMethods({
  read,
  write,
  time,
  moved,
  totalMicro = () => read(queuedMicro(null)),
}: {
  read: <T>(steps: Steps<T>) => Promise<T>;
  write: WriteCold;
  time: LedgerTime;
  moved: (receiptId: string) => void;
  totalMicro?: () => Promise<number>;
}) {
  return {
    findClaim: (claimKey) => read(claimOf(claimKey)),
    findUndelivered: (asked) => read(undeliveredClaim(asked)),
    findReceipt: (receiptId) => read(receiptOf(receiptId)),
    findTransfer: (id) => read(receiptOfTransfer(id)),
    journal: (receiptId) => read(journalOf(receiptId)),
    queuedExposure: async (payerIdentity) => ({
      payerMicro: await read(queuedMicro(payerIdentity)),
      totalMicro: await totalMicro(),
    }),
    alias: (asked) => write('alias', asked),
    noteUnknown: async (outcome) => {
      const receiptId = await write('noteUnknown', outcome);
      if (receiptId !== null) moved(receiptId);
      return receiptId !== null;
    },
    noteTx: (claimKey, txHash) => write('noteTx', { claimKey, txHash, atMs: time.nowMs() }),
    takeDue: (asked) => write('takeDue', asked),
    noteCheck: (note) => write('noteCheck', note),
    jobs: {
      take: (asked) => write('takeJobs', asked),
      renew: (asked) => write('renewJobs', asked),
      storeSigned: (signed) => write('storeSigned', signed),
      giveBack: (asked) => write('giveJobBack', asked),
      finish: async (asked) => {
        const outcome = await write('finishJob', asked);
        if (outcome === 'finished' && asked.transition !== null) moved(asked.transition.receiptId);
        return outcome;
      },
      sendAgain: (asked) => write('sendJobAgain', asked),
      ofClaim: (claimKey) => read(jobOfClaim(claimKey)),
      leaseSigner: (asked) => write('leaseSigner', asked),
      releaseSigner: (lease) => write('releaseSigner', lease),
    },
    grants: {
      create: (asked) => write('createGrant', asked),
      find: (grantId) => read(grantOf(grantId)),
      list: () => read(allGrants()),
      ofWallet: (wallet) => read(grantsOfWallet(wallet)),
      debits: (grantId, asked) => read(debitsOf(grantId, asked?.newest ?? null)),
      events: (grantId) => read(grantEventsOf(grantId)),
      suspend: (asked) => write('suspendGrant', asked),
      resume: (asked) => write('resumeGrant', asked),
      revoke: (asked) => write('revokeGrant', asked),
      extend: (asked) => write('extendGrant', asked),
      topUp: (asked) => write('topUpGrant', asked),
      setRoutes: (asked) => write('setGrantRoutes', asked),
      linkWallet: (asked) => write('linkGrantWallet', asked),
      reverse: (asked) => write('reverseDebit', asked),
      mintSession: (asked) => write('mintSession', asked),
      session: (sessionId) => read(sessionOf(sessionId)),
    },
    challenges: {
      create: (row) => write('createChallenge', row),
      consume: (asked) => write('consumeChallenge', asked),
      setOutcome: (asked) => write('setChallengeOutcome', asked),
    },
    checkout: {
      create: (asked) => write('createCheckout', asked),
      opened: (asked) => write('openCheckout', asked),
      ended: (asked) => write('endCheckout', asked),
      find: (checkoutId) => read(checkoutOf(checkoutId)),
      apply: (event) => write('applyWebhook', event),
    },
    keys: {
      create: (key) => write('createKey', key),
      records: () => read(keyRecords()),
      list: () => read(keyInfos()),
      revoke: (asked) => write('revokeKey', asked),
    },
    watchlist: {
      add: (entry) => write('watch', entry),
      clear: (asked) => write('unwatch', asked),
      has: ({ payer, provider }) => read(isWatched(payer, provider)),
      list: () => read(watchlist()),
    },
  } satisfies Partial<Omit<Ledger, 'keys'>> & { readonly keys: Omit<KeyAdmin, 'noteUsed'> };
}

/** Who waits to hear that a row may have moved (P8.18, P8.34). */
type IdListeners = {
  add(listener: (id: string) => void): () => void;
  tell(id: string): void;
};

/** An empty {@link IdListeners}. */
export function idListeners(): IdListeners {
  const listeners = new Set<(id: string) => void>();
  return {
    add: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell: (id) => {
      for (const listener of listeners) listener(id);
    },
  };
}

/** The same promise; its failure ends no process when it is not awaited (P1.14): a held debit is released later. */
export function neverUnhandled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** Why nothing new may begin (P8.8, P8.12). */
export function refusal(code: 'overloaded' | 'settlement_unavailable', message: string): IssuerError {
  return new IssuerError({ code, message, hint: 'Try again later.' });
}
