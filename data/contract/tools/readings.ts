import { type Figure, marketReadings, type Reading, visualReadings } from './reading.ts';

/** Which balance sheet an answer rests on, and how old it is (I4.MCP.15). */
const sheet: readonly Figure[] = [['period'], ['filing_age_days', 'days old', 'balance sheet']];
const stress: readonly Figure[] = [
  ['risk_tier'],
  ['stress_30pct', 'ratio'],
  ['stress_50pct', 'ratio'],
  ['stress_70pct', 'ratio'],
  ['live_risk_tier'],
  ['live_stress_50pct', 'ratio'],
  ['covenant_headroom_50pct', 'ratio'],
  ['breach_probability_1y', 'probability'],
  ['total_long_term_debt', 'USD'],
  ['total_crypto_fair_value', 'USD'],
  ...sheet,
  ['filed'],
  ['next_report_due'],
  ['quality_flag'],
  ['data_quality_note_words[0]', '', 'note'],
  ['figures_basis'],
  ['treasury_relevance'],
  ['accession_number'],
];
/** What is a reading only of proven debt over proven coins. */
const measured = [
  'stress_30pct',
  'stress_50pct',
  'stress_70pct',
  'live_stress_50pct',
] as const satisfies readonly string[];
const stressRow: readonly Figure[] = [['ticker'], ['risk_tier'], ['stress_50pct', 'ratio']];

/** A figure of the capital structure, or why there is none. */
function capitalFigure(path: string): Figure[] {
  const name = path.split('.').at(-1) ?? path;
  const at = `data.capital.${path}`;
  return [
    [`${at}.value`, '', name],
    [`${at}.null_reason`, '', `no ${name}:`],
  ];
}

