import type { GrantRow } from './grant.ts';

// card checkout, the last resort (PAYMENTS 5)

/** A provider session ends after 30 minutes (P5.6); an older open checkout no longer blocks its account. */
export const openCheckoutMs = 3_600_000;

export type CheckoutState = 'creating' | 'open' | 'paid' | 'expired' | 'failed' | 'refunded';

export type CheckoutRow = {
  /** `chk_` + ULID */
  readonly checkoutId: string;
  readonly provider: string;
  readonly providerSessionId: string | null;
  readonly idempotencyKey: string;
  readonly accountId: string;
  readonly wallet: string | null;
  readonly creditMicro: number;
  /** what the card is charged, in the currency's minor unit */
  readonly chargeMinor: number;
  readonly currency: string;
  readonly state: CheckoutState;
  /** the grant it credited; before that the one its buyer proved to hold, which alone it may raise (P5.3) */
  readonly grantId: string | null;
  /** SHA-256 of the pickup secret (P5.3) */
  readonly pickupHash: Uint8Array;
  readonly createdMs: number;
  readonly updatedMs: number;
};

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
