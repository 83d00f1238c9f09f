import { payloads } from '../payloads/payloads.ts';
import { tierMeaning } from '../values/disclaimer.ts';
import { serviceNames } from './serviceNames.ts';

/** What members mean that several payloads of issuers, boards and slices have, by member name (I2.4–I2.20). */
export const issuerFigures = {
  // identity and origin of a row
  source_date: 'Date of the data slice the figures belong to.',
  cik: 'Central Index Key of the issuer, zero-padded to ten digits.',
  ticker: 'Current ticker; the zero-padded CIK where the issuer has none.',
  entity_name: 'Name of the issuer as filed.',
  accession_number: 'Accession number of the filing used; unique only together with cik.',
  filing_url:
    'Page of that filing at SEC EDGAR; null where its accession number is unknown or a placeholder.',
  filing_form: 'Form of the filing used, such as 10-Q or 20-F.',
  period: 'Balance-sheet date of the filing used.',
  computed_at_utc: 'as_of instant of the run that built the artifact.',
  core_tier: 'Data-quality tier of the debt figure; Tower is the strongest.',
  quality_flag: 'How far the figures can be trusted.',
  data_source:
    'How the debt figure was found: a rolled-up linkbase, facts below a rooted linkbase, or facts alone.',
  is_linkbase_backed: 'True when the calculation linkbase of the filing carries the debt figure.',
  calculation_arc_count: 'Calculation arcs read from the linkbase of the filing.',
  debt_coverage_status: 'Whether debt was found, is a measured zero, or may be missing.',
  root_resolution_method: 'How the roots of the debt walk were found.',
  mapping_hit_count: 'Facts that a mapped concept matched.',
  data_quality_notes: 'What limits the figures, one code a note.',
  // balance figures and stress
  total_long_term_debt:
    'Total financial debt in USD; current_debt plus noncurrent_debt; a lower bound where figures_basis says debt_unproven.',
  current_debt: 'Financial debt due within a year, USD.',
  noncurrent_debt: 'Financial debt due after a year, USD.',
  total_crypto_fair_value:
    'Coins held in USD, at the end of the filing period; a lower bound where figures_basis says crypto_unproven.',
  figures_basis:
    'Whether debt and coins are proven: resolved, debt_unproven, crypto_unproven, both_unproven; an unproven figure is a lower bound and supports no tier.',
  crypto_share_of_assets: 'Coins over total assets; null when either is unproven or not filed.',
  treasury_relevance:
    'How much of the issuer its coins are: core from 25 % of assets, material from 10 %, incidental below, none for a proven zero.',
  bitcoin_units_held: 'Bitcoin held, in coins.',
  ethereum_units_held: 'Ether held, in coins.',
  crypto_units_basis: 'Where the number of coins comes from.',
  stress_30pct:
    'Debt over coins after a 30 % fall of the holdings; 0 without debt; 1000 is the cap, which stands where there are no coins and measures nothing.',
  stress_50pct:
    'Debt over coins after a 50 % fall of the holdings; 0 without debt; 1000 is the cap, which stands where there are no coins and measures nothing.',
  stress_70pct:
    'Debt over coins after a 70 % fall of the holdings; 0 without debt; 1000 is the cap, which stands where there are no coins and measures nothing.',
  covenant_headroom_50pct:
    'Distance to the reference covenant after a 50 % fall, as a share of it; negative beyond it, absent where coins are unproven, incidental or none.',
  charge_level: 'Band of the distance to forced repayment.',
  risk_tier: `Tier of the filing figures, worst first CRITICAL: ${tierMeaning}. UNCLASSIFIED when figures are unproven, coins incidental or none, or a rule forbids a tier.`,
  // standing in the universe
  ecs_z: 'Robust z of the equity cushion after a 50 % fall of the holdings; higher is better.',
  mp_z: 'Market pressure, system resonance, at the end of the filing period; higher is worse.',
  st_z: 'Structural tension: mean of the available z-scores, the equity cushion negated.',
  resonance_status: 'Whether the own z-scores and market pressure reinforce each other.',
  market_regime: 'State of the crypto market on the slice date; unavailable or null without enough closes.',
  btc_24h_change_pct: 'Change of the bitcoin close over one day, percent.',
  btc_7d_change_pct: 'Change of the bitcoin close over seven days, percent.',
  stress_velocity: 'Direction of live stress over seven days.',
  // live overlay
  uses_live_prices: 'True when the holdings were repriced with the stored daily snapshot.',
  price_source: 'Source of the closes used.',
  price_last_updated: 'Instant of the newest close used.',
  live_ecs_z: 'ecs_z of the repriced balance.',
  live_mp_z: 'Market pressure at source_date; higher is worse.',
  live_st_z: 'st_z of the repriced balance.',
  live_stress_50pct: 'stress_50pct of the repriced balance.',
  live_covenant_headroom_50pct: 'covenant_headroom_50pct of the repriced balance.',
  live_stress_delta_24h: 'Change of live_stress_50pct over one day.',
  live_stress_delta_7d: 'Change of live_stress_50pct over seven days.',
  live_charge_level: 'charge_level of the repriced balance.',
  live_resonance_status: 'resonance_status of the repriced balance.',
  live_risk_tier: 'risk_tier of the repriced balance.',
  // fundamentals
  currency: 'Currency of the figures, ISO 4217.',
  concept: 'Qualified name of the concept.',
  // boards, shares, ranks
  sort: 'Name of the order.',
  peer_percentile: 'Percentile of the peer ranking.',
  // alpha
  tower_status: 'How synchronized the stress of the tower issuers is.',
  tower_coherence: 'Share of the tower issuers that move in its most frequent direction, 0 to 1.',
  alpha_score: 'Score of the issuer, 0 to 100: a quarter of the sum of its four parts, rounded down.',
  treasury_strength: 'Class of treasury_strength_score.',
  research_posture: 'Suggested research stance; never an instruction to buy, sell or hold.',
  board_rank: 'Position on the board; null for a row a gate kept off.',
  // readiness
  time_windows: 'Day, week and month that end at the slice.',
  latest_day: 'The slice alone.',
  latest_week: 'Seven calendar days that end at the slice.',
  latest_month: 'Thirty calendar days that end at the slice.',
  // where a name means something else
  filing_age_days: 'Days from the end of the filing period to source_date; null without a filing in force.',
  'companies[].ticker': 'Current ticker; null for an issuer known by its CIK alone.',
} as const;