/** What is reported of the answers whose figures are chosen by hand, by schema id. */
export const readings: Readonly<Record<string, Reading>> = {
  'tool_help.v1': {
    headline: [['tool.name', '', 'tool']],
    figures: [
      ['tool.name', '', 'tool'],
      ['tool.description', '', ''],
      ['how_to_use[1]', '', 'to begin'],
      ['how_to_use[2]', '', 'to pay'],
    ],
    rows: { member: 'tools', columns: [['name'], ['price_usd', 'USD'], ['access']] },
  },
  'companies.v1': {
    headline: [['total', 'companies']],
    figures: [
      ['total', 'companies'],
      ['count', 'on this page'],
    ],
    rows: { member: 'companies', columns: [['ticker'], ['name'], ['cik'], ['coverage_status']] },
  },
  'core_audit_status.v1': {
    headline: [
      ['status'],
      ['applicable_pct', '%', 'applicable'],
      ['failed_count', 'failed'],
      ['operation_count', 'operations'],
    ],
    figures: [
      ['status'],
      ['applicable_pct', '% of the operations', 'applicable'],
      ['ok'],
      ['stale'],
      ['age_hours', 'hours'],
      ['freshness_window_hours', 'hours'],
      ['issuer_count', 'issuers'],
      ['operation_count', 'operations'],
      ['ok_count', 'operations'],
      ['failed_count', 'operations'],
      ['skipped_count', 'operations'],
      ['not_applicable_count', 'operations'],
      ['composite_failed_count', 'operations'],
      ['historical_failed_count', 'operations'],
      ['finished_at_utc'],
    ],
  },
  'readiness.v1': {
    headline: [
      ['row_count', 'issuers'],
      ['avg_live_stress_50pct', 'ratio'],
    ],
    figures: [
      ['ok'],
      ['reason'],
      ['row_count', 'rows'],
      ['resolved_nonzero_count', 'rows'],
      ['legitimate_zero_debt_count', 'rows'],
      ['low_confidence_missing_debt_count', 'rows'],
      ['avg_live_stress_50pct', 'ratio'],
      ['market_regime'],
      ['tower_status'],
      ['live_price_last_updated'],
    ],
  },
  'latest_daily_changes.v1': {
    headline: [
      ['universe_stats.company_count', 'of the universe', 'companies changed'],
      ['universe_stats.other_company_count', 'outside it', 'and'],
    ],
    figures: [
      ['snapshot_status'],
      ['universe_stats.company_count', 'companies of the universe', 'changed'],
      ['universe_stats.new_company_count', 'companies of the universe', 'new among them'],
      ['universe_stats.other_company_count', 'companies outside it', 'changed'],
      ['stats.changed_files', 'files of the whole archive', 'changed'],
      ['movement_summary.risk_tier_move_count', 'moves'],
      ['comparison_source_date'],
      ...[0, 1, 2].flatMap((at): Figure[] => [
        [`risk_tier_moves[${at}].ticker`, '', 'tier moved'],
        [`risk_tier_moves[${at}].prior_tier`, '', 'from'],
        [`risk_tier_moves[${at}].new_tier`, '', 'to'],
      ]),
    ],
    rows: { member: 'changed_companies', columns: [['ticker'], ['entity_name'], ['cik']] },
  },
  'daily_change_evidence.v1': {
    headline: [['page.total', 'evidence lines']],
    figures: [
      ['source_date'],
      ['page.total', 'lines'],
      ['page.count', 'lines on this page'],
      ['page.has_more'],
    ],
    rows: { member: 'tags', columns: [['tag']] },
  },
  'risk_distribution.v1': {
    headline: [
      ['CRITICAL.count', 'CRITICAL'],
      ['HIGH.count', 'HIGH'],
      ['LOW.count', 'LOW'],
      ['meta.basis', '', 'basis'],
    ],
    figures: [
      ['meta.basis', '', 'basis'],
      ['CRITICAL.count', 'issuers'],
      ['HIGH.count', 'issuers'],
      ['MODERATE.count', 'issuers'],
      ['LOW.count', 'issuers'],
      ['UNCLASSIFIED.count', 'issuers'],
      ['meta.total', 'issuers'],
    ],
  },
  'top_stressed.v1': {
    headline: [
      ['data[0].ticker'],
      ['data[0].live_stress_50pct', 'ratio', 'live_stress_50pct'],
      ['data[0].filing_age_days', 'days old', 'balance sheet'],
    ],
    figures: [
      ['meta.total', 'ranked issuers'],
      ['meta.excluded_unclassified', 'issuers left out'],
      ['data[0].sort_basis', '', 'sort_basis'],
    ],
    // the rank is that of the live figures, which filing ones may contradict
    rows: {
      member: 'data',
      columns: [
        ['rank'],
        ['ticker'],
        ['live_risk_tier'],
        ['live_stress_50pct', 'ratio'],
        ['stress_50pct', 'ratio', 'at the filing'],
        ['filing_age_days', 'days old', 'balance sheet'],
      ],
    },
  },
  'natural_brief.v1': {
    headline: [
      ['style'],
      ['summary_data.stress_50pct', 'ratio', 'stress_50pct'],
      ['summary_data.period', '', 'period'],
    ],
    figures: [['style'], ['renderer_mode'], ['validation_status']],
    prose: 'natural_brief',
  },
  'alpha_opportunities.v1': {
    headline: [['opportunities[0].ticker'], ['opportunities[0].alpha_score', 'of the score']],
    figures: [['meta.total', 'issuers'], ['market_regime'], ['tower_status']],
    rows: {
      member: 'opportunities',
      columns: [['board_rank'], ['ticker'], ['alpha_score', 'points'], ['risk_tier']],
    },
  },
  'company_fundamentals.v1': {
    headline: [['period'], ['fundamentals.total_assets', 'USD total assets']],
    figures: [
      ['period'],
      ['fundamentals_context.flow_start'],
      ['fundamentals_context.flow_end'],
      ['fundamentals.revenue', 'USD'],
      ['fundamentals.operating_income', 'USD'],
      ['fundamentals.net_income', 'USD'],
      ['fundamentals.cash_flow_from_operations', 'USD'],
      ['fundamentals_context.other_flows[0].member'],
      ['fundamentals_context.other_flows[0].flow_start'],
      ['fundamentals_context.other_flows[0].flow_end'],
      ['fundamentals.cash_and_equivalents', 'USD'],
      ['fundamentals.total_assets', 'USD'],
      ['fundamentals.total_liabilities', 'USD'],
      ['fundamentals.total_equity', 'USD'],
      ['provenance.accession_number'],
    ],
  },
  'covenant_stress.v1': {
    headline: [['stress_50pct', 'ratio'], ['risk_tier'], ...sheet],
    figures: stress,
    rows: {
      member: 'facilities',
      columns: [
        ['name'],
        ['drawn', 'USD'],
        ['collateral_units'],
        ['collateral_asset'],
        ['ltv', 'ratio'],
        ['trigger_ltv', 'ratio'],
        ['margin_call_price', 'USD'],
      ],
    },
    measured,
  },
  'covenant_stress_list.v1': {
    headline: [['meta.total', 'issuers']],
    figures: [
      ['meta.total', 'issuers'],
      ['meta.count', 'on this page'],
    ],
    rows: { member: 'data', columns: [...stressRow, ['quality_flag'], ['treasury_relevance']] },
    measured,
  },
  'peer_ranking.v1': {
    headline: [['peer_rank', 'rank'], ['peer_count', 'ranked issuers'], ...sheet],
    figures: [
      ...sheet,
      ['peer_rank', 'rank'],
      ['peer_count', 'ranked issuers'],
      ['percentile', 'percentile'],
      ['rank_direction'],
      ['stressed_leverage_50pct', 'ratio'],
      ['risk_tier'],
      ['resonance_status'],
    ],
  },
  'alpha_signals.v1': {
    headline: [['alpha_score', 'points'], ['research_posture'], ['period']],
    figures: [
      ['period'],
      ['alpha_score', 'points'],
      ['alpha_score_breakdown.treasury_strength', 'points'],
      ['alpha_score_breakdown.debt_cleanliness', 'points'],
      ['alpha_score_breakdown.stress_resilience', 'points'],
      ['alpha_score_breakdown.regime_fit', 'points'],
      ['research_posture'],
      ['market_regime'],
    ],
  },
  'company_report.v1': {
    headline: [
      ['data.covenant_stress.risk_tier', '', 'risk_tier'],
      ['data.peer_ranking.peer_rank', 'rank', 'peer_rank'],
    ],
    figures: [
      ['data.covenant_stress.risk_tier', '', 'risk_tier'],
      ['data.covenant_stress.total_long_term_debt', 'USD', 'total_long_term_debt'],
      ['data.covenant_stress.total_crypto_fair_value', 'USD', 'total_crypto_fair_value'],
      ['data.peer_ranking.peer_rank', 'rank', 'peer_rank'],
      ['data.company_fundamentals.period', '', 'period'],
      ...['shares.outstanding', 'nav[0].net_of_debt', 'nav[0].mnav_diluted', 'maturities.total'].flatMap(
        capitalFigure,
      ),
      ...['cash', 'due_12m', 'months_of_cash', 'first_shortfall_month', 'free_coin_value'].flatMap((name) =>
        capitalFigure(`runway.${name}`),
      ),
    ],
  },
  'core_history.v1': {
    headline: [['meta.total', 'dates']],
    figures: [
      ['meta.total', 'dates'],
      ['meta.coverage.first_source_date'],
      ['meta.coverage.last_source_date'],
      ['meta.coverage.missing_source_date_count', 'dates missing'],
    ],
    rows: { member: 'data', columns: [['source_date'], ['stress_50pct', 'ratio'], ['risk_tier']] },
    measured,
  },
  'alpha_opportunities_audit.v1': {
    headline: [
      ['identity_summary.publishable_rows', 'rows on the board'],
      ['identity_summary.total_rows', 'rows'],
    ],
    figures: [
      ['identity_summary.total_rows', 'rows'],
      ['identity_summary.publishable_rows', 'rows'],
      ['identity_summary.default_issuer_type_excluded', 'rows'],
      ['identity_summary.without_ticker', 'rows'],
      ['rank_delta_summary.rows_with_demotion', 'rows'],
      ['rank_delta_summary.max_rank_delta', 'ranks'],
      ['market_regime'],
      ['tower_status'],
    ],
    rows: {
      member: 'excluded_from_default_sample',
      columns: [['ticker'], ['alpha_score', 'points'], ['raw_rank'], ['failed_gate']],
    },
  },
  ...marketReadings,
  ...visualReadings,
};
