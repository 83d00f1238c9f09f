import { payloads, type SchemaId } from './payloads.ts';

/**
 * What a discovery catalogue shows of each payload: an excerpt of its example in the API description that says at a
 * glance what is sold, and is small enough for the challenge header (P2.2, P2.6).
 */
const excerpts: Readonly<Record<SchemaId, object>> = {
  'readiness.v1': pick(exampleOf('readiness.v1'), ['source_date', 'row_count', 'avg_live_stress_50pct']),
  'latest_daily_changes.v1': {
    ...pick(exampleOf('latest_daily_changes.v1'), ['source_date']),
    stats: pick(exampleOf('latest_daily_changes.v1').stats, ['changed_company_count', 'total_facts']),
  },
  'daily_change_evidence.v1': {
    ...pick(exampleOf('daily_change_evidence.v1'), ['ticker', 'source_date']),
    tags: firstRow(exampleOf('daily_change_evidence.v1').tags, ['concept']),
  },
  'risk_distribution.v1': pick(exampleOf('risk_distribution.v1'), ['CRITICAL', 'LOW']),
  'top_stressed.v1': {
    data: firstRow(exampleOf('top_stressed.v1').data, ['ticker', 'live_stress_50pct', 'live_risk_tier']),
  },
  'alpha_opportunities.v1': {
    opportunities: firstRow(exampleOf('alpha_opportunities.v1').opportunities, ['ticker', 'alpha_score']),
  },
  'alpha_opportunities_audit.v1': {
    excluded_from_default_sample: firstRow(
      exampleOf('alpha_opportunities_audit.v1').excluded_from_default_sample,
      ['ticker', 'failed_gate'],
    ),
  },
  'company_fundamentals.v1': {
    ...pick(exampleOf('company_fundamentals.v1'), ['ticker', 'period']),
    fundamentals: pick(exampleOf('company_fundamentals.v1').fundamentals, ['revenue', 'total_assets']),
  },
  'alpha_signals.v1': pick(exampleOf('alpha_signals.v1'), ['ticker', 'alpha_score', 'research_posture']),
  'peer_ranking.v1': pick(exampleOf('peer_ranking.v1'), ['ticker', 'peer_rank', 'peer_count', 'percentile']),
  'covenant_stress.v1': pick(exampleOf('covenant_stress.v1'), ['ticker', 'risk_tier', 'stress_50pct']),
  'covenant_stress_list.v1': {
    data: firstRow(exampleOf('covenant_stress_list.v1').data, ['ticker', 'risk_tier', 'stress_50pct']),
  },
  'issuer_field_map.v1': {
    summary: pick(exampleOf('issuer_field_map.v1').summary, ['current_read']),
    points: firstRow(exampleOf('issuer_field_map.v1').points, ['date', 'field_pressure']),
  },
  'core_history.v1': {
    ...pick(exampleOf('core_history.v1'), ['ticker']),
    data: firstRow(exampleOf('core_history.v1').data, ['source_date', 'stress_50pct']),
  },
  'core7_calculation_history.v1': {
    data: exampleOf('core7_calculation_history.v1').data.map(({ ticker, covenant_stress }) => ({
      ticker,
      covenant_stress: pick(covenant_stress, ['stress_50pct']),
    })),
  },
};

/** The excerpt for the answer of a route; null for a route without a payload. */
export function discoveryExample(schemaId: string | null): object | null {
  return excerpts[schemaId as SchemaId] ?? null;
}

function exampleOf<S extends SchemaId>(schemaId: S): (typeof payloads)[S]['example'] {
  return payloads[schemaId].example;
}

function pick<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>;
}

function firstRow<T extends object, K extends keyof T>(
  rows: readonly T[],
  names: readonly K[],
): Pick<T, K>[] {
  return rows.slice(0, 1).map((row) => pick(row, names));
}
