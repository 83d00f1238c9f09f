import type { ClaimedPayment } from '../../ledger/port/payment.ts';

/** What a look at the outside says of an open claim (P8.41). `leave`: nothing definite, look again later. */
export type Resolution =
  | { readonly kind: 'settled'; readonly transaction: string; readonly blockNumber: number }
  | { readonly kind: 'queued'; readonly transferId: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'leave' };

/** Looks at one open claim; reads only, never submits or hands over again (I3.7). */
export type Resolver = (found: ClaimedPayment) => Promise<Resolution>;
