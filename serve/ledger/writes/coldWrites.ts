import { createCheckout, endCheckout, openCheckout } from './checkoutWrites.ts';
import { alias, noteCheck, noteTx, noteUnknown, takeDue } from './claimWrites.ts';
import {
  createGrant,
  extendGrant,
  linkGrantWallet,
  resumeGrant,
  reverseDebit,
  revokeGrant,
  setGrantRoutes,
  suspendGrant,
  topUpGrant,
} from './grantWrites.ts';
import {
  finishJob,
  giveJobBack,
  leaseSigner,
  releaseSigner,
  renewJobs,
  sendJobAgain,
  storeSigned,
  takeJobs,
} from './jobWrites.ts';
import { createKey, revokeKey } from './keyWrites.ts';
import { consumeChallenge, createChallenge, mintSession, setChallengeOutcome } from './sessionWrites.ts';
import { unwatch, watch } from './watchWrites.ts';
import { applyWebhook } from './webhookWrites.ts';

/**
 * The writes that both databases run from one text (P8.15): everything but claim, transition, hold, end of hold, keyed
 * receipt and sweep, which each adapter states in the shape that costs it least.
 */
export const coldWrites = {
  alias,
  noteUnknown,
  noteTx,
  takeDue,
  noteCheck,
  createGrant,
  suspendGrant,
  resumeGrant,
  revokeGrant,
  extendGrant,
  topUpGrant,
  setGrantRoutes,
  linkGrantWallet,
  reverseDebit,
  mintSession,
  createChallenge,
  consumeChallenge,
  setChallengeOutcome,
  takeJobs,
  renewJobs,
  storeSigned,
  giveJobBack,
  finishJob,
  sendJobAgain,
  leaseSigner,
  releaseSigner,
  createCheckout,
  openCheckout,
  endCheckout,
  applyWebhook,
  createKey,
  revokeKey,
  watch,
  unwatch,
} as const;

/** The name of a cold write. */
export type ColdName = keyof typeof coldWrites;

/** What a cold write takes. */
export type ColdInput<Name extends ColdName> = Parameters<(typeof coldWrites)[Name]>[0];

/** What it answers. */
export type ColdResult<Name extends ColdName> =
  ReturnType<(typeof coldWrites)[Name]> extends Generator<unknown, infer Result> ? Result : never;

/** An adapter's way to run one; it resolves when the transaction is durable. */
export type WriteCold = <Name extends ColdName>(
  name: Name,
  input: ColdInput<Name>,
) => Promise<ColdResult<Name>>;
