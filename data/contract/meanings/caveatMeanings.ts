import { noteSentence } from './noteMeanings.ts';

/** What a flag of a market row says; loaders may set others, which are shown as codes. */
export const marketFlagMeanings: Readonly<Record<string, string>> = {
  synthetic: 'The row rests on made-up observations.',
  mark_missing: 'The bucket has no mark price.',
  index_missing: 'The bucket has no index price: no basis, no z-scores, no pressure.',
  open_interest_missing: 'The bucket has no open interest.',
  funding_missing: 'The bucket has no funding rate.',
  volume_incomplete: 'A part of the volume of 24 hours is missing: no turnover.',
  volatility_gaps: 'Days are missing in the windows of volatility or illiquidity.',
  notional_from_base: 'Notional volume is base volume at the price of its bucket.',
  insufficient_history: 'The contract has fewer available buckets than a z-score needs.',
  registry_missing: 'No registry of constituents is in force.',
  registry_stand_in: 'The constituents are those of a published list that stands for one that is not public.',
  weights_invalid: 'The weights of the registry are not complete: nothing is attributed to constituents.',
  weights_renormalised: 'The weights of the registry were divided by their sum.',
  constituent_price_missing: 'A constituent has no close now or seven days before.',
  constituent_session_closed: 'A stock carries the close of an earlier session.',
  previous_bucket_stale: 'The available bucket before it is too old to be compared with: no deltas.',
  mark_index_apart: 'The last mark and the last index are more than 15 minutes apart: no basis.',
  open_interest_apart:
    'The last open interest and the last mark are more than 15 minutes apart: its value in USD is at another time’s price.',
  price_not_positive: 'The venue gave a price of zero or less, which counts as none.',
  open_interest_not_positive: 'The venue gave an open interest of zero or less, which counts as none.',
  funding_interval_unknown: 'How often funding is paid is not known: no rate of a year.',
  volume_usd_from_close: 'Notional volume is base volume at the close of each candle.',
  index_stale: 'The index stood still while the mark moved.',
  clock_gap: 'The clock of the venue is more than two minutes off: the time is that of the request.',
  funding_interval_changed: 'The venue changed the interval of its funding rate.',
  factor_out_of_range: 'A factor is beyond what can be published.',
  stale_factor_row: 'The latest row is older than its bucket length allows.',
};

/** What an answer may carry as flag or caveat beside the notes of a row, by its code. */
export const caveatMeanings: Readonly<Record<string, string>> = {
  // grade, basis and relevance of an issuer's row
  quality_medium: 'The quality of the data is Medium.',
  quality_low: 'The quality of the data is Low.',
  debt_unproven: 'Debt is a lower bound: more may be owed than is proven.',
  crypto_unproven: 'Coins are a lower bound: more may be held than are proven.',
  both_unproven: 'Debt and coins are lower bounds.',
  treasury_incidental: 'Coins are incidental to the issuer: no tier is drawn.',
  treasury_none: 'The issuer holds no coins.',
  arcs_authored: 'Arcs of the calculation linkbase are authored by the project, not filed.',
  decimals_not_at_hand: 'How exactly some facts were filed is not known.',
  // a slice, its lists and briefs
  partial_slice: 'The slice is partial: issuers of earlier slices are missing.',
  stale_audit: 'The audit is older than its window.',
  enterprise_level_leverage:
    'Enterprise level: unsecured long-dated notes have no margin call; CRITICAL means debt above shocked coins, not liquidation.',
  unproven_rows: 'Rows that are unproven or without a tier are counted, not ranked.',
  live_overlay_missing: 'Not every row has a live reading.',
  regime_unavailable: 'The market regime cannot be read.',
  no_comparison: 'There is no earlier slice to compare with.',
  alpha_orders_research: 'Alpha orders research, not returns.',
  board_rank_is_not_raw_alpha_rank: 'The rank on the board is not that of the raw score.',
  // a product
  event_unavailable: 'Whether there is an event cannot be told.',
  event_blocked: 'The quality of the row forbids an event.',
  event_confirmed: 'Enough thresholds pass for an event.',
  event_watch: 'Some thresholds pass, too few for an event.',
  event_not_confirmed: 'No event is confirmed.',
  synthetic_observations: 'The observations are made up for a demonstration.',
  weights_only_attribution: 'Constituents are attributed by their weights alone.',
  no_attribution: 'Nothing is attributed to constituents.',
  issuer_truth_missing: 'No issuer behind the product has figures of its own.',
};

/** A flag or caveat in words; a code without a meaning as it is. */
export function caveatSentence(code: string): string {
  const own = Object.hasOwn(caveatMeanings, code) ? caveatMeanings[code] : undefined;
  const flag = Object.hasOwn(marketFlagMeanings, code) ? marketFlagMeanings[code] : undefined;
  return own ?? flag ?? noteSentence(code);
}
