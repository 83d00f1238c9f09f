import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { count, date, datetime, sha256 } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { serveTime } from '../serveTime.ts';
import { object } from '../stored.ts';

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
  name: 'NaturalBrief',
  schema,
  example: {
    natural_brief: [
      '# Covenant Stress MSTR 2026-02-07',
      '## Issuer Snapshot',
      'Strategy Inc (MSTR) owes 8.2 B USD against coins of 73.2 B USD, as filed for the period to 2025-09-30.',
      '## Covenant Stress Readings',
      'After a 50 % fall debt is 0.22 of the coins: tier LOW (tier = filed debt against shocked coins; not a credit rating). The reference covenant is 0.65.',
      '## Live-Price Overlay',
      'At the closes of 2026-02-07 the same reading is 0.36, tier LOW.',
      '## Filing Evidence',
      '- 10-Q, accession 0001193125-25-262568',
      '## Limits of the Evidence',
      'Enterprise level: unsecured long-dated convertible notes have no margin call.',
      '## Next Checks',
      '- Read the debt note of the 10-Q.',
      'This brief is a screening aid built from public filings and stored prices; it is not investment advice.',
    ].join('\n\n'),
    summary_data: {
      ticker: 'MSTR',
      entity_name: 'Strategy Inc',
      source_date: '2026-02-07',
      period: '2025-09-30',
      debt_usd: '8173903000',
      coins_usd: '73205725000',
      stress_50pct: 0.223313,
      live_stress_50pct: 0.36401,
      reference_covenant_ltv: 0.65,
      risk_tier: 'LOW',
      live_risk_tier: 'LOW',
      accession_number: '0001193125-25-262568',
      filing_form: '10-Q',
    },
    raw_data_ref: 'ii://covenant-stress/2026-02-07?ticker=MSTR',
    caveats: ['enterprise_level_leverage'],
    quality_flags: [],
    source_date: '2026-02-07',
    computed_at: '2026-02-07T07:12:40Z',
    payload_mode: 'natural_language',
    raw_payload_mode: 'compact',
    style: 'professional',
    model: 'deterministic-template',
    renderer_agent: 'template_compiler',
    renderer_mode: 'deterministic_baseline',
    validation_status: 'passed',
    fallback_reason: null,
    compiler_version: 'brief-1.0',
    prompt_version: 'none',
    renderer_version: 'render-1.0',
    evidence_hash: '0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d',
    evidence_hash_version: 'evh-1-jcs-sha256',
    tokens_used: 0,
    latency_ms: 3,
    cache_hit: true,
    free_tier_applied: false,
  },
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
