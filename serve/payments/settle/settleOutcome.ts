import { z } from 'zod';
import type { CallResult } from '../../outbound/postJson.ts';

/** What became of money: one of three, nothing else (P0.4). */
export type SettleOutcome =
  | { readonly kind: 'settled'; readonly transaction: string }
  | {
      readonly kind: 'refused';
      readonly reason: string;
      /** The provider is at fault, not the payment: the client gets 503 (P2.39, P2.40). */
      readonly unavailable: boolean;
    }
  | {
      readonly kind: 'unknown';
      readonly reason: string;
      /** A transaction the provider named. */
      readonly transaction: string | null;
    };

/** What a settled answer must say to count (P2.40). */
export type Expected = {
  readonly network: string;
  /** lower case */
  readonly payer: string;
  readonly amount: string;
  /** Syntax of the rail's transaction reference. */
  readonly transaction: RegExp;
};

const settleAnswer = z.looseObject({
  success: z.boolean(),
  transaction: z.string().nullish(),
  network: z.string().nullish(),
  payer: z.string().nullish(),
  amount: z.union([z.string(), z.number()]).nullish(),
  errorReason: z.string().nullish(),
  errorMessage: z.string().nullish(),
});

type SettleAnswer = z.infer<typeof settleAnswer>;

/** Reasons after which the money may have moved (P2.40). */
const openReasons = new Set(['unexpected_settle_error', 'invalid_transaction_state', 'transaction_failed']);
const openWords = /timeout|pending|internal|unknown/i;
const nonceUsed = /nonce[_ ]?(is[_ ])?(already[_ ])?used|authorization[_ ]is[_ ]used|already_settled/i;
const rejected = new Set([400, 404, 422]);
const unauthorized = new Set([401, 403]);
const maxReason = 64;

/** Reads the answer to a settle call by the table of P2.40. */
export function settleOutcome(result: CallResult, expected: Expected): SettleOutcome {
  switch (result.kind) {
    case 'unreachable':
      return { kind: 'refused', reason: 'provider_unreachable', unavailable: true };
    case 'broken':
      return unknown(`call_${cleanReason(result.reason)}`);
    case 'answer':
      return answerOutcome(result, expected);
  }
}

/** True when the provider says that the nonce was used: by whom, the chain decides (P2.40, P8.52). */
export function saysNonceUsed(outcome: SettleOutcome): boolean {
  return outcome.kind === 'unknown' && nonceUsed.test(outcome.reason);
}

/** A provider's machine reason as we repeat it: short, printable, no markup (S17). */
export function cleanReason(reason: string): string {
  const clean = reason.replaceAll(/[^A-Za-z0-9_.: -]/g, '').slice(0, maxReason);
  return clean === '' ? 'unspecified' : clean;
}

function answerOutcome(result: { status: number; json: unknown }, expected: Expected): SettleOutcome {
  const { status } = result;
  const parsed = settleAnswer.safeParse(result.json);
  if (unauthorized.has(status)) return { kind: 'refused', reason: 'provider_auth', unavailable: true };
  if (rejected.has(status)) {
    // a refusal with a reason is the provider's answer under any status
    const named = parsed.success && !parsed.data.success ? refusalOutcome(parsed.data) : null;
    return named ?? { kind: 'refused', reason: 'provider_rejected_request', unavailable: false };
  }
  if (status !== 200) return unknown(`http_${status}`);
  if (!parsed.success) return unknown('unparsable_answer');
  return parsed.data.success ? successOutcome(parsed.data, expected) : refusalOutcome(parsed.data);
}

function successOutcome(answer: SettleAnswer, expected: Expected): SettleOutcome {
  const transaction = answer.transaction ?? '';
  const consistent =
    expected.transaction.test(transaction) &&
    answer.network === expected.network &&
    (answer.payer ?? expected.payer).toLowerCase() === expected.payer &&
    String(answer.amount ?? expected.amount) === expected.amount;
  return consistent
    ? { kind: 'settled', transaction: transaction.toLowerCase() }
    : unknown('provider_inconsistent', transaction);
}

function refusalOutcome(answer: SettleAnswer): SettleOutcome {
  const reason = cleanReason(answer.errorReason ?? answer.errorMessage ?? '');
  const transaction = answer.transaction ?? '';
  if (transaction !== '' || openReasons.has(reason) || openWords.test(reason) || nonceUsed.test(reason)) {
    return unknown(reason, transaction);
  }
  return { kind: 'refused', reason, unavailable: false };
}

function unknown(reason: string, transaction = ''): SettleOutcome {
  const named = /^0x[0-9a-fA-F]{64}$/.test(transaction) ? transaction.toLowerCase() : null;
  return { kind: 'unknown', reason, transaction: named };
}

/** True when the provider did not answer at all, which the breaker counts (P2.44). */
export function isTransportFailure(outcome: SettleOutcome): boolean {
  if (outcome.kind === 'settled') return false;
  return /^(provider_unreachable|call_|http_)/.test(outcome.reason);
}
