/** A figure of a reading text: path in the data, its unit where it has one, and its name where the path is too long for one. */
export type Figure = readonly [path: string, unit?: string, name?: string];

/** What a reading text shows of an answer. */
export type Reading = {
  /** Figures of the one-line summary. */
  readonly headline: readonly Figure[];
  readonly figures: readonly Figure[];
  /** Path of a text that is the answer itself. */
  readonly prose?: string;
  /** Figures that measure nothing in a row whose debt or coins are unproven or none; what it lacks is said instead (M3.3). */
  readonly measured?: readonly string[];
  /** A list of which the first rows are shown. */
  readonly rows?: { readonly member: string; readonly columns: readonly Figure[] };
};

const annual = 'fraction per year';
/** Factors of a bucket, by where they stand. */
const marketFactors = (at: string): Figure[] => [
  [`${at}.pressure`, 'score', 'pressure'],
  [`${at}.funding_annualized`, annual, 'funding_annualized'],
  [`${at}.basis_bps`, 'bp', 'basis_bps'],
  [`${at}.oi_usd`, 'USD', 'oi_usd'],
  [`${at}.oi_change_24h`, 'fraction of a day before', 'oi_change_24h'],
  [`${at}.rv_30d`, annual, 'rv_30d'],
  [`${at}.vol_ratio`, 'ratio', 'vol_ratio'],
];

/** What is reported of the answers about perpetual products, by schema id. */
export const marketReadings: Readonly<Record<string, Reading>> = {
  'perp_factors.v1': {
    headline: [
      ['data[0].factors.pressure', 'score', 'pressure'],
      ['data[0].factors.funding_annualized', annual, 'funding'],
    ],
    figures: [
      ['meta.bucket_length', '', 'bucket_length'],
      ['meta.total', 'rows', 'total'],
      ['meta.count', 'on this page', 'count'],
      ['meta.persistence.first_bucket_utc', '', 'first_bucket_utc'],
      ['meta.persistence.last_bucket_utc', '', 'last_bucket_utc'],
      ['materialization_status'],
      ['data[0].contract_symbol', '', 'contract_symbol'],
      ['data[0].observed_bucket_utc', '', 'newest bucket'],
      ['data[0].quality.status', '', 'quality'],
      ['data[0].quality.flags[0]', '', 'flag'],
      ...marketFactors('data[0].factors'),
    ],
    rows: {
      member: 'data',
      columns: [
        ['observed_bucket_utc'],
        ['factors.pressure', 'score', 'pressure'],
        ['factors.funding_annualized', annual],
        ['factors.basis_bps', 'bp'],
      ],
    },
  },
  'perp_rankings.v1': {
    headline: [
      ['data[0].product', '', 'first'],
      ['data[0].ranking_band', '', 'ranking_band'],
    ],
    figures: [['meta.total', 'products', 'total']],
    rows: {
      member: 'data',
      columns: [['rank'], ['product'], ['ranking_score', 'of 100'], ['ranking_band']],
    },
  },
  'perp_constituents.v1': {
    headline: [['data[0].constituent_count', 'constituents', 'constituent_count']],
    figures: [
      ['data[0].product', '', 'product'],
      ['data[0].index_symbol', '', 'index_symbol'],
      ['data[0].constituent_count', 'constituents', 'constituent_count'],
      ['data[0].total_weight', 'of 1', 'total_weight'],
      ['data[0].weights_valid', '', 'weights_valid'],
    ],
    rows: { member: 'data[0].constituents', columns: [['ticker'], ['name'], ['weight', 'share']] },
  },
  'etf_pressure_state.v1': {
    headline: [
      ['pressure_state.market_state', '', 'market_state'],
      ['pressure_state.pressure', 'score', 'pressure'],
    ],
    figures: [
      ['display_name'],
      ['observed_bucket_utc'],
      ['pressure_state.headline', '', 'headline'],
      ['pressure_state.spectra_read', '', 'read'],
      ['pressure_state.direction', '', 'direction'],
      ['pressure_state.quality.status', '', 'quality'],
      ['pressure_state.group_scores.carry', 'score', 'carry'],
      ['pressure_state.group_scores.market', 'score', 'market'],
      ['pressure_state.group_scores.positioning', 'score', 'positioning'],
      ...marketFactors('pressure_state.factor_values'),
      ['constituent_readiness.status', '', 'constituents'],
      ['data_quality_warnings[0]', '', 'warning'],
    ],
  },
  'etf_audit.v1': {
    headline: [
      ['canonical_event.canonical_event_status', '', 'event'],
      ['current_bucket.factors.pressure', 'score', 'pressure'],
    ],
    figures: [
      ['display_name'],
      ['audit_status'],
      ['current_bucket.bucket_utc', '', 'bucket_utc'],
      ['current_bucket.quality.status', '', 'quality'],
      ['current_bucket.quality.flags[0]', '', 'flag'],
      ['canonical_event.canonical_event_status', '', 'event'],
      ['canonical_event.reason', '', 'reason'],
      ['four_level_coverage.level_summary', '', 'coverage'],
      ...marketFactors('current_bucket.factors'),
      ['current_bucket.deltas.pressure', 'since the bucket before', 'change of pressure'],
      ['factor_history.page.total', 'rows of history'],
    ],
    rows: {
      member: 'constituent_contributions.rows',
      columns: [['ticker'], ['weight', 'share'], ['contribution', 'log return']],
    },
  },
};