/** What the names mean that lists, pages and references of many payloads share. */
export const listNames = {
  // page and list members
  data: 'Rows of the answer in their order.',
  meta: 'What was selected, and how much there is.',
  total: 'Rows after filters, before paging.',
  limit: 'Rows asked for.',
  offset: 'Rows skipped before the page.',
  count: 'Rows or issuers counted.',
  filters: 'Filters that were applied, with their canonical values.',
  '*': 'Value of one key of the map.',
  label: 'Name to show.',
  date: 'Day, YYYY-MM-DD.',
  date_from: 'First day of the window.',
  date_to: 'Last day of the window.',
  source: 'Where it comes from.',
  provenance: 'Where the figures come from.',
  reason: 'Why; null when there is nothing to say.',
  request_key: 'Name of the request the payload answers.',
  evidence_ref: 'Call that shows the evidence of the row.',
  tool: 'Name of the tool that makes the call.',
  args: 'Arguments of the call.',
  message: 'Says in words what the status means.',
  tags: 'Raw evidence lines.',
  raw_tag_count: 'Evidence lines before paging.',
  evidence_available: 'True when evidence lines are stored.',
  has_more: 'True when rows follow the page.',
  next_offset: 'Offset of the next page.',
  events: 'Filing events, or the accession numbers of a chain in step order.',
  last_source_date: 'Last stored slice.',
} as const;

type Meanings = Readonly<Record<string, string>>;

/** Meanings that no single payload owns, by member name or end of a path. */
export const sharedMeanings: Meanings = { ...issuerFigures, ...listNames, ...serviceNames };

/**
 * What a member means, in one sentence (I4.F02.2): in the payload's own words, or in those that many share. The longest
 * end of the path that has a meaning counts; empty without one.
 *
 * @param resource schema id of a payload, or name of a service document
 */
export function fieldMeaning(resource: string, path: string): string {
  const own =
    (payloads as Readonly<Record<string, { readonly meanings: Meanings }>>)[resource]?.meanings ?? {};
  for (const table of [own, sharedMeanings]) {
    const key = meaningKey(table, { resource, path });
    if (key !== null) return table[key] ?? '';
  }
  return '';
}

/** Key of the most exact meaning of a member in one table; null without one. */
export function meaningKey(
  table: Meanings,
  { resource, path }: { resource: string; path: string },
): string | null {
  const segments = `${resource}.${path}`.split('.');
  const ends = segments.map((_, i) => segments.slice(i).join('.'));
  return [`$.${path}`, ...ends].find((key) => Object.hasOwn(table, key)) ?? null;
}
