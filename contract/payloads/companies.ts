import { z } from 'zod';
import { discoveryEnvelope } from '../billing/billingEnvelope.ts';
import { issuerTypes } from '../values/enums.ts';
import { cik10, count, date, ticker, usd } from '../values/primitives.ts';
import { rows } from './stored.ts';

/** One issuer of `/companies` (I4.F08.2). */
const companyRow = z.object({
  /** null for a CIK-only issuer. */
  ticker: ticker.nullable(),
  lookup_ticker: ticker,
  name: z.string(),
  entity_name: z.string(),
  cik: cik10,
  category: z.enum(issuerTypes),
  aliases: z.array(z.string()),
  supported_routes: z.array(z.string()),
  unavailable_routes: z.array(z.object({ route: z.string(), reason_code: z.string() })),
  last_source_date: date.nullable(),
  coverage_status: z.enum(['covered', 'partial', 'not_covered']),
  report_price_usd: usd.nullable(),
});

export const companies = discoveryEnvelope.extend({
  source_date: date.nullable(),
  limit: count,
  offset: count,
  count,
  total: count,
  search: z.string().nullable(),
  companies: z.array(companyRow),
});

export type CompanyRow = z.infer<typeof companyRow>;

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
    search: (row) => [row.ticker ?? '', ...row.aliases, row.name, row.cik].join('\n').toLowerCase(),
  },
});