const verdict: Figure = ['fit_report.verdict', '', 'verdict'];
const violations: NonNullable<Reading['rows']> = {
  member: 'fit_report.violations',
  columns: [['code'], ['severity'], ['measured'], ['limit'], ['message']],
};
/** Figures that a render and its report again both show. */
const fitted: readonly Figure[] = [
  verdict,
  ['fit_report.metrics.node_count', 'nodes', 'node_count'],
  ['fit_report.metrics.edge_count', 'edges', 'edge_count'],
  ['fit_report.metrics.edge_crossings', 'crossings', 'edge_crossings'],
  ['fit_report.violations_left_out', 'violations not listed', 'violations_left_out'],
  ['fit_report.metrics.min_font_px_used', 'px', 'min_font_px_used'],
];

/** What is reported of the answers of visual tools, by schema id. */
export const visualReadings: Readonly<Record<string, Reading>> = {
  'visual_diagram_validate.v1': {
    headline: [['valid'], ['would_render']],
    figures: [
      ['valid'],
      ['would_render'],
      ['contract_sha256'],
      ['estimate.input_tokens', 'tokens', 'input_tokens'],
      ['estimate.output_tokens', 'tokens', 'output_tokens'],
      ['quote.quoted_price_usd', 'USD', 'quoted_price_usd'],
      ['warnings[0].code', '', 'warning'],
      ['warnings[0].path', '', 'at'],
      ['warnings[0].message', '', 'saying'],
      ['errors_left_out', 'errors not listed', 'errors_left_out'],
      ['warnings_left_out', 'warnings not listed', 'warnings_left_out'],
    ],
    rows: { member: 'errors', columns: [['code'], ['path'], ['message']] },
  },
  'visual_diagram_render.v1': {
    headline: [verdict, ['artifact.width', 'px wide', 'width'], ['artifact.height', 'px high', 'height']],
    figures: [
      ['artifact.width', 'px', 'width'],
      ['artifact.height', 'px', 'height'],
      ['artifact.bytes', 'bytes', 'bytes'],
      ['artifact.sha256', '', 'sha256'],
      ...fitted,
      ['render_receipt.receipt_id', '', 'receipt_id'],
      ['render_receipt.quoted_price_usd', 'USD', 'quoted_price_usd'],
      ['render_receipt.created_at_utc', '', 'created_at_utc'],
    ],
    rows: violations,
  },
  'visual_fit_report.v1': {
    headline: [verdict],
    figures: [
      ['render_receipt_id'],
      ...fitted,
      ['fit_report.metrics.min_gap_px', 'px', 'min_gap_px'],
      ['fit_report.metrics.min_contrast', 'ratio', 'min_contrast'],
      ['fit_report.metrics.scale_applied', 'ratio', 'scale_applied'],
    ],
    rows: violations,
  },
  'visual_spec_search.v1': {
    headline: [['meta.total', 'specs', 'total']],
    figures: [
      ['meta.total', 'specs', 'total'],
      ['meta.count', 'on this page', 'count'],
      ['meta.offset', 'offset', 'offset'],
    ],
    rows: { member: 'data', columns: [['spec_id'], ['diagram_id'], ['title'], ['score']] },
  },
  'visual_spec_package.v1': {
    headline: [['package.total_bytes', 'bytes', 'total_bytes']],
    figures: [
      ['package.package_id', '', 'package_id'],
      ['package.total_bytes', 'bytes', 'total_bytes'],
      ['package.manifest_sha256', '', 'manifest_sha256'],
    ],
    rows: { member: 'package.files', columns: [['path'], ['bytes', 'bytes']] },
  },
};
