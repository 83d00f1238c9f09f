import type { chargeStatuses } from './billingEnvelope.ts';

type ChargeStatus = (typeof chargeStatuses)[number];

/** Every allowed change of a receipt's charge_status (I3.2); from null a receipt is made. */
export const receiptTransitions = [
  { from: null, to: 'not_charged' },
  { from: null, to: 'authorized' },
  { from: 'authorized', to: 'submitted' },
  { from: 'submitted', to: 'settled' },
  { from: 'submitted', to: 'failed' },
  { from: 'authorized', to: 'queued_for_batch' },
  { from: 'queued_for_batch', to: 'settled' },
  { from: 'queued_for_batch', to: 'failed' },
  { from: 'authorized', to: 'failed' },
  { from: 'settled', to: 'refunded' },
  { from: 'settled', to: 'disputed' },
  { from: 'disputed', to: 'settled' },
  { from: 'disputed', to: 'refunded' },
] as const satisfies readonly { from: ChargeStatus | null; to: ChargeStatus }[];
