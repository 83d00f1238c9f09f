import {
  type LegName,
  legNames,
  type ReportDepth,
  requiredLegs,
} from '../../data/contract/billing/reportDepth.ts';
import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { IssuerFieldMapFrame } from '../../data/contract/payloads/issuer/issuerFieldMap.ts';
import {
  type CompanyReportFrame,
  evidenceHashVersion,
  reportVersion,
} from '../../data/contract/payloads/reports/companyReport.ts';
import { versions } from '../../data/contract/values/versions.ts';

/** One leg of a report: where it lies and what it hashes to, or why there is none. */
export type LegState =
  | {
      readonly status: 'ok';
      readonly artifactKey: string;
      readonly artifactVersion: string;
      readonly payloadSha256: string;
      /** When it says it was computed; null where it does not say. */
      readonly computedAt: string | null;
    }
  | { readonly status: 'unavailable'; readonly code: string; readonly detail: string };

/** What a report is made from. */
export type ReportInput = {
  readonly sourceDate: string;
  readonly asOf: string;
  readonly sliceStatus: 'complete' | 'partial';
  readonly stress: CovenantStress;
  /** Null without a field map. */
  readonly fieldMap: IssuerFieldMapFrame | null;
  /** How many points it has in the report, and how many there are. */
  readonly points: { readonly shown: number; readonly stored: number };
  readonly legs: ReadonlyMap<LegName, LegState>;
  readonly depth: ReportDepth;
  /** SHA-256 of the object of the legs (I2.68). */
  readonly evidenceHash: string;
};

type Data = CompanyReportFrame['data'];

/** What is stored of the report of one issuer: all of it but request and legs (I2.67–I2.70, I4.R29.2a). */
export function companyReport(input: ReportInput): CompanyReportFrame {
  const { sourceDate, asOf, stress, fieldMap, depth, evidenceHash } = input;
  const present = legNames.filter((name) => isThere(input, name));
  const isPartial = requiredLegs.some((name) => !present.includes(name));
  const { ticker } = stress;
  const summary = fieldMap?.summary;
  return {
    mcp_summary: `${ticker} report ${sourceDate}: tier ${stress.risk_tier}, quality ${stress.quality_flag}, ${present.length} of ${legNames.length} legs.`,
    data: {
      schema_version: reportVersion,
      workflow: 'company_report',
      status: isPartial ? 'partial' : 'ok',
      partial: isPartial,
      ticker,
      depth,
      ...framesOf(input),
      legs: legNames.map((name) => legRow(input, name)),
      errors: errorsOf(input),
      partial_failure_policy: 'partial_reports_cost_the_minimum',
      combined_provenance: {
        evidence_hash: evidenceHash,
        evidence_hash_version: evidenceHashVersion,
        schema_version: reportVersion,
      },
      snapshot: snapshotOf(input, present),
      summary: {
        current_read: summary?.current_read ?? null,
        issuer_state: summary?.issuer_state ?? null,
        subscriber_takeaway: summary?.subscriber_takeaway ?? null,
      },
      confidence: fieldMap?.confidence ?? null,
      source_date: sourceDate,
      evidence_hash: evidenceHash,
    },
    provenance: {
      contract_version: versions.contractRevision,
      schema_version: reportVersion,
      accession_number: stress.accession_number ?? null,
      evidence_hash: evidenceHash,
      evidence_ref: `ii://company-report/${sourceDate}?ticker=${ticker}`,
      captured_at: null,
      computed_at_utc: asOf,
      observed_at: null,
      published_at: null,
      data_as_of: sourceDate,
      source_date: sourceDate,
    },
    suggested_follow_ups: followUps(input),
  };
}

function isThere({ legs }: ReportInput, name: LegName): boolean {
  return legs.get(name)?.status === 'ok';
}

function framesOf(input: ReportInput): Pick<Data, LegName> {
  const built = builtMembers(input.sliceStatus);
  const present = legNames.map((name) => [name, isThere(input, name) ? built[name] : null]);
  return Object.fromEntries(present) as Pick<Data, LegName>;
}

function legRow({ legs, sourceDate }: ReportInput, name: LegName): Data['legs'][number] {
  const state = legs.get(name);
  const about = { name, required: requiredLegs.some((one) => one === name) };
  if (state?.status !== 'ok') {
    const none = { source_date: null, artifact_key: null, artifact_version: null, payload_sha256: null };
    return { ...about, status: 'unavailable', reason: state?.code ?? 'not_stored', ...none };
  }
  return {
    ...about,
    status: 'ok',
    reason: null,
    source_date: sourceDate,
    artifact_key: state.artifactKey,
    artifact_version: state.artifactVersion,
    payload_sha256: state.payloadSha256,
  };
}

function errorsOf({ legs }: ReportInput): Data['errors'] {
  return legNames.flatMap((name) => {
    const state = legs.get(name);
    return state?.status === 'unavailable' ? [{ leg: name, code: state.code, detail: state.detail }] : [];
  });
}

function snapshotOf({ legs, sourceDate, asOf }: ReportInput, present: readonly LegName[]): Data['snapshot'] {
  const instants = present
    .flatMap((name) => {
      const state = legs.get(name);
      return state?.status === 'ok' && state.computedAt !== null ? [state.computedAt] : [];
    })
    .sort();
  const [first = asOf] = instants;
  const last = instants.at(-1) ?? asOf;
  return {
    snapshot_id: `snap-${sourceDate}`,
    snapshot_started_at: first,
    snapshot_completed_at: last,
    section_count: present.length,
    sections: [...present],
    source_dates: [sourceDate],
    sections_same_data_as_of: true,
    computed_timestamp_count: new Set(instants).size,
    max_section_time_skew_ms: Date.parse(last) - Date.parse(first),
    snapshot_note: 'All sections come from one slice.',
  };
}

function followUps({ stress, points }: ReportInput): CompanyReportFrame['suggested_follow_ups'] {
  const args = { ticker: stress.ticker };
  const history = {
    route: 'GET /v1/core-history/{ticker}',
    tool: 'intel_core_history',
    args,
    reason: 'Covenant and stress figures of every past slice.',
  };
  const evidence = {
    route: 'GET /v1/daily-changes/evidence',
    tool: 'intel_daily_change_evidence',
    args,
    reason: 'The facts behind the newest change of its filings.',
  };
  const map = {
    route: 'GET /v1/spectra-field-map/{ticker}',
    tool: null,
    args,
    reason: `All ${points.stored} points of the field map; this report shows the newest ${points.shown}.`,
  };
  return points.stored > points.shown ? [history, evidence, map] : [history, evidence];
}

/** What of each leg no artifact holds: of readiness its serve-time members, as they are at the build (I4.R01.3). */
export function builtMembers(sliceStatus: 'complete' | 'partial') {
  const isPartial = sliceStatus === 'partial';
  return {
    readiness: { ok: !isPartial, reason: isPartial ? ('partial_slice' as const) : null, age_minutes: 0 },
    company_fundamentals: {},
    alpha_signals: {},
    peer_ranking: {},
    covenant_stress: {},
    spectra_field_map: {},
    capital: {},
  } satisfies Partial<CompanyReportFrame['data']>;
}
