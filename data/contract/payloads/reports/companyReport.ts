import { z } from 'zod';
import { legNames, reportComponentNames } from '../../billing/reportDepth.ts';
import * as e from '../../values/enums.ts';
import { count, date, datetime, int, sha256, ticker, usd } from '../../values/primitives.ts';
import { alphaSignals } from '../issuer/alphaSignals.ts';
import { capital } from '../issuer/capital.ts';
import { capitalFigure } from '../issuer/capitalParts.ts';
import { companyFundamentals } from '../issuer/companyFundamentals.ts';
import { covenantStress } from '../issuer/covenantStress.ts';
import { issuerFieldMap } from '../issuer/issuerFieldMap.ts';
import { peerRanking } from '../issuer/peerRanking.ts';
import { payload } from '../payload.ts';
import { bytes, object } from '../stored.ts';
import { readiness } from '../universe/readiness.ts';
import example from './companyReport.example.json' with { type: 'json' };
import { outputModes } from './reportLegs.ts';

/** Version of the report's own shape (I2.68). */
export const reportVersion = 'company-report-1.0';
/** Version of the rule behind `evidence_hash`. */
export const evidenceHashVersion = 'evh-1-jcs-sha256';

const legName = z.enum(legNames);

/** What a row of the table of legs says; the last five are null for a leg that is unavailable, but for its reason. */
const leg = z.object({
  name: legName,
  required: z.boolean(),
  status: z.enum(['ok', 'unavailable']),
  reason: z.string().nullable(),
  source_date: date.nullable(),
  artifact_key: z.string().nullable(),
  artifact_version: z.string().nullable(),
  payload_sha256: sha256.nullable(),
});

/** The request that gives the same report at any time: the slice is named, every choice is written out. */
const request = z.object({
  ticker,
  source_date: date,
  include_segments: z.boolean(),
  include_related_party: z.boolean(),
  output_mode: z.enum(outputModes),
});

const data = z.object({
  schema_version: z.literal(reportVersion),
  workflow: z.literal('company_report'),
  status: z.enum(['ok', 'partial']),
  partial: z.boolean(),
  ticker,
  request,
  depth: z.object({
    points: count,
    price_usd: usd,
    price_micro_usd: count,
    components: z.array(z.enum(reportComponentNames)),
  }),
  readiness: readiness.schema.nullable(),
  company_fundamentals: companyFundamentals.schema.nullable(),
  alpha_signals: alphaSignals.schema.nullable(),
  peer_ranking: peerRanking.schema.nullable(),
  covenant_stress: covenantStress.schema.nullable(),
  spectra_field_map: issuerFieldMap.schema.nullable(),
  // reports of slices before it have neither the member nor its row
  capital: capital.schema.nullable().optional(),
  legs: z
    .array(leg)
    .min(legNames.length - 1)
    .max(legNames.length),
  errors: z.array(z.object({ leg: legName, code: z.string(), detail: z.string() })),
  partial_failure_policy: z.literal('partial_reports_cost_the_minimum'),
  combined_provenance: z.object({
    evidence_hash: sha256,
    evidence_hash_version: z.literal(evidenceHashVersion),
    schema_version: z.literal(reportVersion),
  }),
  snapshot: z.object({
    snapshot_id: z.string(),
    snapshot_started_at: datetime,
    snapshot_completed_at: datetime,
    section_count: count,
    sections: z.array(legName),
    source_dates: z.array(date),
    sections_same_data_as_of: z.boolean(),
    computed_timestamp_count: count,
    max_section_time_skew_ms: int,
    snapshot_note: z.string(),
  }),
  summary: z.object({
    current_read: z.string().nullable(),
    issuer_state: z.string().nullable(),
    subscriber_takeaway: z.string().nullable(),
  }),
  confidence: z.enum(e.fieldMapConfidences).nullable(),
  source_date: date,
  evidence_hash: sha256,
});

/** CompanyReportResponse (I2.67). */
const schema = z.object({
  mcp_summary: z.string().max(140),
  data,
  provenance: z.object({
    contract_version: z.string(),
    schema_version: z.literal(reportVersion),
    accession_number: z.string().nullable(),
    evidence_hash: sha256.nullable(),
    evidence_ref: z.string().nullable(),
    captured_at: datetime.nullable(),
    computed_at_utc: datetime.nullable(),
    observed_at: datetime.nullable(),
    published_at: datetime.nullable(),
    data_as_of: date.nullable(),
    source_date: date.nullable(),
  }),
  suggested_follow_ups: z.array(
    z.object({
      route: z.string(),
      tool: z.string().nullable(),
      args: z.record(z.string(), z.unknown()),
      reason: z.string(),
    }),
  ),
});

/** A leg of which the artifact of its own route holds everything. */
const elsewhere = z.strictObject({}).nullable();

/**
 * What is stored of a report: all of it but the request and what its legs have from artifacts of their own. A leg that
 * is there stands as an object of the members that no artifact holds (I4.R29.2a).
 */
const frame = schema.extend({
  data: data.omit({ request: true }).extend({
    readiness: readiness.schema.pick({ ok: true, reason: true, age_minutes: true }).nullable(),
    company_fundamentals: elsewhere,
    alpha_signals: elsewhere,
    peer_ranking: elsewhere,
    covenant_stress: elsewhere,
    spectra_field_map: elsewhere,
    capital: elsewhere.optional(),
  }),
});

export type CompanyReport = z.infer<typeof schema>;
export type CompanyReportFrame = z.infer<typeof frame>;

export const companyReport = payload({
  id: 'company_report.v1',
  schema,
  example: {
    ...example,
    data: {
      ...example.data,
      readiness: { ...readiness.example, ok: true, reason: null, age_minutes: 0 },
      company_fundamentals: companyFundamentals.example,
      alpha_signals: alphaSignals.example,
      peer_ranking: peerRanking.example,
      covenant_stress: covenantStress.example,
      spectra_field_map: issuerFieldMap.example,
      capital: capital.example,
    },
  } as z.output<typeof schema>,
  embeds: [
    readiness,
    companyFundamentals,
    alphaSignals,
    peerRanking,
    covenantStress,
    issuerFieldMap,
    capital,
    capitalFigure,
  ],
  excerpt: ['mcp_summary', 'data.depth.price_usd'],
  stored: {
    object: object({
      subject: 'issuer',
      schema: frame,
      // never sent as it is
      coded: false,
      key: ({ slice, cik, variant }) => `company-report/${slice}/CIK${cik}/${variant}.json`,
    }),
    html: bytes({
      subject: 'issuer',
      mediaType: 'text/html',
      key: ({ slice, cik }) => `company-report/${slice}/CIK${cik}/page.html`,
    }),
    pdf: bytes({
      subject: 'issuer',
      mediaType: 'application/pdf',
      key: ({ slice, cik }) => `company-report/${slice}/CIK${cik}/page.pdf`,
      fileName: ({ slice, cik }) => `company-report-${cik}-${slice}.pdf`,
    }),
  },
});
