import { z } from 'zod';
import * as e from './enums.ts';
import { cik10, count, date, datetime, int, money, ticker } from './primitives.ts';

const filedMoney = money.nullable();

/** The nine keys of I2.8, in the order of the interface. */
export const fundamentalKeys = [
  'revenue',
  'operating_income',
  'net_income',
  'cash_flow_from_operations',
  'total_assets',
  'current_assets',
  'cash_and_equivalents',
  'total_liabilities',
  'total_equity',
] as const;
export type FundamentalKey = (typeof fundamentalKeys)[number];

export const fundamentals = z.object({
  revenue: filedMoney,
  operating_income: filedMoney,
  net_income: filedMoney,
  cash_flow_from_operations: filedMoney,
  total_assets: filedMoney,
  current_assets: filedMoney,
  cash_and_equivalents: filedMoney,
  total_liabilities: filedMoney,
  total_equity: filedMoney,
});

/** The filed figure behind one member (I2.11, M10.13). */
export const fundamentalFact = z.object({
  concept: z.string(),
  unit: z.string(),
  accession_number: z.string(),
  value: money,
  decimals: int.nullable(),
  start: date.nullable(),
  end: date,
  filed: date,
  months: int.nullable(),
  duration_kind: z.enum(e.durationKinds),
  ytd: z.object({ value: money, start: date, end: date, months: int }).nullable(),
});

/** CompanyFundamentalsResponse (I2.7). */
export const companyFundamentals = z.object({
  ticker,
  entity_name: z.string(),
  cik: cik10,
  period: date,
  filing_form: z.string(),
  source_date: date,
  last_updated: datetime.nullable().optional(),
  fundamentals,
  fundamentals_context: z
    .object({
      currency: z.string(),
      instant_date: date,
      flow_start: date.nullable(),
      flow_end: date.nullable(),
      flow_duration_days: int.nullable(),
      flow_basis: z.enum(e.flowBases),
    })
    .optional(),
  segment_data: z.object({
    available: z.boolean(),
    segments: z.array(z.object({ name: z.string(), revenue: filedMoney, operating_income: filedMoney })),
  }),
  related_party_transactions: z.object({
    available: z.boolean(),
    transactions: z.array(z.record(z.string(), z.unknown())),
  }),
  subsequent_events: z.object({ available: z.boolean(), events: z.array(z.string()) }),
  provenance: z.object({
    root_resolution_method: z.string().nullable(),
    mapping_hit_count: count.nullable(),
    is_linkbase_backed: z.boolean(),
    data_source: z.enum(e.dataSources),
    quality_flag: z.enum(e.qualityFlags),
    accession_number: z.string().nullable(),
    source_date: date,
    computed_at_utc: datetime.nullable(),
    facts: z.partialRecord(z.enum(fundamentalKeys), fundamentalFact),
  }),
});

export type CompanyFundamentals = z.infer<typeof companyFundamentals>;
export type FundamentalFact = z.infer<typeof fundamentalFact>;
