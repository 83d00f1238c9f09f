import type { Ledger } from '../ledger.ts';
import type { GroupCommit } from './groupCommit.ts';
import { ownBytes } from './ownBytes.ts';
import type { Reads } from './reads.ts';

type Stores = Pick<Ledger, 'jobs' | 'grants' | 'challenges' | 'checkout' | 'watchlist'>;

/** The parts of the port that are stores of their own, over the writer's calls and the reader's look-ups. */
export function sqliteStores(o: {
  writes: Pick<GroupCommit, 'call'>;
  read: () => Reads;
  nowMs: () => number;
  tell: (receiptId: string) => void;
}): Stores {
  const { writes, read, nowMs } = o;
  return {
    jobs: {
      take: (q) => writes.call('takeJobs', { ...q, nowMs: nowMs() }),
      renew: (q) => writes.call('renewJobs', { ...q, nowMs: nowMs() }),
      storeSigned: (signed) =>
        writes.call('storeSigned', { ...signed, rawTx: ownBytes(signed.rawTx), nowMs: nowMs() }),
      giveBack: (q) => writes.call('giveJobBack', q),
      finish: async (q) => {
        const outcome = await writes.call('finishJob', q);
        if (outcome === 'finished' && q.transition !== null) o.tell(q.transition.receiptId);
        return outcome;
      },
      sendAgain: (q) => writes.call('sendJobAgain', q),
      ofClaim: async (claimKey) => read().jobOfClaim(claimKey),
      leaseSigner: (q) => writes.call('leaseSigner', { ...q, nowMs: nowMs() }),
      releaseSigner: async (lease) => {
        await writes.call('releaseSigner', lease);
      },
    },
    grants: {
      create: (q) => writes.call('createGrant', q),
      find: async (grantId) => read().grant(grantId),
      list: async () => read().grants(),
      ofWallet: async (wallet) => read().grantsOfWallet(wallet),
      debits: async (grantId, q) => read().debits(grantId, q),
      events: async (grantId) => read().grantEvents(grantId),
      suspend: (q) => writes.call('suspendGrant', q),
      resume: (q) => writes.call('resumeGrant', q),
      revoke: (q) => writes.call('revokeGrant', q),
      extend: (q) => writes.call('extendGrant', q),
      topUp: (q) => writes.call('topUpGrant', q),
      setRoutes: (q) => writes.call('setGrantRoutes', q),
      linkWallet: (q) => writes.call('linkGrantWallet', q),
      reverse: (q) => writes.call('reverseDebit', q),
      mintSession: async (q) => {
        await writes.call('mintSession', q);
      },
      session: async (sessionId) => read().session(sessionId),
    },
    challenges: {
      create: async (row) => {
        await writes.call('createChallenge', row);
      },
      consume: (q) => writes.call('consumeChallenge', q),
      setOutcome: async (q) => {
        await writes.call('setChallengeOutcome', q);
      },
    },
    checkout: {
      create: (row) => writes.call('createCheckout', { ...row, pickupHash: ownBytes(row.pickupHash) }),
      opened: (q) => writes.call('openCheckout', q),
      ended: (q) => writes.call('endCheckout', q),
      find: async (checkoutId) => read().checkout(checkoutId),
      apply: (event) => writes.call('applyWebhook', { ...event, bodySha256: ownBytes(event.bodySha256) }),
    },
    watchlist: {
      add: (entry) => writes.call('watch', entry),
      clear: (q) => writes.call('unwatch', q),
      has: async (q) => read().watched(q.payer, q.provider),
      list: async () => read().watchlist(),
    },
  };
}
