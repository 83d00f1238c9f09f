import { booksSuite } from './booksSuite.ts';
import { checkoutSuite } from './checkoutSuite.ts';
import { claimSuite } from './claimSuite.ts';
import { daySuite } from './daySuite.ts';
import { figuresSuite } from './figuresSuite.ts';
import { grantSuite } from './grantSuite.ts';
import { handSuite } from './handSuite.ts';
import { queueSuite } from './queueSuite.ts';
import { recoverySuite } from './recoverySuite.ts';

/** What a ledger promises at its port, for every adapter alike. */
export const everySuite = [
  claimSuite,
  recoverySuite,
  grantSuite,
  queueSuite,
  checkoutSuite,
  booksSuite,
  figuresSuite,
  daySuite,
  handSuite,
] as const;
