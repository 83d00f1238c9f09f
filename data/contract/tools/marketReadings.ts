import type { Figure, Reading } from './reading.ts';

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
