import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { grantSeconds } from '../../data/contract/billing/grants.ts';
import type { LiveCall } from '../free/freeAnswer.ts';
import type { Coverage } from '../grants/coverage.ts';
import type { WebhookEffect, WebhookResult } from '../ledger/port/checkout.ts';
import { checkoutRefusal } from './checkoutRefusals.ts';
import type { OpenCheckoutDeps } from './openCheckout.ts';

// the notifications of the card provider that mean something here (P5.8, P5.9)

/** What a notification asks for. A refund or dispute names the payment; whose it is, the provider is asked. */
type Notification =
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

type ProviderEvent = {
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
function readEvent(body: Uint8Array): ProviderEvent | null {
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

const none = { kind: 'none' } as const;

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

/** What became of a notification; the first three were refused. */
export type WebhookOutcome = SignatureFault | 'no_event' | 'not_yet' | WebhookResult;

type WebhookDeps = Pick<OpenCheckoutDeps, 'ledger' | 'client' | 'config' | 'log' | 'ulid'> & {
  /** What a bought budget covers, written out at crediting (P5.8). */
  readonly coverage: Coverage;
  /** Receives the outcome of each. */
  counted?(outcome: WebhookOutcome): void;
};

/**
 * F17: the signature is checked over the raw bytes before anything is read (P5.7); then the event has its effect once
 * (P5.8, P5.9). The body is not stored, only its SHA-256 (P5.12).
 */
export async function takeWebhook(
  call: LiveCall,
  deps: WebhookDeps,
): Promise<{ status: 200; body: { received: true } }> {
  const { request, nowMs } = call;
  const lines = request.headers['stripe-signature'];
  const header = lines?.length === 1 ? (lines[0] ?? null) : null;
  const { webhookSecret, provider } = deps.config;
  const fault = signatureFault({ header, body: request.body, secret: webhookSecret, nowMs });
  if (fault !== null) {
    deps.counted?.(fault);
    deps.log({ level: 'warn', event: 'webhook_signature_invalid', fields: { provider, why: fault } });
    throw checkoutRefusal('invalidSignature');
  }
  const event = readEvent(request.body);
  if (event === null) {
    deps.counted?.('no_event');
    throw checkoutRefusal('notAnEvent');
  }
  const effect = await effectOf(event, { deps, nowMs });
  if (effect === 'not_yet') {
    deps.counted?.('not_yet');
    throw checkoutRefusal('notYet');
  }
  const result = await deps.ledger.checkout.apply({
    provider,
    eventId: event.id,
    type: event.type,
    bodySha256: new Uint8Array(hash('sha256', request.body, 'buffer')),
    receivedMs: nowMs,
    effect,
  });
  deps.counted?.(result);
  const level = result === 'mismatch' ? 'error' : 'info';
  deps.log({ level, event: `webhook_${result}`, fields: { event_id: event.id, type: event.type } });
  return { status: 200, body: { received: true } };
}

type Context = { readonly deps: WebhookDeps; readonly nowMs: number };

async function effectOf(
  { notification, live }: ProviderEvent,
  { deps, nowMs }: Context,
): Promise<WebhookEffect | 'not_yet'> {
  const modeMatches = live === deps.config.live;
  switch (notification.kind) {
    case 'paid':
      return {
        kind: 'paid',
        checkoutId: notification.checkoutId,
        amountMinor: notification.amountMinor,
        currency: notification.currency,
        modeMatches,
        newGrantId: `grt_${deps.ulid()}`,
        routes: deps.coverage.routes,
        minPriceMicro: deps.coverage.minPriceMicro,
        expiresMs: nowMs + grantSeconds.budget * 1000,
      };
    case 'expired':
    case 'failed':
      return modeMatches ? notification : none;
    case 'refunded':
    case 'disputed': {
      const checkoutId = modeMatches ? await checkoutOf(notification, deps) : null;
      if (checkoutId === null) return none;
      if (checkoutId === 'not_yet') return checkoutId;
      return notification.kind === 'disputed'
        ? { kind: 'disputed', checkoutId }
        : { kind: 'refunded', checkoutId, refundedMicro: notification.refundedMinor * 10_000 };
    }
    case 'none':
      return none;
  }
}

/** The checkout a payment was for: refunds and disputes name the payment only, so the provider is asked. */
async function checkoutOf(
  { paymentIntent }: Extract<Notification, { paymentIntent: string }>,
  deps: WebhookDeps,
): Promise<string | 'not_yet' | null> {
  const answer = await deps.client.ofPayment(paymentIntent);
  // unanswered: the provider sends the notification again
  if (answer.kind === 'unclear') return 'not_yet';
  const checkoutId = answer.kind === 'answer' ? (answer.value?.checkoutId ?? null) : null;
  if (checkoutId === null) return null;
  const found = await deps.ledger.checkout.find(checkoutId);
  if (found === null) return null;
  // the payment's own notification is still on its way: taken now, this one would be lost
  const { state } = found.checkout;
  return state === 'creating' || state === 'open' ? 'not_yet' : checkoutId;
}

/** How far the time of a notification may lie from ours, either way (P5.7). */
const toleranceSeconds = 300;
const mostSignatures = 16;

/** Why a notification is not taken for one of the provider. */
type SignatureFault = 'unsigned' | 'wrong_signature' | 'wrong_time';

/**
 * Checks that a notification was signed with our secret over its raw bytes, not long ago (P5.7, S25): header
 * `t=<seconds>,v1=<hex>[,v1=<hex>]`, HMAC-SHA256 over `t`, a dot and the body. Null when it was.
 */
export function signatureFault({
  header,
  body,
  secret,
  nowMs,
}: {
  readonly header: string | null;
  readonly body: Uint8Array;
  readonly secret: string;
  readonly nowMs: number;
}): SignatureFault | null {
  const parts = (header ?? '').split(',', mostSignatures + 1).map((part) => part.trim());
  const times = parts.filter((part) => part.startsWith('t='));
  const time = /^t=(\d{1,12})$/.exec(times[0] ?? '')?.[1];
  if (time === undefined || times.length !== 1) return 'unsigned';
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
  let same = false;
  for (const part of parts) {
    const hex = /^v1=([0-9a-f]{64})$/.exec(part)?.[1];
    if (hex !== undefined && timingSafeEqual(Buffer.from(hex, 'hex'), expected)) same = true;
  }
  if (!same) return 'wrong_signature';
  return Math.abs(nowMs / 1000 - Number(time)) <= toleranceSeconds ? null : 'wrong_time';
}
