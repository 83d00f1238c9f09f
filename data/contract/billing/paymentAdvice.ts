// What every payer must know, in the words of every document (P2.47, P2.51, I9.5).

/** How prices move (I9.5). */
export const priceNotice =
  'A new price is announced in price_change of /v1/pricing at least 30 days ahead; a payment signed for the former price is accepted for 600 seconds after the new one takes effect.';

/** What stops a client before anything is sent (P2.51). */
export const spendLimit =
  'The official x402 JavaScript client signs at most 1 USD a payment, and only assets it knows, until its buyer raises the limit; that of the batching gateway must be told its asset, too.';
