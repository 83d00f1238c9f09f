import type { ReceiptRow } from '../../ledger/port/ledger.ts';
import type { PaymentRow } from '../../ledger/port/payment.ts';

/** What answers say about one payment; known before and after the claim. */
export type PaymentFacts = Pick<
  PaymentRow,
  'claimKey' | 'provider' | 'network' | 'payer' | 'nonce' | 'amountMicro'
>;

/** A claim on its way to an outcome. */
export type OpenClaim = { readonly payment: PaymentFacts; readonly receipt: ReceiptRow };
