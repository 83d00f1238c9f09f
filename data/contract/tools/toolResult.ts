import { z } from 'zod';
import { billingRequest, chargeStatuses } from '../billing/billingEnvelope.ts';
import { date, datetime, sha256, usd } from '../values/primitives.ts';
import { printedToken, type TokenValue, tokenAt } from './exactTokens.ts';
import type { FollowUp } from './intelTools.ts';

/** Where the data of a tool result comes from, and how old it is (I4.MCP.15). */
export const toolProvenance = z.object({
  source_date: date.nullable(),
  computed_at_utc: datetime.nullable(),
  artifact_version: z.string().nullable(),
  evidence_hash: z.string().nullable(),
  freshness_window_hours: z.number().nullable(),
  /** Key of the artifact in the signed manifest, and SHA-256 of the stored members of `data` as one object (I9.14). */
  artifact_key: z.string().nullable(),
  payload_sha256: sha256.nullable(),
  /** Minutes since the data was computed, with one decimal. */
  age_minutes: z.number().nullable(),
  /** Whole hours and whole days of it: a text says the age in the largest unit that it is two of. */
  age_hours: z.number().int().nullable(),
  age_days: z.number().int().nullable(),
});

export type ToolProvenance = z.infer<typeof toolProvenance>;

/** A call that goes on from an answer. */
export const followUp = z.object({
  tool: z.string(),
  args: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});

/**
 * What a call cost: the mode, which decides what is the same in all of its calls, and what tells this call from others.
 * A member that says nothing of the call is absent (I4.MCP.34).
 */
export const toolBilling = z.object({
  billing_mode: billingRequest.shape.billing_mode,
  billing_status: billingRequest.shape.billing_status,
  cost_usd: billingRequest.shape.cost_usd,
  request_id: z.string(),
  quoted_cost_usd: usd.optional(),
  charge_status: z.enum(chargeStatuses).optional(),
  receipt_id: z.string().optional(),
  reconciliation_key: z.string().optional(),
  settlement_tx_hash: z.string().optional(),
  replayed: z.literal(true).optional(),
  grant_id: z.string().optional(),
  grant_debit_usd: usd.optional(),
  grant_remaining_usd: usd.optional(),
  grant_expires_at: datetime.optional(),
});

/** `structuredContent` of a successful call with data of one form (I4.MCP.15). */
export function toolResult<S extends z.ZodType>(data: S) {
  return z.object({
    mcp_summary: z.string().max(140),
    data,
    provenance: toolProvenance,
    suggested_follow_ups: z.array(followUp),
    billing: toolBilling,
  });
}

export type FollowUpCall = z.infer<typeof followUp>;

/** The call that goes on from an answer; null where the data lacks one of its arguments. */
export function followUpCall({ tool, args }: FollowUp, data: TokenValue): FollowUpCall | null {
  const entries = Object.entries(args).map(([name, path]) => [name, printedToken(tokenAt(data, path))]);
  if (entries.some(([, value]) => value === null)) return null;
  return { tool, args: Object.fromEntries(entries) as FollowUpCall['args'] };
}
