import { z } from 'zod';
import { legNames, reportComponentNames, requiredLegs } from '../../billing/reportDepth.ts';
import * as e from '../../values/enums.ts';
import { count, date, datetime, int, sha256, ticker, usd } from '../../values/primitives.ts';
import { versions } from '../../values/versions.ts';
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
import { outputModes, reportLegs } from './reportLegs.ts';

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

const shownHash = '0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d';
const shownParts = { slice: '2026-02-07', cik: '0001050446', variant: '' };

export const companyReport = payload({
  id: 'company_report.v1',
  name: 'CompanyReport',
  schema,
  example: {
    mcp_summary: 'MSTR report 2026-02-07: tier LOW, quality Medium, 7 of 7 legs.',
    data: {
      schema_version: reportVersion,
      workflow: 'company_report',
      status: 'ok',
      partial: false,
      ticker: 'MSTR',
      request: {
        ticker: 'MSTR',
        source_date: '2026-02-07',
        include_segments: false,
        include_related_party: false,
        output_mode: 'compact',
      },
      depth: {
        points: 60,
        price_usd: 0.6,
        price_micro_usd: 600_000,
        components: ['base', 'field_map'],
      },
      readiness: { ...readiness.example, ok: true, reason: null, age_minutes: 0 },
      company_fundamentals: companyFundamentals.example,
      alpha_signals: alphaSignals.example,
      peer_ranking: peerRanking.example,
      covenant_stress: covenantStress.example,
      spectra_field_map: issuerFieldMap.example,
      capital: capital.example,
      legs: reportLegs.map(({ name, key }) => ({
        name,
        required: requiredLegs.some((one) => one === name),
        status: 'ok' as const,
        reason: null,
        source_date: '2026-02-07',
        artifact_key: key(shownParts),
        artifact_version: `2026-02-07+${shownHash.slice(0, 12)}`,
        payload_sha256: shownHash,
      })),
      errors: [],
      partial_failure_policy: 'partial_reports_cost_the_minimum',
      combined_provenance: {
        evidence_hash: shownHash,
        evidence_hash_version: evidenceHashVersion,
        schema_version: reportVersion,
      },
      snapshot: {
        snapshot_id: 'snap-2026-02-07',
        snapshot_started_at: '2026-02-07T07:12:40Z',
        snapshot_completed_at: '2026-02-07T07:12:40Z',
        section_count: legNames.length,
        sections: [...legNames],
        source_dates: ['2026-02-07'],
        sections_same_data_as_of: true,
        computed_timestamp_count: 1,
        max_section_time_skew_ms: 0,
        snapshot_note: 'All sections come from one slice.',
      },
      summary: {
        current_read: 'Pressure Building',
        issuer_state: 'Compression Watch / Monitor',
        subscriber_takeaway: 'Field pressure is high and below its peak.',
      },
      confidence: 'Medium High',
      source_date: '2026-02-07',
      evidence_hash: shownHash,
    },
    provenance: {
      contract_version: versions.contractRevision,
      schema_version: reportVersion,
      accession_number: '0001193125-25-262568',
      evidence_hash: shownHash,
      evidence_ref: 'ii://company-report/2026-02-07?ticker=MSTR',
      captured_at: null,
      computed_at_utc: '2026-02-07T07:12:40Z',
      observed_at: null,
      published_at: null,
      data_as_of: '2026-02-07',
      source_date: '2026-02-07',
    },
    suggested_follow_ups: [
      {
        route: 'GET /v1/core-history/{ticker}',
        tool: 'intel_core_history',
        args: { ticker: 'MSTR' },
        reason: 'The path of stress over past slices.',
      },
    ],
  },
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
  meanings: {
    mcp_summary: 'The report in one line.',
    '$.data': 'The report.',
    '$.provenance': 'Where the report comes from.',
    workflow: 'Name of the report.',
    'data.status': 'ok, or partial where a required leg is missing.',
    partial: 'True where a required leg is missing; such a report costs the least price.',
    'data.request':
      'The request that gives this report at any time: the slice is named, every choice written out.',
    include_segments: 'Whether segments were asked for.',
    include_related_party: 'Whether related-party transactions were asked for.',
    output_mode:
      'compact: the last 30 points of the field map; full: all of them, with the keys they were read from.',
    depth: 'What the report holds, and its price, which follows from it.',
    'depth.points': 'Cents of the price.',
    'depth.price_usd': 'Price of this report in USD; the same as quoted_cost_usd.',
    'depth.price_micro_usd': 'The same in micro-USD.',
    components: 'What the price is the sum of; GET /v1/pricing says when each counts.',
    readiness: 'Answer of GET /v1/readiness as of the build: fields of readiness.v1.',
    company_fundamentals:
      'Answer of GET /v1/company-fundamentals/{ticker}: fields of company_fundamentals.v1.',
    alpha_signals: 'Answer of GET /v1/alpha-signals/{ticker}: fields of alpha_signals.v1.',
    peer_ranking:
      'Answer of GET /v1/peer-ranking/{ticker}: fields of peer_ranking.v1; null for an issuer without a rank.',
    covenant_stress:
      'Answer of GET /v1/covenant-stress/{ticker}, loan facilities among it: fields of covenant_stress.v1.',
    spectra_field_map:
      'Answer of GET /v1/spectra-field-map/{ticker}: fields of issuer_field_map.v1; compact shows its last 30 points.',
    capital:
      'Capital structure: what is owed, when it falls due, who is paid first, what a share holds, how long cash lasts; fields of capital.v1. Advisory; absent in reports of slices before it.',
    legs: 'The seven parts of the report, always in this order; six in reports of slices before capital.',
    'legs[].name': 'Part of the report; the member of data that holds it.',
    'legs[].required': 'True for the five parts whose absence makes a report partial.',
    'legs[].status': 'ok, or unavailable; the member is null then.',
    'legs[].reason': 'Why the part is missing; null where it is there.',
    'legs[].source_date': 'Date of the slice the part was stored in.',
    'legs[].artifact_key': 'Key of the artifact of the part in the same release.',
    'legs[].artifact_version': 'Source date and the start of the hash of that artifact.',
    'legs[].payload_sha256':
      'SHA-256 of the part as it stands here, without reserved members; where the artifact is the whole part it is the hash in the manifest.',
    errors: 'One entry a missing part.',
    'errors[].leg': 'Part that is missing.',
    'errors[].code': 'Reason code, as the route of the part answers with it.',
    'errors[].detail': 'Why it is missing, in one sentence.',
    partial_failure_policy: 'What a report with a missing required part costs.',
    combined_provenance: 'Hash over all parts, and the versions it was made by.',
    evidence_hash:
      'SHA-256 of the canonical form of one object with the parts of legs, null for a missing one.',
    schema_version: 'Version of the shape of the report.',
    snapshot: 'How far the parts are of one time.',
    snapshot_id: 'Name of the slice the parts come from.',
    snapshot_started_at: 'Earliest instant a part says it was computed.',
    snapshot_completed_at: 'Latest instant a part says it was computed.',
    section_count: 'Parts that are there.',
    sections: 'Their names.',
    source_dates: 'Dates of the slices they come from.',
    sections_same_data_as_of: 'True when there is one such date.',
    computed_timestamp_count: 'Different instants the parts say they were computed at.',
    max_section_time_skew_ms: 'Milliseconds between the earliest and the latest.',
    snapshot_note: 'The same in words.',
    summary: 'The field map in words; null without one.',
    current_read: 'First reading that fits the newest point of the field map.',
    issuer_state: 'State of the issuer in one sentence.',
    subscriber_takeaway: 'What a reader may take from the field map; no advice.',
    'data.confidence':
      'How far the field map can be trusted, and no other part; null without one. Debt and coins are graded by covenant_stress.quality_flag.',
    contract_version: 'Revision of the contract.',
    evidence_ref: 'Internal name of the report.',
    captured_at: 'Null: a report is computed, not captured.',
    observed_at: 'Null: a report is computed, not observed.',
    published_at: 'Null: the manifest of the release says when it was made.',
    data_as_of: 'Date of the slice.',
    suggested_follow_ups: 'Calls that go on from here.',
    'suggested_follow_ups[].route': 'Method and path template of the call.',
    tool: 'Tool that does the same; null without one.',
    args: 'Its parameters.',
    'suggested_follow_ups[].reason': 'What it adds.',
  },
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
