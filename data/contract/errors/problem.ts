import { z } from 'zod';
import { unrankedReasons } from '../values/enums.ts';
import { date, int, usd } from '../values/primitives.ts';
import { type ProblemCode, problemCodes } from './errorCodes.ts';
import reasons from './notFoundReasons.json' with { type: 'json' };

const codes = Object.keys(problemCodes) as [ProblemCode, ...ProblemCode[]];

/** RFC 9457 problem as every error of the service is sent (I7.2); extension members vary by code. */
export const problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int().min(400).max(599),
  detail: z.string(),
  instance: z.string(),
  code: z.enum(codes),
  request_id: z.string(),
  billing_status: z.literal('not_charged'),
  cost_usd: z.literal(0),
  payment_status: z.literal('not_applicable'),
  retryable: z.boolean(),
});

/** Reason codes of a miss with the coverage state and retry advice each implies (I7.6). */
export const notFoundReasons = reasons;

export type NotFoundReason = keyof typeof notFoundReasons;

/** The extension members of a `not_found` problem (I7.6). */
export const notFoundContract = z.looseObject({
  not_found_contract_version: z.literal('not-found-v1'),
  reason: z.string(),
  reason_code: z.enum(Object.keys(notFoundReasons) as [NotFoundReason, ...NotFoundReason[]]),
  coverage_state: z.string(),
  retry_after_days: int.nullable(),
  route_uri: z.string(),
  ticker: z.string().nullable(),
  product: z.string().nullable(),
  request_key: z.string().nullable(),
  nearest_source_dates: z.object({ before: date.nullable(), after: date.nullable() }).nullable(),
  suggestions: z.array(z.string()).max(5),
  /** With `issuer_not_ranked` only. */
  unranked_reason: z.enum(unrankedReasons).optional(),
  /** With `raw_evidence_missing` only (I2.45). */
  fallback_reason: z.literal('raw_evidence_missing').optional(),
  /** With `not_published` only: what the slice lacks of an answer's sources. */
  missing_sources: z.array(z.string()).optional(),
});

/** Members by which a 402 repeats its challenge in the body (I7.7). */
export const challengeMembers = z.looseObject({
  x402Version: z.literal(2),
  error: z.string(),
  resource: z.object({ url: z.string(), description: z.string(), mimeType: z.string() }),
  accepts: z
    .array(
      z.looseObject({
        scheme: z.literal('exact'),
        network: z.string(),
        asset: z.string(),
        amount: z.string().regex(/^(0|[1-9][0-9]*)$/),
        payTo: z.string(),
        maxTimeoutSeconds: int,
        extra: z.looseObject({ name: z.string(), version: z.string() }),
      }),
    )
    .min(1)
    .max(2),
  extensions: z.record(z.string(), z.unknown()),
  quoted_cost_usd: usd,
  quoted_micro_usd: int,
  /** Only where the price is a sum (R29, R30). */
  price_components: z.array(z.object({ component: z.string(), usd })).optional(),
});

/** Names of the payment problems of the MPP family (I5.22); a spent challenge is an invalid one there. */
const names: { readonly [C in ProblemCode]?: string } = {
  payment_required: 'payment-required',
  malformed_credential: 'malformed-credential',
  invalid_challenge: 'invalid-challenge',
  payment_nonce_reused: 'invalid-challenge',
  payment_verification_failed: 'verification-failed',
  payment_expired: 'payment-expired',
  payment_insufficient: 'payment-insufficient',
  method_unsupported: 'method-unsupported',
};

/** `type` of a payment problem on `/mpp/v1/*` (I7.3); null where the problem has a help page of ours. */
export function mppProblemType(code: string): string | null {
  const name = names[code as ProblemCode];
  return name === undefined ? null : `https://paymentauth.org/problems/${name}`;
}
