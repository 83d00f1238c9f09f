import { z } from 'zod';
import { date, exact, money, ratio } from '../../values/primitives.ts';
import { payload } from '../payload.ts';

/** How well filed facts prove a figure, the best first (M18.1). */
const figureStatuses = ['proven', 'supported', 'stated', 'partial', 'unproven'] as const;

/** Why a figure is null (M18.2). */
export const capitalReasons = [
  'not_filed',
  'not_applicable',
  'conflict',
  'unconfirmed',
  'price_missing',
  'price_basis_unknown',
  'no_instance',
  'status_unproven',
  'cash_flow_positive',
  'lower_bound',
  'par_only',
  'missing',
] as const;

export type FigureStatus = (typeof figureStatuses)[number];
export type CapitalReason = (typeof capitalReasons)[number];

/** A filed fact behind figures of the payload, which name it by its place in `facts` (I2.71). */
export const capitalFact = z.object({
  concept: z.string(),
  start: date.optional(),
  date: date.optional(),
  members: z.array(z.number().int().min(0)).optional(),
  value: z.string(),
  unit: z.string().optional(),
});

/** A figure with status, basis and facts, or null with its reason (I2.71). */
const schema = z.object({
  value: z.union([exact, z.string()]).nullable(),
  status: z.enum(figureStatuses).optional(),
  basis: z.string().optional(),
  null_reason: z.enum(capitalReasons).optional(),
  part: z.string().optional(),
  facts: z.array(z.number().int().min(0)).optional(),
});

/** Null alone where no fact is filed. */
const figure = schema.nullable();

export type CapitalFactRow = z.infer<typeof capitalFact>;
export type CapitalFigure = z.infer<typeof figure>;

/** Stands in the capital structure alone. */
export const capitalFigure = payload({
  id: 'capital_figure.v1',
  schema,
  example: { value: 800_000_000, status: 'proven', basis: 'gross', facts: [0, 1] },
  excerpt: ['value', 'status'],
  stored: {},
});

// the parts of the capital structure of one issuer, in the order of the payload (I2.72)

/** One note, loan or line. */
export const instrument = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  state: z.string(),
  as_of: date,
  rank: z.string(),
  rank_basis: z.string(),
  secured_by: z.string().nullable(),
  currency: z.string(),
  principal: figure,
  face_amount: figure,
  carrying_amount: figure,
  unamortized_cost: figure,
  coupon_rate: figure,
  coupon_kind: z.string().nullable(),
  spread: figure,
  effective_rate: figure,
  issue_date: figure,
  maturity_date: figure,
  springing_maturity_date: figure,
  put_date: figure,
  call_date: figure,
  conversion_price: figure,
  conversion_shares: figure,
  fair_value: figure,
  pledged_units: figure,
  pledged_value: figure,
  facility_id: z.string().nullable(),
  terms_accession: z.string().nullable(),
  notes: z.array(z.string()),
});

/** Amounts are in `currency` of the payload. */
export const stack = z.object({
  status: z.string(),
  difference: exact.nullable(),
  principal: exact.nullable(),
});

const factPlaces = z.array(z.number().int().min(0));

export const maturities = z.object({
  basis: z.string().nullable(),
  buckets: z.array(
    z.object({
      id: z.string(),
      start: date,
      end: date.nullable(),
      amount: exact,
      instrument_id: z.string().nullable(),
      facts: factPlaces,
    }),
  ),
  total: exact.nullable(),
  bucket_unallocated: exact.nullable(),
  gap: exact.nullable(),
  interest_in_ladder: exact.nullable(),
  coverage_of_debt: ratio.nullable(),
  status: z.enum([...figureStatuses, 'includes_interest']).nullable(),
  reason: z.enum(capitalReasons).nullable(),
  wall: z.array(
    z.object({
      kind: z.enum(['bucket', 'maturity', 'put', 'springing']),
      date,
      end: date.nullable(),
      amount: exact,
      instrument_id: z.string().nullable(),
    }),
  ),
  notes: z.array(z.string()),
});

