import { z } from 'zod';
import { evidenceRef } from './dailyChanges.ts';
import * as e from './enums.ts';
import { count, date } from './primitives.ts';

/** One evidence line (I2.32, I2.33, M6.5); `index` counts over the whole list. */
export const evidenceTag = z.object({
  index: count,
  tag: z.string(),
  concept: z.string().nullable().optional(),
  tag_family: z.enum(e.tagFamilies).nullable().optional(),
});

/** DailyChangeEvidenceResponse (I2.31); `issuer`, `page` and `tags` come with `ok`, `message` with `not_found`. */
export const dailyChangeEvidence = z.object({
  request_key: z.literal('daily_change_evidence'),
  status: z.enum(['ok', 'not_found']),
  payload_mode: z.literal('evidence_drilldown'),
  evidence_type: z.literal('companyfacts_tags'),
  cik: z.string().nullable().optional(),
  ticker: z.string().nullable().optional(),
  source_date: date.nullable().optional(),
  message: z.string().optional(),
  issuer: z
    .object({
      cik: z.string().nullable(),
      entity_name: z.string().nullable(),
      ticker: z.string().nullable(),
      evidence_available: z.boolean(),
      raw_tag_count: count,
      source_date: date.nullable(),
    })
    .optional(),
  page: z
    .object({
      limit: count,
      offset: count,
      count,
      total: count,
      has_more: z.boolean(),
      next_offset: count.optional(),
      next_tool: z.literal('intel_daily_change_evidence').optional(),
      next_args: z.record(z.string(), z.unknown()).optional(),
      evidence_ref: evidenceRef.optional(),
    })
    .optional(),
  tags: z.array(evidenceTag).optional(),
});

export type EvidenceTag = z.infer<typeof evidenceTag>;
export type DailyChangeEvidence = z.infer<typeof dailyChangeEvidence>;
