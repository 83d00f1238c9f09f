import { z } from 'zod';
import {
  billingEnvelope,
  billingRequest,
  responseMetadata,
  settlementReceipt,
} from '../billing/billingEnvelope.ts';
import { date, datetime } from '../values/primitives.ts';
import { printedToken, type TokenValue, tokenAt } from './exactTokens.ts';
import type { FollowUp } from './intelTools.ts';

/** Where the data of a tool result comes from, and how old it is (I4.MCP.15). */
export const toolProvenance = z.object({
  source_date: date.nullable(),
  computed_at_utc: datetime.nullable(),
  artifact_version: z.string().nullable(),
  evidence_hash: z.string().nullable(),
  freshness_window_hours: z.number().nullable(),
  /** Minutes since the data was computed, with one decimal. */
  age_minutes: z.number().nullable(),
  /** Whole hours and whole days of it: a text says the age in the largest unit that it is two of. */
  age_hours: z.number().int().nullable(),
  age_days: z.number().int().nullable(),
});

/** A call that goes on from an answer. */
export const followUp = z.object({
  tool: z.string(),
  args: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});

/** `structuredContent` of a successful call with data of one form (I4.MCP.15). */
export function toolResult<S extends z.ZodType>(data: S) {
  return z.object({
    mcp_summary: z.string().max(140),
    data,
    provenance: toolProvenance,
    suggested_follow_ups: z.array(followUp),
    usage_metadata: billingEnvelope.shape.usage_metadata,
    billing: billingRequest,
    settlement_receipt: settlementReceipt.nullable(),
    response_metadata: responseMetadata.nullable(),
  });
}

export type FollowUpCall = z.infer<typeof followUp>;

/** The call that goes on from an answer; null where the data lacks one of its arguments. */
export function followUpCall({ tool, args }: FollowUp, data: TokenValue): FollowUpCall | null {
  const entries = Object.entries(args).map(([name, path]) => [name, printedToken(tokenAt(data, path))]);
  if (entries.some(([, value]) => value === null)) return null;
  return { tool, args: Object.fromEntries(entries) as FollowUpCall['args'] };
}
