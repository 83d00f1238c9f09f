import type { ClaimedPayment } from '../../ledger/port/payment.ts';

/** What the chain or the gateway says of an open claim (P8.41). `leave`: nothing definite, check again later. */
export type Resolution =
  | { readonly kind: 'settled'; readonly transaction: string; readonly blockNumber: number }
  | { readonly kind: 'queued'; readonly transferId: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'leave' };

/** Checks one open claim; reads only, never submits again (I3.7). */
export type Resolver = (found: ClaimedPayment) => Promise<Resolution>;
