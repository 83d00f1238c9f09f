import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { GrantSecret } from '../config/grantsConfig.ts';

/**
 * The secret that picks a paid budget up: 32 unguessable bytes (P5.3). It is derived and not random, so that the
 * repeat of a creation gives the same answer although only its SHA-256 is stored (I4.F14.1).
 */
export function pickupSecret(
  secret: Buffer,
  { checkoutId, idempotencyKey }: { checkoutId: string; idempotencyKey: string },
): string {
  return createHmac('sha256', secret)
    .update(`checkout pickup\n${checkoutId}\n${idempotencyKey}`)
    .digest('base64url');
}

/** What is stored of it. */
export function pickupHash(secret: string): Uint8Array {
  return new Uint8Array(hash('sha256', secret, 'buffer'));
}

/** Compares a presented secret with a stored hash in constant time. */
export function opensCheckout(presented: string, stored: Uint8Array): boolean {
  return timingSafeEqual(pickupHash(presented), stored);
}

/** The secret of an earlier creation, found again after a rotation of its source; null when no secret gives it. */
export function pickupSecretAgain(
  secrets: readonly GrantSecret[],
  input: { checkoutId: string; idempotencyKey: string; stored: Uint8Array },
): string | null {
  for (const { secret } of secrets) {
    const again = pickupSecret(secret, input);
    if (opensCheckout(again, input.stored)) return again;
  }
  return null;
}
