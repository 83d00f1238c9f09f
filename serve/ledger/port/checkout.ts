import { bytes, integer, optional, type RowOf, rowReader, text } from '../rows/columns.ts';
import type { GrantRow } from './grant.ts';

// card checkout, the last resort (PAYMENTS 5)

/** A provider session ends after 30 minutes (P5.6); an older open checkout no longer blocks its account. */
export const openCheckoutMs = 3_600_000;

export type CheckoutState = 'creating' | 'open' | 'paid' | 'expired' | 'failed' | 'refunded';

export const checkoutTable = {
  /** `chk_` + ULID */
  checkoutId: text('checkout_id'),
  provider: text('provider'),
  providerSessionId: optional(text('provider_session_id')),
  idempotencyKey: text('idempotency_key'),
  accountId: text('account_id'),
  wallet: optional(text('wallet')),
  creditMicro: integer('credit_micro'),
  /** what the card is charged, in the currency's minor unit */
  chargeMinor: integer('charge_minor'),
  currency: text('currency'),
  state: text<CheckoutState>('state'),
  /** the grant it credited; before that the one its buyer proved to hold, which alone it may raise (P5.3) */
  grantId: optional(text('grant_id')),
  /** SHA-256 of the pickup secret (P5.3) */
  pickupHash: bytes('pickup_hash'),
  createdMs: integer('created_ms'),
  updatedMs: integer('updated_ms'),
} as const;

export type CheckoutRow = RowOf<typeof checkoutTable>;
export const checkoutRow = rowReader(checkoutTable);

/** `grantId` is the grant whose session the buyer holds; it is kept only where it is the account's living one. */
export type NewCheckout = Omit<CheckoutRow, 'providerSessionId' | 'state' | 'updatedMs'> & {
  /** remaining budget an account may have after crediting (P5.4) */
  readonly maxRemainingMicro: number;
};

/**
 * `replay`: same key, same body. `reused`: same key, other body (P5.5). `not_proven`: the account has a living grant
 * that is not the buyer's (P5.3). `open_checkout` with the one that is open, and `over_limit` are the limits of P5.4.
 */
export type CheckoutCreated =
  | { readonly kind: 'created' | 'replay'; readonly checkout: CheckoutRow }
  | { readonly kind: 'open_checkout'; readonly checkout: CheckoutRow }
  | { readonly kind: 'reused' | 'not_proven' | 'over_limit' };

/** What an event of the provider asks for; the signature was checked over the raw bytes (P5.7). */
export type WebhookEffect =
  | {
      readonly kind: 'paid';
      readonly checkoutId: string;
      readonly amountMinor: number;
      readonly currency: string;
      /** `livemode` equals the configuration (P5.8) */
      readonly modeMatches: boolean;
      /** used unless the buyer proved to hold the account's living grant */
      readonly newGrantId: string;
      readonly routes: readonly string[];
      readonly minPriceMicro: number;
      readonly expiresMs: number;
    }
  | { readonly kind: 'expired' | 'failed'; readonly checkoutId: string }
  | { readonly kind: 'refunded'; readonly checkoutId: string; readonly refundedMicro: number }
  | { readonly kind: 'disputed'; readonly checkoutId: string }
  | { readonly kind: 'none' };

export type WebhookEvent = {
  readonly provider: string;
  readonly eventId: string;
  readonly type: string;
  readonly bodySha256: Uint8Array;
  readonly receivedMs: number;
  readonly effect: WebhookEffect;
};

/** Stored as the event's result, except `duplicate`. `mismatch` raises an alert (P5.8). */
export type WebhookResult =
  | 'duplicate'
  | 'credited'
  | 'closed'
  | 'refunded'
  | 'suspended'
  | 'mismatch'
  | 'ignored';

export type CheckoutStore = {
  create(checkout: NewCheckout): Promise<CheckoutCreated>;
  /** `creating` → `open`; false when it is something else. */
  opened(o: { checkoutId: string; providerSessionId: string; atMs: number }): Promise<boolean>;
  /** `open` → `expired`, once its provider reports that it cannot be paid any more; false when it is something else. */
  ended(o: { checkoutId: string; atMs: number }): Promise<boolean>;
  find(
    checkoutId: string,
  ): Promise<{ readonly checkout: CheckoutRow; readonly grant: GrantRow | null } | null>;
  /** Takes an event once, credits at most once per payment, in one transaction (P5.8, P5.9). */
  apply(event: WebhookEvent): Promise<WebhookResult>;
};
