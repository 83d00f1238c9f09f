import { z } from 'zod';
import { discoveryEnvelope } from '../../billing/billingEnvelope.ts';
import { withdrawal } from '../../release/releaseFiles.ts';
import * as e from '../../values/enums.ts';
import { cik10, count, date, ticker, usd } from '../../values/primitives.ts';
import { object, rows } from '../stored.ts';

export const coverageStatuses = ['covered', 'partial', 'not_covered'] as const;

/** One issuer of `/companies?mode=full` (I4.F08.2). */
const companyRow = z.object({
  /** null for a CIK-only issuer. */
  ticker: ticker.nullable(),
  lookup_ticker: ticker,
  name: z.string(),
  entity_name: z.string(),
  cik: cik10,
  category: z.enum(e.issuerTypes),
  aliases: z.array(z.string()),
  supported_routes: z.array(z.string()),
  unavailable_routes: z.array(z.object({ route: z.string(), reason_code: z.string() })),
  last_source_date: date.nullable(),
  coverage_status: z.enum(coverageStatuses),
  report_price_usd: usd.nullable(),
  /** How the registrant stands; absent in releases of builds that did not say it. */
  status: z.enum(['active', 'merged', 'liquidated']).optional(),
  status_date: date.nullable().optional(),
  successor: cik10.nullable().optional(),
  /** Of the filing in force; null without one, absent in releases of builds that did not say it. */
  period: date.nullable().optional(),
  filing_age_days: count.nullable().optional(),
  quality_flag: z.enum(e.qualityFlags).nullable().optional(),
  treasury_relevance: z.enum(e.treasuryRelevances).nullable().optional(),
});

/** One issuer of `mode=compact`: which ones there are, and how well they are known. */
const compactRow = companyRow.pick({
  ticker: true,
  lookup_ticker: true,
  name: true,
  cik: true,
  category: true,
  coverage_status: true,
  period: true,
  filing_age_days: true,
  quality_flag: true,
  treasury_relevance: true,
});

export const companies = discoveryEnvelope.extend({
  source_date: date.nullable(),
  limit: count,
  offset: count,
  count,
  total: count,
  search: z.string().nullable(),
  companies: z.array(z.union([companyRow, compactRow])),
  /** Dates that answer no more, ascending; absent while there is none (I3.28). */
  withdrawn_slices: z.array(withdrawal.extend({ source_date: date })).optional(),
});

/** A page of `mode=full`, the one without a mode. */
export const wholeCompanies = companies.extend({ companies: z.array(companyRow) });

export type CompanyRow = z.infer<typeof companyRow>;

/** Members of a row that a mode shows; null shows all. */
export function companyMembers(mode: unknown): readonly string[] | null {
  return mode === 'compact' ? Object.keys(compactRow.shape) : null;
}

/** Issuers of the universe, ordered by name, then CIK (I4.F08.2). */
export const companyRows = rows({
  name: ({ slice }) => `companies/${slice}`,
  row: companyRow,
  columns: {
    cik: (row) => row.cik,
    ticker: (row) => row.ticker,
    name: (row) => row.name,
    aliases: (row) => row.aliases,
    category: (row) => row.category,
    coverage_status: (row) => row.coverage_status,
    // what a search term is compared with: ticker, aliases, name, CIK digits (I4.F08.1)
    search: ({ ticker: label, aliases, name, cik }) =>
      [label ?? '', ...aliases, name, cik].join('\n').toLowerCase(),
  },
});

/** One registrant that the night's inputs name and the universe does not hold. */
const registrant = z.strictObject({
  cik: cik10,
  /** null where the inputs give none. */
  name: z.string().nullable(),
  tickers: z.array(ticker),
});

const registrantList = z.strictObject({ source_date: date, registrants: z.array(registrant) });

export type Registrant = z.infer<typeof registrant>;

/**
 * Registrants outside the universe, ordered by CIK. No route sends it: it tells a miss of a real registrant
 * (`issuer_not_in_universe`) from one of an unknown label (I7.6).
 */
export const registrants = object({
  subject: 'none',
  schema: registrantList,
  key: ({ slice }) => `registrants/${slice}.json`,
  coded: false,
});
