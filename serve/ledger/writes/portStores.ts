import type { KeyAdmin } from '../port/key.ts';
import type { Ledger } from '../port/ledger.ts';
import {
  allGrants,
  debitsOf,
  grantEventsOf,
  grantOf,
  grantsOfWallet,
  sessionOf,
} from '../reads/grantReads.ts';
import { checkoutOf, isWatched, jobOfClaim, keyRecords, watchlist } from '../reads/operatorReads.ts';
import { keyInfo } from '../rows/keyInfo.ts';
import type { Steps } from '../steps/steps.ts';
import type { WriteCold } from './coldWrites.ts';

type Stores = Pick<Ledger, 'jobs' | 'grants' | 'challenges' | 'checkout' | 'watchlist'> & {
  readonly keys: Omit<KeyAdmin, 'noteUsed'>;
};

/** The parts of the port that are stores of their own. `moved` is called with the id of a receipt that moved here. */
export function portStores({
  read,
  write,
  moved,
}: {
  read: <T>(steps: Steps<T>) => Promise<T>;
  write: WriteCold;
  moved: (receiptId: string) => void;
}): Stores {
  return {
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
      list: async () => (await read(keyRecords())).map(keyInfo),
      revoke: (asked) => write('revokeKey', asked),
    },
    watchlist: {
      add: (entry) => write('watch', entry),
      clear: (asked) => write('unwatch', asked),
      has: ({ payer, provider }) => read(isWatched(payer, provider)),
      list: () => read(watchlist()),
    },
  };
}
