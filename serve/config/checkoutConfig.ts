import type { Variables } from './configVariables.ts';

/** How this deployment sells budgets by card (PAYMENTS 5); secrets are never printed (S16). */
export type CheckoutConfig = NonNullable<ReturnType<typeof checkoutConfig>>;

/** Variables that are set all or none (P5.10). */
export const checkoutVariables = [
  'II_PAY_CHECKOUT_PROVIDER',
  'II_PAY_CHECKOUT_SECRET_KEY',
  'II_PAY_CHECKOUT_WEBHOOK_SECRET',
  'II_PAY_CHECKOUT_API_BASE',
  'II_PAY_CHECKOUT_SUCCESS_URL',
  'II_PAY_CHECKOUT_CANCEL_URL',
  'II_PAY_CHECKOUT_LIVE',
] as const;

/** The checkout settings of validated variables; null: off. */
export function checkoutConfig(v: Variables) {
  const provider = v.II_PAY_CHECKOUT_PROVIDER;
  if (provider === undefined) return null;
  return {
    provider,
    apiBase: v.II_PAY_CHECKOUT_API_BASE ?? '',
    secretKey: v.II_PAY_CHECKOUT_SECRET_KEY ?? '',
    webhookSecret: v.II_PAY_CHECKOUT_WEBHOOK_SECRET ?? '',
    successUrl: v.II_PAY_CHECKOUT_SUCCESS_URL ?? '',
    cancelUrl: v.II_PAY_CHECKOUT_CANCEL_URL ?? '',
    live: v.II_PAY_CHECKOUT_LIVE === 'true',
  } as const;
}

/** True when a secret key is one of the configured mode: `sk_live_…` or `sk_test_…`, restricted keys alike (P5.10). */
export function keyFitsMode(secretKey: string, live: boolean): boolean {
  return (live ? /^[rs]k_live_/ : /^[rs]k_test_/).test(secretKey);
}
