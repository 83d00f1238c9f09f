import { z } from 'zod';
import { datetime } from '../values/primitives.ts';
import { discoveryEnvelope } from './billingEnvelope.ts';

// what the card checkout routes answer: F14, F15 and F17 (F16 gives a grant session)

/** Budgets that are sold, in USD (P5.2). */
export const creditsUsd = [10, 15, 20, 25] as const;
export const accountIdPattern = '^[A-Za-z0-9._@+-]{3,128}$';

const checkoutId = z.string().regex(/^chk_[0-9A-HJKMNP-TV-Z]{26}$/);
const credit = z.union([z.literal(10), z.literal(15), z.literal(20), z.literal(25)]);

/** F14, a checkout to be paid by card (I4.F14.1). */
export const checkoutSession = discoveryEnvelope.extend({
  checkout_id: checkoutId,
  state: z.literal('open'),
  checkout_url: z.string(),
  expires_at: datetime,
  credit_usd: credit,
  charge_usd: credit,
  currency: z.literal('usd'),
  account_id: z.string().regex(new RegExp(accountIdPattern)),
  wallet: z
    .string()
    .regex(/^0x[0-9a-f]{40}$/)
    .nullable(),
  /** Needed for F15 and F16; shown here and stored nowhere. */
  pickup_secret: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
});

/** F15, how far a checkout got (I4.F15.1). */
export const checkoutState = discoveryEnvelope.extend({
  checkout_id: checkoutId,
  state: z.enum(['creating', 'open', 'paid', 'expired', 'failed', 'refunded']),
  grant_id: z
    .string()
    .regex(/^grt_[0-9A-HJKMNP-TV-Z]{26}$/)
    .nullable(),
  grant_status: z.enum(['active', 'exhausted', 'expired', 'revoked', 'suspended']).nullable(),
  credit_usd: credit,
  created_at: datetime,
  updated_at: datetime,
});

/** F17, the provider's notification was taken (I4.F17.1). */
export const webhookTaken = z.object({ received: z.literal(true) });

export type CheckoutSession = z.infer<typeof checkoutSession>;
export type CheckoutProgress = z.infer<typeof checkoutState>;
