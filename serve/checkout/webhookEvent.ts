import { z } from 'zod';

// the notifications of the card provider that mean something here (P5.8, P5.9)

/** What a notification asks for. A refund or dispute names the payment; whose it is, the provider is asked. */
export type Notification =
  | {
      readonly kind: 'paid';
      readonly checkoutId: string;
      readonly amountMinor: number;
      readonly currency: string;
    }
  | { readonly kind: 'expired' | 'failed'; readonly checkoutId: string }
  | { readonly kind: 'refunded'; readonly paymentIntent: string; readonly refundedMinor: number }
  | { readonly kind: 'disputed'; readonly paymentIntent: string }
  | { readonly kind: 'none' };

export type ProviderEvent = {
  readonly id: string;
  readonly type: string;
  readonly live: boolean;
  readonly notification: Notification;
};

const event = z.object({
  id: z.string().regex(/^evt_[A-Za-z0-9_]{1,120}$/),
  type: z.string().regex(/^[a-z0-9_.]{1,100}$/),
  livemode: z.boolean(),
  data: z.object({ object: z.unknown() }),
});
// another product sold through the same account is none of ours
const checkout = z.object({ client_reference_id: z.string().regex(/^chk_[0-9A-HJKMNP-TV-Z]{26}$/) });
const paidCheckout = checkout.extend({
  payment_status: z.string(),
  amount_total: z.int(),
  currency: z.string().max(8),
});
const charge = z.object({ payment_intent: z.string().max(255), amount_refunded: z.int().min(0) });
const dispute = z.object({ payment_intent: z.string().max(255) });

/** Reads a notification whose signature was checked; null when it is none of the provider's. */
export function readEvent(body: Uint8Array): ProviderEvent | null {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return null;
  }
  const found = event.safeParse(json);
  if (!found.success) return null;
  const { id, type, livemode, data } = found.data;
  return { id, type, live: livemode, notification: notificationOf(type, data.object) };
}

function notificationOf(type: string, object: unknown): Notification {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded': {
      const found = paidCheckout.safeParse(object);
      // completed and not yet paid: the money is announced by a second event
      if (!found.success || found.data.payment_status !== 'paid') return none;
      const { client_reference_id, amount_total, currency } = found.data;
      return { kind: 'paid', checkoutId: client_reference_id, amountMinor: amount_total, currency };
    }
    case 'checkout.session.expired':
    case 'checkout.session.async_payment_failed': {
      const found = checkout.safeParse(object);
      if (!found.success) return none;
      const kind = type === 'checkout.session.expired' ? 'expired' : 'failed';
      return { kind, checkoutId: found.data.client_reference_id };
    }
    case 'charge.refunded': {
      const found = charge.safeParse(object);
      if (!found.success) return none;
      const { payment_intent, amount_refunded } = found.data;
      return { kind: 'refunded', paymentIntent: payment_intent, refundedMinor: amount_refunded };
    }
    case 'charge.dispute.created': {
      const found = dispute.safeParse(object);
      return found.success ? { kind: 'disputed', paymentIntent: found.data.payment_intent } : none;
    }
    default:
      return none;
  }
}

const none: Notification = { kind: 'none' };
