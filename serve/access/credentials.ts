import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { PaymentRail } from '../../data/contract/routes/paymentRail.ts';
import type { Route } from '../../data/contract/routes/route.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import type { HeaderLists, Incoming } from '../exchange.ts';
import { isToolPath } from '../http/parseTarget.ts';

/** A payment that a request shows: the rail it names, and its text as the header of that rail carries it. */
export type Payment =
  | { readonly rail: 'x402'; readonly text: string; readonly v1: boolean }
  | { readonly rail: 'mpp'; readonly text: string };

/** The credential headers of one request, each value once, nothing judged yet (P1.7, P1.8). */
export type Credentials = {
  readonly apiKey: string | null;
  /** PAYMENT-SIGNATURE */
  readonly payment: string | null;
  /** X-PAYMENT of version 1 clients; null unless they are served (P2.49). */
  readonly paymentV1: string | null;
  /** What follows the scheme in `Authorization: Payment`. */
  readonly mpp: string | null;
  /** The payment inside the frame of a tool call; null where there is none (P10.2, P10.16). */
  readonly framed: Payment | null;
  readonly grant: string | null;
  readonly idempotencyKey: string | null;
  readonly provider: string | null;
  /** Headers that carry two different values. */
  readonly conflicts: readonly string[];
};

const apiKeySyntax = /^iik_[A-Z2-7]{10}_[A-Za-z0-9_-]{43}$/;
const paymentSyntax = /^[A-Za-z0-9+/]+={0,2}$/;
const grantSyntax = /^ii1\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
const idempotencySyntax = /^[A-Za-z0-9._-]{8,128}$/;
/** As long as its header may be (I8.5). */
const maxPaymentCharacters = 8192;
const providers = ['gateway_batched', 'x402_exact'] as const;

/** Reads the credential headers from the distinct header lines (P1.7–P1.9). */
export function readCredentials(headers: HeaderLists, v1: boolean): Credentials {
  const conflicts: string[] = [];
  const single = (name: string): string | null => {
    const lines = headers[name];
    if (lines === undefined) return null;
    const first = lines[0] ?? null;
    if (lines.length > 1 && lines.some((line) => line !== first)) conflicts.push(name);
    return first;
  };
  const xKey = single('x-api-key');
  const mcpKey = single('mcp-api-key');
  if (xKey !== null && mcpKey !== null && xKey !== mcpKey) conflicts.push('x-api-key', 'mcp-api-key');
  const authorization = single('authorization');
  if (authorization !== null && /,\s*(payment|bearer)\s/i.test(authorization))
    conflicts.push('authorization');
  const borne = authorization === null ? null : schemeValue(authorization, /^bearer(?: +|$)/i);
  // a host with one field for a secret sends the key so (I5.5)
  const bornKey = borne?.startsWith('iik_') === true ? borne : null;
  const bearer = bornKey === null ? borne : null;
  const apiKey = xKey ?? mcpKey ?? bornKey;
  if (bornKey !== null && bornKey !== apiKey)
    conflicts.push('authorization', xKey === null ? 'mcp-api-key' : 'x-api-key');
  const header = single('x-svc-grant-token');
  if (bearer !== null && header !== null && bearer !== header)
    conflicts.push('authorization', 'x-svc-grant-token');
  const payment = single('payment-signature');
  const paymentV1 = v1 ? single('x-payment') : null;
  if (payment !== null && paymentV1 !== null) conflicts.push('payment-signature', 'x-payment');
  return {
    apiKey,
    payment,
    paymentV1,
    mpp: authorization === null ? null : schemeValue(authorization, /^payment(?: +|$)/i),
    framed: null,
    grant: header ?? bearer,
    idempotencyKey: single('idempotency-key'),
    provider: single('x-payment-provider'),
    conflicts,
  };
}

/**
 * The payment of a request: that of its frame, or that of the header its family is paid by; null where none is shown
 * (I5.12, I5.12a).
 */
