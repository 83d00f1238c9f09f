import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { count, date, datetime, sha256 } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { serveTime } from '../serveTime.ts';
import { object } from '../stored.ts';
import example from './naturalBrief.example.json' with { type: 'json' };

/** Longest text of each style, in characters (I2.43). */
export const longestBrief = {
  concise: 1500,
  professional: 3500,
  trader: 3500,
  detailed: 6000,
} as const satisfies Record<e.BriefStyle, number>;

/** Rows a board of a brief may have (I4.R25.2). */
export const briefLimits = ['5', '10', '25'] as const;

/** The stored part of NaturalBriefResponse (I2.39); the members of the call are added at serve time (I4.29). */
const briefArtifact = z.object({
  natural_brief: z.string().max(longestBrief.detailed),
  summary_data: z.record(z.string(), z.unknown()),
  raw_data_ref: z.string().nullable(),
  caveats: z.array(z.string()),
  quality_flags: z.array(z.string()),
  source_date: date.nullable(),
  computed_at: datetime,
  payload_mode: z.literal('natural_language'),
  raw_payload_mode: z.enum(['compact', 'full', 'evidence_page']).nullable(),
  style: z.enum(e.briefStyles),
  model: z.string(),
  renderer_agent: z.enum(['template_compiler', 'language_model', 'deterministic_fallback']),
  renderer_mode: z.enum(['deterministic_baseline', 'apex', 'deterministic_fallback']),
  validation_status: z.enum(['passed', 'failed', 'skipped']),
  fallback_reason: z.enum(e.briefFallbacks).nullable(),
  compiler_version: z.string(),
  prompt_version: z.string(),
  renderer_version: z.string(),
  evidence_hash: sha256,
  evidence_hash_version: z.string(),
  tokens_used: count,
});

/** NaturalBriefResponse as sent (I2.39); its price and request id are those of the envelope. */
const schema = briefArtifact.extend({
  latency_ms: count,
  cache_hit: z.boolean(),
  free_tier_applied: z.boolean(),
});

export type NaturalBrief = z.infer<typeof briefArtifact>;

/** Of the call alone: every variant is stored, and no free tier exists. */
const callMembers = serveTime({
  names: ['latency_ms', 'cache_hit', 'free_tier_applied'],
  reads: z.object({}),
  showsLastRun: false,
  members: (_, { latencyMs }) => ({ latency_ms: latencyMs, cache_hit: true, free_tier_applied: false }),
});

type VariantParts = { readonly slice: string; readonly style: string };

export const naturalBrief = payload({
  id: 'natural_brief.v1',
  schema,
  example: example as z.output<typeof schema>,
  excerpt: ['style', 'source_date', 'summary_data.stress_50pct', 'summary_data.risk_tier'],
  serveTime: callMembers,
  stored: {
    morning: object({
      subject: 'none',
      schema: briefArtifact,
      key: ({ slice, style, limit }: VariantParts & { readonly limit: string }) =>
        `brief-morning/${slice}/${style}-${limit}.json`,
    }),
    topStressed: object({
      subject: 'none',
      schema: briefArtifact,
      key: ({ slice, style, limit }: VariantParts & { readonly limit: string }) =>
        `brief-top-stressed/${slice}/${style}-${limit}.json`,
    }),
    covenant: object({
      subject: 'issuer',
      schema: briefArtifact,
      key: ({ slice, cik, style }: VariantParts & { readonly cik: string }) =>
        `brief-covenant/${slice}/CIK${cik}/${style}.json`,
    }),
  },
});
