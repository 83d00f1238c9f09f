import { grantChallengeEndpoint } from '../../data/contract/billing/grants.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';

const rail = 'checkout_session';

/** The refusals of card checkout that are always the same (I4.F14–F17). */
const refusals = {
  /** 503 without a configured card provider (I4.F14.2, P5.10). */
  notConfigured: {
    code: 'settlement_unavailable',
    message: 'Card checkout is not configured on this deployment.',
    hint: '',
    details: { rail },
  },
  /** 404 of the webhook without a configured card provider (P5.10). */
  noWebhook: {
    code: 'route_not_found',
    message: 'No route has this path.',
    hint: 'GET /openapi.json lists every route.',
    details: { canonical_path: null, suggestions: [] },
  },
  /** 503: the provider did not say yes; the same key may be sent again (P5.5). */
  providerUnavailable: {
    code: 'settlement_unavailable',
    message: 'The card provider does not open a checkout at the moment.',
    hint: 'Send the same request with the same Idempotency-Key again later.',
    details: { rail },
  },
  /** 503 to the provider, which then sends its notification again. */
  notYet: {
    code: 'settlement_unavailable',
    message: 'This notification cannot be taken yet.',
    hint: 'Send it again later.',
    details: { rail },
  },
  /** 400: F14 is not idempotent without its key (I4.F14.1). */
  keyMissing: {
    code: 'missing_parameter',
    message: 'The header Idempotency-Key is missing.',
    hint: 'Send 8 to 128 letters, digits, dots, underscores or hyphens of your choice.',
    details: { parameter: 'Idempotency-Key' },
  },
  /** 400: one open checkout an account (P5.4). */
  isOpen: {
    code: 'invalid_parameter',
    message: 'This account has an open checkout.',
    hint: 'Finish it, send its pickup_secret as X-Checkout-Secret to end it and open this one, or wait until it has expired.',
    details: { parameter: 'account_id', reason: 'open_checkout' },
  },
  /** 401: the account has a living grant, and the request does not show that its buyer holds it (P5.3, P5.8). */
  needsProof: {
    code: 'grant_identity_required',
    message: 'This account has a grant; only who holds a session of it may add to it.',
    hint: 'Send the session token of that grant as X-Svc-Grant-Token (F16 gives one for the pickup_secret of an earlier checkout), or name another account_id.',
    details: { challenge_endpoint: `${grantChallengeEndpoint}?wallet=<wallet>` },
  },
  /** 401 of F15 and F16: no secret, a wrong one and an unknown checkout are answered alike (I4.F15.1, S26). */
  invalidSecret: {
    code: 'invalid_checkout_secret',
    message: 'X-Checkout-Secret is missing or does not open this checkout.',
    hint: 'Send the pickup_secret of the answer that opened it.',
  },
  /** 400 of F17: unsigned, wrongly signed or old (P5.7). */
  invalidSignature: {
    code: 'invalid_webhook_signature',
    message: 'The signature of this notification is missing, wrong or old.',
    hint: 'It is checked over the raw body.',
  },
  /** 400 of F17: signed, and no event. */
  notAnEvent: {
    code: 'invalid_json_body',
    message: 'The body is not an event of the provider.',
    hint: '',
    details: { pointer: '' },
  },
} as const satisfies Readonly<Record<string, ConstructorParameters<typeof IssuerError>[0]>>;

export function checkoutRefusal(name: keyof typeof refusals): IssuerError {
  return new IssuerError(refusals[name]);
}

/** 400: more than may be left on an account (P5.4). */
export function tooMuchCredit(maxUsd: number): IssuerError {
  return new IssuerError({
    code: 'invalid_parameter',
    message: `With this credit more than ${maxUsd} USD would be left on the account.`,
    hint: 'Buy less, or use what is left first.',
    details: { parameter: 'credit_usd', reason: 'too_much', max: maxUsd },
  });
}
