import { z } from 'zod';
import * as e from '../../values/enums.ts';
import {
  cik10,
  count,
  date,
  datetime,
  eachOf,
  filingPage,
  int,
  money,
  ticker,
} from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { object, rows } from '../stored.ts';
import example from './companyFundamentals.example.json' with { type: 'json' };

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

/** Those that are flows over a span. */
const flowMembers = ['revenue', 'operating_income', 'net_income', 'cash_flow_from_operations'] as const;

/** The span that flows cover (I2.9). */
const flowSpan = {
  flow_start: date.nullable(),
  flow_end: date.nullable(),
  flow_duration_days: int.nullable(),
  flow_basis: z.enum(e.flowBases),
};

export const fundamentals = z.object(eachOf(filedMoney, ...fundamentalKeys));

/** The filed figure behind one member (I2.11, M10.13). */
export const fundamentalFact = z.object({
  concept: z.string(),
  unit: z.string(),
  accession_number: z.string(),
  value: money,
  decimals: int.nullable().optional(),
  start: date.nullable(),
  end: date,
  filed: date,
  months: int.nullable(),
  duration_kind: z.enum(e.durationKinds),
  ytd: z.object({ value: money, start: date, end: date, months: int }).nullable(),
});

/** CompanyFundamentalsResponse (I2.7). */
const schema = z.object({
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
      ...flowSpan,
      other_flows: z.array(z.object({ member: z.enum(flowMembers), ...flowSpan })).optional(),
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
    filing_url: filingPage.optional(),
    source_date: date,
    computed_at_utc: datetime.nullable(),
    facts: z.partialRecord(z.enum(fundamentalKeys), fundamentalFact),
  }),
});

export type CompanyFundamentals = z.infer<typeof schema>;
export type FundamentalFact = z.infer<typeof fundamentalFact>;

export const companyFundamentals = payload({
  id: 'company_fundamentals.v1',
  schema,
  example: example as z.output<typeof schema>,
  excerpt: ['ticker', 'period', 'fundamentals.revenue', 'fundamentals.total_assets'],
  stored: {
    object: object({
      subject: 'issuer',
      schema,
      key: ({ slice, cik, variant }) => `fundamentals/${slice}/CIK${cik}${variant}.json`,
      variants: { include_segments: '+seg', include_related_party: '+rpt' },
    }),
    /** Ordered by CIK, without optional parts (I4.36). */
    rows: rows({
      name: ({ slice }) => `fundamentals/${slice}`,
      releases: 'backfilled',
      row: schema,
      columns: { cik: (row) => row.cik, ticker: (row) => row.ticker, period: (row) => row.period },
    }),
  },
});
