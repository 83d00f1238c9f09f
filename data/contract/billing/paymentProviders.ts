import type { Deployment } from '../emit/deployment.ts';

/** The three payment modes in order of preference (I4.F01.4). */
export function paymentProviderPriority(deployment: Deployment) {
  const railOn = deployment.x402.payTo !== null;
  return [
    {
      priority: 1,
      payment_mode: 'gateway_batched',
      role: 'preferred_optimized',
      challenge_position: 'second_when_settlement_enabled',
      selection_mode: 'capability_or_explicit_provider_selection',
      enabled: railOn && deployment.x402.gateway !== null,
    },
    {
      priority: 2,
      payment_mode: 'x402_exact',
      role: 'compatibility_default',
      challenge_position: 'first',
      selection_mode: 'safe_default_for_first_entry_clients',
      enabled: railOn,
    },
    {
      priority: 3,
      payment_mode: 'checkout_session',
      role: 'last_resort',
      challenge_position: 'not_in_x402_challenge',
      automatic_failover: false,
      requires_user_action: true,
      integration_status: 'separate_checkout_integration_required',
      enabled: deployment.checkoutEnabled,
    },
  ] as const;
}

// What every payer must know, in the words of every document (P2.47, P2.51, I9.5).

/** How prices move (I9.5). */
export const priceNotice =
  'A new price is announced in price_change of /v1/pricing at least 30 days ahead; a payment signed for the former price is accepted for 600 seconds after the new one takes effect.';

/** What stops a client before anything is sent (P2.51). */
export const spendLimit =
  'The official x402 JavaScript client signs at most 1 USD a payment, and only assets it knows, until its buyer raises the limit; that of the batching gateway must be told its asset, too.';