export function paymentOf(
  { framed, payment, paymentV1, mpp }: Credentials,
  { family }: Pick<Route, 'family'>,
): Payment | null {
  if (framed !== null) return framed;
  if (family === 'mpp') return mpp === null ? null : { rail: 'mpp', text: mpp };
  const text = payment ?? paymentV1;
  return text === null ? null : { rail: 'x402', text, v1: payment === null };
}

/** The payment object of a frame as the header of its rail would carry it (P10.2, P10.16). @throws IssuerError `invalid_payment` */
export function framedPayment(rail: PaymentRail, payment: unknown): Payment {
  if (rail === 'mpp') return { rail, text: jsonText(credentialOf(payment), 'base64url') };
  const text = jsonText(payment, 'base64');
  if (text.length <= maxPaymentCharacters) return { rail, text, v1: false };
  throw invalidPayment('too_long', 'Send a payment of at most 6 KiB.');
}

function jsonText(value: unknown, encoding: 'base64' | 'base64url'): string {
  return Buffer.from(JSON.stringify(value)).toString(encoding);
}

// in a frame the request of the challenge is an object; the id was made over its RFC 8785 bytes (P4.2)
function credentialOf(value: unknown): unknown {
  if (!isObject(value) || !isObject(value['challenge'])) return value;
  const { challenge } = value;
  const { request } = challenge;
  if (!isObject(request)) return value;
  try {
    const text = Buffer.from(canonicalJson(request as CanonicalValue)).toString('base64url');
    return { ...value, challenge: { ...challenge, request: text } };
  } catch {
    // what has no canonical form was never asked for: the decoder says so (P4.9)
    return value;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a payment header has the form of one (P1.9). */
export function wellFormedPayment(payment: string): boolean {
  return payment.length % 4 === 0 && paymentSyntax.test(payment);
}

/**
 * Whether a request shows a payment where one can pay: only then is it counted with those who do (I8.3). HEAD and OPTIONS
 * ignore payments (I4.5), free routes cost nothing, and what has not the form of a payment is none. A path that is
 * spelled with escapes is no path of a paying client.
 */
export function paymentShown({
  method,
  path,
  free,
  credentials,
}: {
  method: string;
  path: string;
  /** Paths of free routes. */
  free: ReadonlySet<string>;
  credentials: Credentials;
}): boolean {
  if ((method !== 'GET' && method !== 'POST') || free.has(path) || path.includes('%')) return false;
  if (path.startsWith('/mpp/v1/')) return credentials.mpp !== null && credentials.mpp !== '';
  if (!path.startsWith('/v1/') && !isToolPath(path)) return false;
  const payment = credentials.payment ?? credentials.paymentV1;
  return payment !== null && wellFormedPayment(payment);
}

/** Whether a grant token has the form of one (P1.9). */
export function isWellFormedToken(grant: string): boolean {
  return grant.length <= 1024 && grantSyntax.test(grant);
}

/**
 * Judges the syntax of the credentials of a paid route (P1.2 stage 4, P1.9, P1.11). HEAD ignores payments (I4.5). A
 * payment inside a frame names its rail, which is the wrong one where it is off (I5.12a).
 *
 * A garbled MPP credential is a 402 with a fresh challenge, so the gate judges it when the price is known (I5.22).
 *
 * @throws IssuerError `conflicting_credentials`, `wrong_payment_rail`, `invalid_api_key`, `invalid_payment`,
 * `invalid_grant_token` or `invalid_parameter`.
 */
export function checkCredentialSyntax({
  credentials,
  request: { method, secureTransport },
  route,
  canonicalPath,
  mppOn,
}: {
  credentials: Credentials;
  request: Pick<Incoming, 'method' | 'secureTransport'>;
  route: Route;
  canonicalPath: string | null;
  /** Payments of MPP are taken on this deployment. */
  mppOn: boolean;
}): void {
  const head = method === 'HEAD';
  if (credentials.conflicts.length > 0) throw conflictingCredentials([...new Set(credentials.conflicts)]);
  const mppFamily = route.family === 'mpp';
  const wrongHeader = mppFamily ? (credentials.payment ?? credentials.paymentV1) : credentials.mpp;
  const wrongInFrame = credentials.framed?.rail === 'mpp' && !mppOn;
  if ((wrongHeader !== null || wrongInFrame) && !head) {
    throw new IssuerError({
      code: 'wrong_payment_rail',
      message: `${route.path} is paid on the ${mppFamily ? 'MPP' : 'x402'} rail.`,
      hint:
        canonicalPath === null
          ? 'This route has no twin on the other rail.'
          : `Pay ${canonicalPath} instead.`,
      details: { canonical_path: canonicalPath, expected_rail: mppFamily ? 'mpp' : 'x402' },
    });
  }
  if (credentials.provider !== null && !isProvider(credentials.provider)) {
    throw new IssuerError({
      code: 'invalid_parameter',
      message: 'X-Payment-Provider names no provider.',
      hint: `Use ${providers.join(' or ')}.`,
      details: { parameter: 'X-Payment-Provider', reason: 'not_allowed', allowed: providers },
    });
  }
  if (credentials.idempotencyKey !== null && !isIdempotencyKey(credentials.idempotencyKey))
    throw idempotencyKeyInvalid();
  // the strongest credential decides; a weaker one beside it is not read (I5.3, I5.4)
  if (credentials.apiKey !== null) {
    if (!apiKeySyntax.test(credentials.apiKey)) throw invalidApiKey();
    return;
  }
  const payment = head ? null : paymentOf(credentials, route);
  if (payment !== null) {
    if (!secureTransport) throw invalidPayment('insecure_transport', 'Send payments over TLS only.');
    if (payment.rail === 'x402' && !wellFormedPayment(payment.text)) {
      throw invalidPayment('not_base64', 'Send padded standard base64.');
    }
    return;
  }
  if (credentials.grant !== null && !mppFamily && !isWellFormedToken(credentials.grant))
    throw invalidGrantToken();
}

/** The syntax of `Idempotency-Key` (I5.30). */
export function isIdempotencyKey(text: string): boolean {
  return idempotencySyntax.test(text);
}

/** 400: headers that carry two different values (P1.8). */
export function conflictingCredentials(headers: readonly string[]): IssuerError {
  return new IssuerError({
    code: 'conflicting_credentials',
    message: `${headers.join(' and ')} carry different credentials.`,
    hint: 'Send each credential once.',
    details: { headers },
  });
}

/** 400: a key that is no key. */
export function idempotencyKeyInvalid(): IssuerError {
  return new IssuerError({
    code: 'invalid_parameter',
    message: 'Idempotency-Key is not valid.',
    hint: 'It has 8 to 128 letters, digits, dots, underscores or hyphens.',
    details: { parameter: 'Idempotency-Key', reason: 'pattern' },
  });
}

/** 409: the key stands for another request (I5.30). */
export function idempotencyKeyReused(): IssuerError {
  return new IssuerError({
    code: 'idempotency_key_reused',
    message: 'This Idempotency-Key was used for another request.',
    hint: 'Repeat the first request, or choose a new key.',
    details: { receipt_id: null },
  });
}

export function isProvider(name: string): name is (typeof providers)[number] {
  return (providers as readonly string[]).includes(name);
}

/** The one refusal of every bad key, for any fault of it (P6.4, S15). */
export function invalidApiKey(): IssuerError {
  return new IssuerError({
    code: 'invalid_api_key',
    message: 'The API key is not valid.',
    hint: 'Check the key, or leave it out and pay for the call.',
  });
}

export function invalidGrantToken(): IssuerError {
  return new IssuerError({
    code: 'invalid_grant_token',
    message: 'The grant token is not valid.',
    hint: 'Open a new grant session, or leave the token out and pay for the call.',
  });
}

/** The refusal of a payment header that cannot be read, or must not be (I5.14 check 1, I9.33). */
export function invalidPayment(reason: string, hint: string): IssuerError {
  return new IssuerError({
    code: 'invalid_payment',
    message: 'The payment header cannot be taken.',
    hint,
    details: { reason },
  });
}

function schemeValue(authorization: string, scheme: RegExp): string | null {
  const found = scheme.exec(authorization);
  return found === null ? null : authorization.slice(found[0].length);
}
