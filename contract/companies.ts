import { z } from 'zod';
import { discoveryEnvelope } from './billingEnvelope.ts';
import { issuerTypes } from './enums.ts';
import { cik10, count, date, ticker, usd } from './primitives.ts';

/** One issuer of `/companies` (I4.F08.2). */
export const companyRow = z.object({
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