/** One class of preferred stock, or of redeemable common. */
export const preferredClass = z.object({
  class: z.string(),
  name: z.string(),
  kind: z.enum(['preferred', 'redeemable_common']),
  shares: figure,
  carrying_amount: figure,
  claim: figure,
  dividend_rate: figure,
  annual_dividend: figure,
  dividends_declared: figure,
  dividends_declared_months: z.number().nullable(),
  arrears: figure,
  notes: z.array(z.string()),
});

export const shares = z.object({
  outstanding: figure,
  as_of: date,
  per_share: figure,
  per_share_date: date.nullable(),
  weighted_average: figure,
  by_class: z.array(z.object({ class: z.string(), count: figure })),
  cover: figure,
  cover_date: date.nullable(),
  prefunded: figure,
  options: figure,
  option_price: figure,
  restricted_units: figure,
  restricted_awards: figure,
  warrants_total: figure,
  warrants: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      count: figure,
      filed: figure,
      exercise_price: figure,
      expires: figure,
      is_prefunded: z.boolean(),
    }),
  ),
  convertible_shares: figure,
  basic_plus_prefunded: figure,
  fully_diluted: figure,
  splits: z.array(z.object({ date, ratio: z.number(), source: z.string() })),
  notes: z.array(z.string()),
});

/** Who is paid what after one fall of the coins. */
export const claims = z.object({
  lens: z.enum(['coins_only', 'all_assets']),
  shock: z.number(),
  pool: money,
  lines: z.array(
    z.object({
      class: z.string(),
      rank: z.number().int().nullable(),
      claim: money,
      paid: money.nullable(),
      recovery: ratio.nullable(),
    }),
  ),
  common_residual: money,
  common_per_share: exact.nullable(),
  is_lower_bound: z.boolean(),
  notes: z.array(z.string()),
});

/** What a share holds, at the coins of one basis. */
export const nav = z.object({
  basis: z.enum(['filed', 'live']),
  coins_per_share: z.array(
    z.object({
      asset: z.string(),
      units: figure,
      per_share: figure,
      per_share_prefunded: figure,
      per_share_diluted: figure,
    }),
  ),
  gross: figure,
  net_of_debt: figure,
  net_of_claims: figure,
  per_share: figure,
  close_date: date.nullable(),
  count_date: date.nullable(),
  mnav_gross: figure,
  mnav_enterprise: figure,
  mnav_net: figure,
  mnav_diluted: figure,
  digital_asset_share: figure,
  digital_asset_share_with_pledged: figure,
  index_threshold: z.number(),
  is_above_index_threshold: z.boolean().nullable(),
  notes: z.array(z.string()),
});

export const runway = z.object({
  as_of: date,
  period_end: date,
  currency: z.string(),
  cash: figure,
  cash_on_day: figure,
  restricted_cash: figure,
  flow_months: z.number().nullable(),
  monthly_operating_cash: figure,
  monthly_operating_cash_without_coins: figure,
  coin_sale_proceeds: figure,
  annual_interest: figure,
  interest_paid: figure,
  annual_preferred_dividends: figure,
  dividends_declared: figure,
  due_12m: figure,
  due_24m: figure,
  due_24m_if_put: figure,
  months_of_cash: figure,
  months_after_dividends: figure,
  first_shortfall_month: figure,
  shortfall_12m: figure,
  free_coin_value: figure,
  share_of_free_coins: figure,
  notes: z.array(z.string()),
});

/** From one stock of coins to the next. */
export const coinFlow = z.object({
  asset: z.string(),
  members: z.array(z.string()),
  measure: z.enum(['units', 'value']),
  start: date,
  end: date,
  opening: exact,
  rows: z.array(z.object({ kind: z.string(), amount: exact, fact: z.number().int().min(0) })),
  closing: exact,
  residual: exact,
  status: z.enum(['proven', 'unproven']),
  facts: factPlaces,
  notes: z.array(z.string()),
});

/** Cost and freedom of the coins of one asset at the period end. */
export const coinStock = z.object({
  asset: z.string(),
  units: figure,
  value: figure,
  cost_basis: figure,
  unrealised_gain: figure,
  average_cost: figure,
  pledged: figure,
  pledged_value: figure,
  restricted: figure,
  staked: figure,
  free: figure,
  free_value: figure,
  notes: z.array(z.string()),
});
