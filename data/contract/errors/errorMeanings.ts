import type { ProblemCode } from './errorCodes.ts';

type Meaning = { readonly meaning: string; readonly remedy: string };

const payAgain = 'Take the challenge of this answer, sign it anew and repeat the request.';
const newSession = 'Open a new grant session.';

/** What each code means and what a caller does about it; `/help#<code>` points here (I7.3, I7.5). */
export const errorMeanings: Readonly<Record<ProblemCode, Meaning>> = {
  invalid_parameter: {
    meaning: 'A parameter has the wrong type, is out of bounds, empty or repeated.',
    remedy: 'Correct the parameter the answer names.',
  },
  unknown_parameter: {
    meaning: 'The route has no parameter of this name.',
    remedy: 'Use one of allowed_parameters.',
  },
  missing_parameter: { meaning: 'A required parameter is absent.', remedy: 'Add the parameter it names.' },
  invalid_ticker: {
    meaning: 'The label cannot be a ticker or CIK.',
    remedy: 'Use 1 to 10 letters, digits, dots or hyphens.',
  },
  ambiguous_ticker: { meaning: 'The label fits several issuers.', remedy: 'Use the CIK of one candidate.' },
  invalid_product: {
    meaning: 'The label cannot be a product.',
    remedy: 'Use 1 to 32 letters, digits, dots or hyphens.',
  },
  ticker_required: { meaning: 'The route needs an issuer.', remedy: 'Add a ticker as in the example.' },
  product_required: { meaning: 'The route needs a product.', remedy: 'Add a product as in the example.' },
  identifier_conflict: {
    meaning: 'ticker and cik name different issuers.',
    remedy: 'Send one of them.',
  },
  invalid_date: { meaning: 'The date is no day written YYYY-MM-DD.', remedy: 'Send a real day.' },
  invalid_date_range: {
    meaning: 'The range is reversed, too long, or sent beside one exact date.',
    remedy: 'Shorten or turn the range.',
  },
  unsupported_style: { meaning: 'No brief has this style.', remedy: 'Use one of allowed.' },
  offset_out_of_range: {
    meaning: 'The offset lies behind the last row.',
    remedy: 'Use an offset below total.',
  },
  invalid_path_scope: {
    meaning: 'A ticker was appended to a route about the whole universe.',
    remedy: 'Call canonical_path.',
  },
  invalid_json_body: {
    meaning: 'The body is not one JSON object without repeated members.',
    remedy: 'Correct the body at the pointer.',
  },
  invalid_payment: {
    meaning: 'The payment header cannot be read.',
    remedy: 'Send base64 of the x402 payment document.',
  },
  invalid_webhook_signature: {
    meaning: 'The notification is not signed by the card provider.',
    remedy: 'Check the webhook secret.',
  },
  wrong_payment_rail: {
    meaning: 'The payment belongs to the other payment family.',
    remedy: 'Call canonical_path, or pay in this family.',
  },
  method_unsupported: { meaning: 'The payment method is not offered.', remedy: 'Use one of offered.' },
  conflicting_credentials: {
    meaning: 'The request carries credentials that exclude each other.',
    remedy: 'Send one of the headers it names.',
  },
  invalid_api_key: {
    meaning: 'The API key is unknown, expired or revoked.',
    remedy: 'Ask the operator for a key.',
  },
  api_key_required: { meaning: 'The call needs an API key.', remedy: 'Send x-api-key.' },
  invalid_grant_token: { meaning: 'The session token is not valid.', remedy: newSession },
  grant_token_expired: { meaning: 'The session token has expired.', remedy: newSession },
  grant_identity_required: {
    meaning: 'The route shows or raises a grant, and the request carries no session token of it.',
    remedy: newSession,
  },
  unknown_challenge: {
    meaning: 'The nonce was not issued for this wallet, or was used.',
    remedy: 'Get a new message and sign it.',
  },
  challenge_expired: {
    meaning: 'The message is older than ten minutes.',
    remedy: 'Get a new message and sign it.',
  },
  invalid_signature: {
    meaning: 'The signature is not by this wallet over this message.',
    remedy: 'Sign the exact bytes of the message.',
  },
  invalid_checkout_secret: {
    meaning: 'The checkout secret is missing or wrong.',
    remedy: 'Send the pickup_secret of the checkout.',
  },
  payment_required: {
    meaning: 'The route costs something and the request brings no access.',
    remedy: 'Pay with one of accepts and repeat the request, or send x-api-key.',
  },
  payment_mismatch: {
    meaning: 'The payment fits none of the offers.',
    remedy: payAgain,
  },
  price_changed: { meaning: 'The price is no longer the one paid for.', remedy: payAgain },
  payment_expired: { meaning: 'The authorization is no longer valid.', remedy: payAgain },
  payment_not_yet_valid: {
    meaning: 'The authorization is not valid yet.',
    remedy: 'Check the clock of the payer.',
  },
  payment_verification_failed: {
    meaning: 'Signature, balance or state of the authorization did not hold.',
    remedy: 'Read error_reason; then pay anew.',
  },
  payment_settlement_failed: {
    meaning: 'The payment was refused when it was settled; nothing was charged.',
    remedy: 'Read error_reason; then pay anew.',
  },
  payer_not_batchable: {
    meaning: 'Batched payments of this payer are not accepted.',
    remedy: 'Pay with the exact scheme.',
  },
  payment_insufficient: { meaning: 'The payment is lower than the price.', remedy: payAgain },
  malformed_credential: { meaning: 'The payment credential cannot be read.', remedy: payAgain },
  invalid_challenge: { meaning: 'The challenge was not issued here or has expired.', remedy: payAgain },
  grant_insufficient_budget: {
    meaning: 'The grant has less budget left than the price.',
    remedy: 'Have the grant topped up, or pay this call; a new session changes nothing.',
  },
  grant_route_not_covered: {
    meaning: 'The grant does not cover this route.',
    remedy: 'Pay this call.',
  },
  grant_not_active: {
    meaning: 'The grant is exhausted, expired, suspended or revoked.',
    remedy: 'Pay this call, or renew the grant.',
  },
  api_key_scope: { meaning: 'The key lacks the scope of this call.', remedy: 'Ask for required_scope.' },
  wallet_not_enrolled: { meaning: 'No grant belongs to this wallet.', remedy: 'Enrol the wallet.' },
  origin_not_allowed: {
    meaning: 'Host or Origin is not allowed here.',
    remedy: 'Call the public address of the service.',
  },
  route_not_found: { meaning: 'No route has this path.', remedy: 'See suggestions.' },
  not_found: {
    meaning: 'The route exists, the answer does not; reason_code says why.',
    remedy: 'See nearest_source_dates and suggestions, or ask again after retry_after_days.',
  },
  method_not_allowed: { meaning: 'The path takes another method.', remedy: 'Use one of allowed_methods.' },
  not_acceptable: {
    meaning: 'The answer is JSON and the request refuses it.',
    remedy: 'Accept application/json.',
  },
  payment_nonce_reused: {
    meaning: 'The authorization has paid another request, or failed before.',
    remedy: 'Sign a new authorization.',
  },
  payment_in_progress: {
    meaning: 'A request with the same payment is being answered.',
    remedy: 'Repeat the identical request with the identical payment; do not sign again.',
  },
  payment_identifier_conflict: {
    meaning: 'The payment identifier belongs to another request.',
    remedy: 'Use a new identifier.',
  },
  idempotency_key_reused: {
    meaning: 'The idempotency key belongs to another body.',
    remedy: 'Use a new key.',
  },
  challenge_already_used: {
    meaning: 'The challenge of a grant session was tried once already, whether or not it opened one.',
    remedy: 'Ask for a new challenge (GET /v1/grant/challenge), sign it and open the session.',
  },
  payload_too_large: { meaning: 'The body is longer than max_bytes.', remedy: 'Send less.' },
  uri_too_long: { meaning: 'The URL is longer than max_bytes.', remedy: 'Shorten the query.' },
  unsupported_media_type: { meaning: 'The body is not JSON.', remedy: 'Send application/json.' },
  expectation_failed: {
    meaning: 'An expectation other than 100-continue cannot be met.',
    remedy: 'Leave Expect out, or send 100-continue.',
  },
  rate_limited: {
    meaning: 'More calls than the limit allows.',
    remedy: 'Wait for Retry-After.',
  },
  header_fields_too_large: { meaning: 'The headers are longer than max_bytes.', remedy: 'Send less.' },
  internal_error: { meaning: 'A defect of the service.', remedy: 'Report the request_id.' },
  not_implemented: {
    meaning: 'This build does not serve the route yet.',
    remedy: 'See paid_data_routes and public_support_routes.',
  },
  not_ready: { meaning: 'No slice is promoted yet.', remedy: 'Wait for Retry-After.' },
  artifact_unavailable: {
    meaning: 'The stored answer cannot be read or does not have its hash.',
    remedy: 'Wait for Retry-After; report artifact_key when it lasts.',
  },
  settlement_unavailable: {
    meaning: 'Payments cannot be settled now.',
    remedy: 'Wait for Retry-After; nothing was charged.',
  },
  settlement_pending: {
    meaning: 'The payment was sent on and its outcome is not known yet.',
    remedy: 'Repeat the identical request with the identical payment header; do not sign again.',
  },
  overloaded: { meaning: 'The service sheds load.', remedy: 'Wait for Retry-After.' },
};
